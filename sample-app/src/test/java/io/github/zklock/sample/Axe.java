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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.openqa.selenium.chrome.ChromeDriver;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The accessibility rules of axe-core, for the page that a browser shows.
 */
final class Axe {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final String CONTRAST = "color-contrast";

	private static final String RUN = """
			const done = arguments[arguments.length - 1];
			axe.run(document, { resultTypes: ['violations', 'passes', 'incomplete'] }).then((result) => done({
				violations: result.violations.filter((rule) => ['serious', 'critical'].includes(rule.impact))
					.flatMap((rule) => rule.nodes.map((node) => `${rule.id} (${rule.impact}): ${node.target}: ${node.failureSummary}`)),
				passed: result.passes.map((rule) => rule.id)
			}), (error) => done({ violations: [String(error)], passed: [] }));
			""";

	private final ChromeDriver driver;

	Axe(ChromeDriver driver) {
		this.driver = driver;
	}

	/**
	 * Assert that nothing on the page has a serious or critical fault.
	 * @param state what the page shows
	 */
	void assertNothingSerious(String state) {
		if (this.driver.executeScript("return window.axe === undefined").equals(true)) {
			this.driver.executeScript(source());
		}
		this.driver.manage().timeouts().scriptTimeout(PATIENCE);
		Map<?, ?> result = (Map<?, ?>) this.driver.executeAsyncScript(RUN);
		assertThat((List<?>) result.get("violations")).as("accessibility, " + state).isEmpty();
		assertThat(((List<?>) result.get("passed")).contains(CONTRAST)).as(CONTRAST + " was looked at").isTrue();
	}

	private static String source() {
		try {
			return new ClassPathResource("axe/axe.min.js").getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
