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

import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the console shows without scrolling, in windows of usual sizes: after each press,
 * what has happened, and at first a lock and a job.
 */
@Tag("server")
class ConsoleSizesBrowserTests extends AbstractConsoleBrowserTests {

	private static final String IN_SIGHT = """
			const box = document.querySelector(arguments[0])?.getBoundingClientRect();
			return Boolean(box) && box.height > 10 && box.top >= 0 && box.left >= 0
				&& box.bottom <= innerHeight && box.right <= innerWidth;
			""";

	private static final String PLACES = """
			return Object.fromEntries(Array.from(document.querySelectorAll('#nodes button, #jobs h3'),
				(each) => [each.textContent + (each.getAttribute('aria-label') ?? ''), Math.round(each.getBoundingClientRect().top + scrollY)]));
			""";

	@BeforeEach
	void light() {
		browser.prefer("light");
	}

	@AfterEach
	void usualSize() {
		browser.resize(1280, 900);
	}

	@ParameterizedTest
	@CsvSource({ "1366, 768", "1440, 900", "1536, 864", "1920, 945", "390, 844" })
	void whatHappenedIsReadBesideWhatWasPressed(int width, int height) {
		browser.resize(width, height);
		page.open();
		Stream<Runnable> presses = Stream.of(() -> page.outcomeOf("orders"), () -> page.outcomeOf("mend", () -> {
			page.press("cut", page.name(1));
			page.awaitState(page.name(1), "UNCERTAIN");
			page.press("mend", page.name(1));
		}), () -> page.outcomeOf("pause-report", () -> page.pressOfJob("pause-report")),
				() -> page.outcomeOf("resume-report", () -> page.pressOfJob("resume-report")));
		presses.forEach((press) -> {
			press.run();
			String latest = page.text("#outcomes li");
			String text = page.text("#latest [data-part='text']");
			assertThat(text).isNotBlank();
			assertThat(latest).contains(text);
			assertThat(page.script(IN_SIGHT, "#latest")).as("%d x %d: %s", width, height, text).isEqualTo(true);
			assertThat(page
				.script("const it = document.querySelector('#latest'); return it.scrollHeight <= it.clientHeight + 1"))
				.isEqualTo(true);
		});
	}

	@ParameterizedTest
	@CsvSource({ "1366, 768", "1440, 900", "1536, 864", "1920, 945" })
	void firstScreenShowsALockAndAJob(int width, int height) throws Exception {
		browser.resize(width, height);
		try (HeldLock held = HeldLock.of(nodes, 1, "demo")) {
			page.open();
			page.script("scrollTo(0, 0)");
			ConsolePage.await("the lock")
				.until(() -> Boolean.TRUE.equals(page.script(IN_SIGHT, "#locks .lock [data-role='holder']")));
			assertThat(held.token()).isPositive();
			assertThat(page.script(IN_SIGHT, "#jobs .dots")).isEqualTo(true);
		}
	}

	@Test
	@SuppressWarnings("unchecked")
	void nothingMovesWhenANodeIsPaused() {
		browser.resize(1366, 768);
		page.open();
		Map<String, Long> before = (Map<String, Long>) page.script(PLACES);
		page.press("pause", page.name(1));
		page.awaitState(page.name(1), "LOST");
		assertThat(page.script(PLACES)).isEqualTo(before);
		page.awaitState(page.name(1), "HELD");
	}

	@Test
	void helpIsFoldedAway() {
		assertThat(page.count("#watch-help[open]")).isZero();
		assertThat(page.count("#node-watch dd")).isEqualTo(6);
	}

}
