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

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for who uses the live console without a mouse, without good eyes or with a screen
 * reader.
 */
@Tag("server")
class ConsoleAccessibilityBrowserTests extends AbstractConsoleBrowserTests {

	private static final String BUTTON = "const id = (b) => `${b.closest('[data-node]')?.dataset.node ?? 'all'} ${b.dataset.action}`;";

	private static final int TABS = 100;

	/**
	 * Gives the cards states that last too short to be looked at, and gives them again as
	 * soon as the page has set the true ones.
	 */
	private static final String OTHER_STATES = """
			const states = ['LOST', 'UNCERTAIN', 'STARTING'];
			const set = () => document.querySelectorAll('#nodes article[data-node]').forEach((card, i) => {
				if (card.dataset.state !== states[i]) {
					card.dataset.state = states[i];
				}
			});
			set();
			new MutationObserver(set).observe(document.querySelector('#nodes'), { subtree: true, attributes: true });
			""";

	@ParameterizedTest
	@ValueSource(strings = { "light", "dark" })
	void axeFindsNothingSerious(String colours) throws Exception {
		browser.prefer(colours);
		Axe axe = new Axe(browser.driver());
		try (HeldLock held = HeldLock.of(nodes, 0, "demo")) {
			assertThat(held.token()).isPositive();
			try (HeldLock waiting = HeldLock.of(nodes, 1, "demo")) {
				page.outcomeOf("orders");
				page.outcomeOf("stop", page.name(2));
				page.awaitState(page.name(2), "STOPPED");
				ConsolePage.await("the queue")
					.until(() -> page.text("#locks [data-lock='demo'] [data-role='queue']").contains(page.name(1)));
				page.script("document.querySelectorAll('details').forEach((details) => details.open = true)");
				axe.assertNothingSerious(colours);
				page.script(OTHER_STATES);
				axe.assertNothingSerious(colours + ", in the middle of failures");
				held.close();
				assertThat(waiting.token()).isPositive();
			}
		}
	}

	@Test
	void everyButtonHasANameOfItsOwn() {
		List<String> names = browser.driver()
			.findElements(By.tagName("button"))
			.stream()
			.map(WebElement::getAccessibleName)
			.toList();
		assertThat(names).hasSizeGreaterThanOrEqualTo(3 * 6 + 4)
			.allSatisfy((name) -> assertThat(name).isNotBlank())
			.doesNotHaveDuplicates();
	}

	@Test
	void everyButtonIsReachedByTab() {
		Set<Object> expected = new LinkedHashSet<>(
				(List<?>) page.script(BUTTON + "return Array.from(document.querySelectorAll('button:enabled'), id)"));
		assertThat(expected).contains("all orders", page.name(1) + " pause");
		Set<Object> reached = new LinkedHashSet<>();
		for (int i = 0; i < TABS && !reached.containsAll(expected); i++) {
			browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
			reached.add(page.script(BUTTON + "return id(document.activeElement)"));
		}
		assertThat(reached).containsAll(expected);
	}

	@Test
	void theFocusStaysWhereItIsWhileThePageChanges() {
		page.script("document.querySelector('#actions button[data-action=orders]').focus()");
		String outcome = page.outcomeOf("orders",
				() -> browser.driver().switchTo().activeElement().sendKeys(Keys.ENTER));
		assertThat(outcome).contains("50");
		assertThat(page.script("return document.activeElement.dataset.action")).isEqualTo("orders");
	}

	@Test
	void whatHappensIsToldToScreenReaders() {
		assertThat(page.script("return document.querySelector('#outcomes').ariaLive")).isEqualTo("polite");
		assertThat(page.script("""
				return Array.from(document.querySelectorAll('main section'))
					.filter((section) => !section.querySelector('h1, h2, h3')).map((section) => section.id)
				""")).isEqualTo(List.of());
	}

}
