/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.zklock.sample;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

import io.github.zklock.sample.console.ConsoleNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.TakesScreenshot;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Takes the pictures of the documentation: always, so that it cannot rot, but into
 * {@code docs/images} only with {@code -Dsample.pictures=true}.
 */
@Tag("server")
class ConsolePicturesBrowserTests {

	@RegisterExtension
	static final RealBrowser browser = new RealBrowser();

	private static final boolean KEPT = Boolean.getBoolean("sample.pictures");

	private static final Path DIRECTORY = KEPT ? Path.of("..", "docs", "images") : Path.of("target", "pictures");

	private static final int LARGEST = KEPT ? 450_000 : Integer.MAX_VALUE;

	/**
	 * Wide enough for three nodes beside each other, high enough for the first locks.
	 */
	private static final int WIDTH = 1440;

	private static final int HEIGHT = 2050;

	private static final String REINDEX = "#jobs [data-job='reindex']";

	private static final String LEDGER = "#locks [data-lock='ledger']";

	/**
	 * The pictures that are kept show a console that has been open for a while.
	 */
	private static final int TICKS = KEPT ? 18 : 2;

	private static SampleNodes nodes;

	private static ConsolePage page;

	@BeforeAll
	static void start() {
		nodes = SampleNodes.start("--sample.nodes=3", "--sample.console=true", "--sample.activity=true",
				"--sample.report-seconds=3", "--sample.export-cron=*/15 * * * * *",
				"--sample.reindex-cron=8/20 * * * * *", "--zk-lock.leader.roles.indexer.enabled=true",
				"--sample.port=" + (KEPT ? 8081 : 0));
		page = new ConsolePage(browser, nodes);
	}

	@AfterAll
	static void stop() {
		if (nodes != null) {
			nodes.close();
		}
	}

	@Test
	void theConsoleInLightInDarkOnAPhoneAndInTheMiddleOfAFailure() throws Exception {
		browser.resize(WIDTH, HEIGHT);
		browser.prefer("light");
		page.open();
		List.of("readers", "orders", "staleWrite").forEach(page::outcomeOf);
		try (HeldLock lock = HeldLock.of(nodes, 1, "ledger")) {
			assertThat(lock.token()).isPositive();
			try (HeldLock heir = HeldLock.of(nodes, 2, "ledger")) {
				awaitCalm();
				take("console-light.png");
				browser.prefer("dark");
				take("console-dark.png");
				browser.prefer("light");
				browser.resize(360, 800);
				take("console-360.png");
				browser.resize(WIDTH, HEIGHT);
				takeInTheMiddleOfAFailure(heir);
				takeShardsAndRole();
			}
		}
	}

	private void awaitCalm() {
		for (int i = 0; i < 3; i++) {
			page.awaitState(page.name(i), "HELD");
		}
		ConsolePage.await("the queue").until(() -> page.text(LEDGER + " [data-role='queue']").contains(page.name(2)));
		ConsolePage.await("ticks").until(() -> page.ticks("report").size() >= TICKS);
	}

	private void takeInTheMiddleOfAFailure(HeldLock heir) throws Exception {
		ClusterNode paused = nodes.cluster().all().get(1);
		try {
			// Not by the button, whose pause is over before a slow machine has taken the
			// picture.
			paused.become(ConsoleNode.Fault.PAUSED);
			assertThat(heir.token()).isPositive();
			page.awaitState(page.name(1), "LOST");
			ConsolePage.await("the heir")
				.until(() -> page.text(LEDGER + " [data-role='holder']").contains(page.name(2)));
			take("console-failure.png");
		}
		finally {
			paused.become(ConsoleNode.Fault.NONE);
		}
	}

	private void takeShardsAndRole() throws IOException {
		ConsolePage.await("the leader").until(() -> !page.attribute("#roles .role", "leader").isEmpty());
		if (KEPT) {
			page.outcomeOf("yield-indexer", () -> page.pressOfRole("yield-indexer"));
			page.outcomeOf("shardDies", () -> page.pressOfJob("shardDies"));
			ConsolePage.await("the second attempt").until(() -> page.text(REINDEX).contains("ran it again."));
		}
		take("console-shards.png", browser.driver().findElement(By.cssSelector(REINDEX)));
		take("console-role.png", browser.driver().findElement(By.cssSelector("#roles .role")));
	}

	private static void take(String name) throws IOException {
		page.script("window.scrollTo(0, 0)");
		take(name, browser.driver());
	}

	private static void take(String name, TakesScreenshot what) throws IOException {
		byte[] picture = smaller(what.getScreenshotAs(OutputType.BYTES));
		Files.createDirectories(DIRECTORY);
		Files.write(DIRECTORY.resolve(name), picture);
		assertThat(picture.length).as("bytes of " + name).isBetween(3_000, LARGEST);
	}

	// The browser compresses its picture in a hurry.
	private static byte[] smaller(byte[] picture) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
		ImageWriteParam best = writer.getDefaultWriteParam();
		best.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
		best.setCompressionQuality(0);
		try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
			writer.setOutput(out);
			writer.write(null, new IIOImage(ImageIO.read(new ByteArrayInputStream(picture)), null, null), best);
		}
		finally {
			writer.dispose();
		}
		return bytes.toByteArray();
	}

}
