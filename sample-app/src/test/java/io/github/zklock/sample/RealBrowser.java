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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.slf4j.LoggerFactory;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Chromium without a window for all tests of a class, with a profile of its own in the
 * temporary directory. After each test nothing bad may stand in its console, and it may
 * have asked nobody but the nodes for anything. Where it is not installed the class is
 * skipped.
 */
final class RealBrowser implements ExecutionCondition, BeforeAllCallback, AfterEachCallback, AfterAllCallback {

	private static final List<String> BROWSERS = List.of("google-chrome", "chromium");

	private static final String DRIVER = "chromedriver";

	private static final List<String> SWITCHES = List.of("--headless=new", "--no-first-run", "--disable-gpu",
			"--disable-dev-shm-usage", "--disable-extensions", "--disable-sync", "--disable-component-update",
			"--disable-background-networking", "--force-device-scale-factor=1", "--hide-scrollbars", "--lang=en",
			"--force-color-profile=srgb",
			"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1");

	// Held, or the level could be forgotten.
	private static final Logger seleniumLogger = Logger.getLogger("org.openqa.selenium");

	private final Set<String> allowed = ConcurrentHashMap.newKeySet();

	private Path profile;

	private ChromeDriver driver;

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		if (browser().isPresent() && find(DRIVER).isPresent()) {
			return ConditionEvaluationResult.enabled("Chromium and its driver are on the path");
		}
		String reason = "There is no chromium with its chromedriver on the path, so browser tests like "
				+ context.getDisplayName() + " are skipped. On Debian: apt install chromium chromium-driver.";
		LoggerFactory.getLogger(RealBrowser.class).warn(reason);
		return ConditionEvaluationResult.disabled(reason);
	}

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		// It warns that it does not know the newest protocol by types, which are not
		// used.
		seleniumLogger.setLevel(Level.SEVERE);
		this.profile = Files.createTempDirectory("zk-lock-sample-browser");
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(find(DRIVER).orElseThrow().toFile())
			.usingAnyFreePort()
			.withSilent(true)
			.build();
		this.driver = new ChromeDriver(service, options());
		// It has begun with a page of its own, whose requests do not count.
		this.driver.get("about:blank");
		requests();
	}

	@Override
	public void afterEach(ExtensionContext context) {
		List<String> messages = severeMessages();
		List<String> strangers = requests().stream().filter((url) -> !isAllowed(url)).toList();
		assertThat(messages).as("errors in the console of the browser").isEmpty();
		assertThat(strangers).as("requests to others than the nodes").isEmpty();
	}

	@Override
	public void afterAll(ExtensionContext context) {
		try {
			if (this.driver != null) {
				this.driver.quit();
			}
		}
		finally {
			// Its last processes may still write there.
			Awaitility.await()
				.ignoreExceptions()
				.until(() -> FileSystemUtils.deleteRecursively(this.profile) || !Files.exists(this.profile));
		}
	}

	/**
	 * Let the browser ask this origin.
	 * @param origin as in {@code http://localhost:8081}
	 */
	void allow(String origin) {
		this.allowed.add(origin);
	}

	ChromeDriver driver() {
		return this.driver;
	}

	/**
	 * Look at the page on a screen of this size.
	 * @param width in CSS pixels, which may be less than a window can have
	 * @param height in CSS pixels
	 */
	void resize(int width, int height) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	/**
	 * Look at the page as somebody who prefers these colours.
	 * @param scheme {@code light} or {@code dark}
	 */
	void prefer(String scheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme),
						Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
	}

	/**
	 * Take what was said since the last look, so that it does not fail the test.
	 * @return the errors in the console of the browser
	 */
	List<String> severeMessages() {
		return this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
			.map((entry) -> entry.getMessage())
			.toList();
	}

	private List<String> requests() {
		return this.driver.manage()
			.logs()
			.get(LogType.PERFORMANCE)
			.getAll()
			.stream()
			.map((entry) -> url(entry.getMessage()))
			.filter(Objects::nonNull)
			.toList();
	}

	private static String url(String message) {
		if (!message.contains("Network.requestWillBeSent\"") && !message.contains("Network.webSocketCreated\"")) {
			return null;
		}
		Map<?, ?> event = (Map<?, ?>) JsonParserFactory.getJsonParser().parseMap(message).get("message");
		Map<?, ?> params = (Map<?, ?>) event.get("params");
		Object url = params.containsKey("request") ? ((Map<?, ?>) params.get("request")).get("url") : params.get("url");
		return String.valueOf(url);
	}

	private boolean isAllowed(String url) {
		return url.startsWith("data:") || this.allowed.stream().anyMatch((origin) -> url.startsWith(origin + "/"));
	}

	private ChromeOptions options() {
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		logs.enable(LogType.PERFORMANCE, Level.ALL);
		Map<String, Object> performance = new HashMap<>();
		performance.put("enableNetwork", true);
		performance.put("enablePage", false);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(browser().orElseThrow().toFile());
		options.addArguments(SWITCHES);
		options.addArguments("--user-data-dir=" + this.profile);
		if ("root".equals(System.getProperty("user.name"))) {
			// Its sandbox refuses root, as whom CI runs; no page but ours is opened.
			options.addArguments("--no-sandbox");
		}
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		options.setExperimentalOption("perfLoggingPrefs", performance);
		return options;
	}

	private static Optional<Path> browser() {
		return BROWSERS.stream().flatMap((name) -> find(name).stream()).findFirst();
	}

	private static Optional<Path> find(String command) {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(System.getProperty("path.separator")))
			.map((directory) -> Path.of(directory, command))
			.filter(Files::isExecutable)
			.findFirst();
	}

}
