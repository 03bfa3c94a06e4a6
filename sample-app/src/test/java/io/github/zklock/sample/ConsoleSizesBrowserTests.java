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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

	private static final List<String> SIZES = List.of("1366 x 768", "1440 x 900", "1536 x 864", "1920 x 945",
			"390 x 844");

	private static final String BUTTON = """
			return document.querySelector(arguments[0]).closest('article, li').querySelector('button');
			""";

	/**
	 * The phase if all of the outcome can be read: in sight, within a hand's breadth of
	 * its buttons, not cut, and under nothing else.
	 */
	private static final String READ = """
			const note = document.querySelector(arguments[0]);
			const box = note.getBoundingClientRect();
			const near = Array.from(note.closest('article, li').querySelectorAll('button'), (button) => button.getBoundingClientRect())
				.some((button) => Math.max(box.top - button.bottom, button.top - box.bottom) < 120);
			const inSight = box.height > 10 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
			const whole = note.scrollHeight <= note.clientHeight + 1 && note.scrollWidth <= note.clientWidth + 1;
			const free = [box.top + 6, box.bottom - 3].every((y) => note.contains(document.elementFromPoint(box.left + 6, y)));
			return near && inSight && whole && free ? note.querySelector('[data-part="phase"]').textContent
				: JSON.stringify({ near, inSight, whole, free, box });
			""";

	private static final String PLACES = """
			return Object.fromEntries(Array.from(document.querySelectorAll('#nodes button, #jobs h3, #roles h3, #counters dt, #locks h2'),
				(each) => [each.textContent + (each.getAttribute('aria-label') ?? ''), Math.round(each.getBoundingClientRect().top + scrollY)]));
			""";

	/**
	 * The actions whose card grows when its place says what to watch for.
	 */
	private static final String GROWING = """
			return Array.from(document.querySelectorAll('main button[data-action]')).filter((button) => {
				const card = button.closest('article, li');
				const note = card.querySelector('.note');
				const part = (name) => note.querySelector(`[data-part="${name}"]`);
				const { innerHTML } = note;
				const { phase } = note.dataset;
				const before = card.offsetHeight;
				note.dataset.phase = 'RUNNING';
				part('phase').textContent = 'running';
				part('label').textContent = button.closest('[data-node]') ? button.textContent : '';
				part('text').textContent = button.title || document.getElementById(`watch-${button.dataset.action}`).textContent;
				const grows = card.offsetHeight > before;
				note.innerHTML = innerHTML;
				note.dataset.phase = phase;
				return grows;
			}).map((button) => button.dataset.action);
			""";

	/**
	 * What keeps the keys of single things from being one compact list.
	 */
	private static final String SPREAD_OUT = """
			const cards = Array.from(document.querySelectorAll('#keyed-list .lock'), (card) => card.getBoundingClientRect());
			const named = document.querySelector('#lock-list .lock').getBoundingClientRect();
			const high = cards.filter((card) => card.height * 3 > named.height);
			const apart = cards.slice(1).filter((card, place) => Math.abs(card.top - cards[place].bottom) > 1);
			return [...high, ...apart].map((card) => JSON.stringify(card));
			""";

	@BeforeEach
	void light() {
		browser.prefer("light");
	}

	@AfterEach
	void usualSize() {
		browser.resize(1280, 900);
	}

	@Test
	void whatHappenedIsReadBesideWhatWasPressed() {
		Map<String, Runnable> presses = new LinkedHashMap<>();
		String node = page.name(1);
		presses.put("action orders", () -> page.outcomeOf("orders"));
		presses.put("action readers", () -> page.outcomeOf("readers"));
		presses.put("node " + node, () -> page.outcomeOf("expire", node));
		presses.put("job:report", () -> page.outcomeOf("pause-report", () -> page.pressOfJob("pause-report")));
		presses.put("role:indexer", () -> page.outcomeOf("yield-indexer", () -> page.pressOfRole("yield-indexer")));
		for (Map.Entry<String, Runnable> press : presses.entrySet()) {
			browser.resize(1366, 768);
			press.getValue().run();
			for (String size : SIZES) {
				resize(size);
				page.script("arguments[0].scrollIntoView({ block: 'center' })",
						page.script(BUTTON, "[data-place='" + press.getKey() + "']"));
				assertThat(page.script(READ, "[data-place='" + press.getKey() + "']"))
					.as("%s at %s", press.getKey(), size)
					.isEqualTo("done");
			}
		}
		page.outcomeOf("resume-report", () -> page.pressOfJob("resume-report"));
	}

	@Test
	void whatACutHasDoneIsReadBesideTheButtonThatMendsIt() {
		for (String size : List.of("1366 x 768", "390 x 844")) {
			resize(size);
			page.open();
			String node = page.name(1);
			page.press("cut", node);
			page.awaitPassed(node, "HELD", "UNCERTAIN");
			page.outcomeOf("mend", node);
			assertThat(page.script(READ, "[data-place='node " + node + "']")).as(size).isEqualTo("done");
			assertThat(page.besideNode(node)).contains("cut off for", "UNCERTAIN after", "LOST", "after the mending");
			page.awaitState(node, "HELD");
		}
	}

	@Test
	void thePageOfANodeSaysThatItsOwnButtonHasStoppedIt() {
		String own = page.name(0);
		String links = "[data-place='node " + own + "'] a, #broken a";
		for (String size : List.of("1366 x 768", "390 x 844")) {
			resize(size);
			page.open();
			page.press("stop", own);
			try {
				ConsolePage.await("the end of the events").until(() -> !page.isConnected());
				page.awaitState(own, "STOPPED");
				assertThat(page.cardText(own)).doesNotContain("HELD", "Its session is good");
				assertThat(page.script(READ, "[data-place='node " + own + "']")).as(size).isEqualTo("done");
				assertThat(page.besideNode(own)).contains("stopped by this button", page.name(1), page.name(2));
				assertThat(page.text("#broken")).contains(own, "was stopped by its button")
					.doesNotContain("not answer");
				assertThat(page.count(links)).isEqualTo(4);
			}
			finally {
				nodes.cluster().all().get(0).start();
			}
			ConsolePage.await("the events again").until(page::isConnected);
			page.awaitState(own, "HELD");
			assertThat(page.text("#broken")).isBlank();
		}
		// Asking the stopped node again and again failed, as it has to.
		assertThat(browser.severeMessages()).allSatisfy((message) -> assertThat(message).contains("/console/"));
	}

	@Test
	void thePageScrollsToWhatHasHappenedBelowAButtonAtItsEdge() {
		resize("390 x 844");
		page.open();
		String press = """
				const button = document.querySelector("#actions button[data-action='lostTransfer']");
				button.scrollIntoView({ block: 'end' });
				button.click();
				""";
		page.outcomeOf("lostTransfer", () -> page.script(press));
		assertThat(page.script(READ, "[data-place='action lostTransfer']")).isEqualTo("done");
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
	void locksOfSingleThingsAreOneCompactList() throws Exception {
		try (HeldLock first = HeldLock.of(nodes, 1, "order:A-1");
				HeldLock second = HeldLock.of(nodes, 1, "order:A-2");
				HeldLock third = HeldLock.of(nodes, 1, "order:A-3")) {
			assertThat(List.of(first.token(), second.token(), third.token())).allMatch((token) -> token > 0);
			page.open();
			ConsolePage.await("the locks").until(() -> page.count("#keyed-list [data-lock^='order:A-']") == 3);
			for (String size : SIZES) {
				resize(size);
				assertThat(page.script(SPREAD_OUT)).as(size).isEqualTo(List.of());
			}
		}
	}

	@Test
	@SuppressWarnings("unchecked")
	void nothingMovesWhenANodeIsPaused() {
		browser.resize(1366, 768);
		page.open();
		ConsolePage.await("a job and a role").until(() -> page.count("#jobs h3") == 3 && page.count("#roles h3") == 1);
		Map<String, Long> before = (Map<String, Long>) page.script(PLACES);
		page.outcomeOf("pause", () -> {
			page.press("pause", page.name(1));
			page.awaitState(page.name(1), "LOST");
			assertThat(page.script(PLACES)).isEqualTo(before);
		});
		assertThat(page.besideNode(page.name(1))).startsWith("done");
		assertThat(page.script(PLACES)).isEqualTo(before);
		page.awaitState(page.name(1), "HELD");
	}

	@Test
	void nothingMovesWhenAnActionBegins() {
		ConsolePage.await("a role").until(() -> page.count("#jobs h3") == 3 && page.count("#roles h3") == 1);
		for (String size : SIZES) {
			resize(size);
			assertThat(page.script(GROWING)).as(size).isEqualTo(List.of());
		}
	}

	@Test
	void helpIsFoldedAway() {
		assertThat(page.count("#watch-help[open]")).isZero();
		assertThat(page.count("#node-watch dd")).isEqualTo(6);
	}

	private static void resize(String size) {
		String[] sides = size.split(" x ");
		browser.resize(Integer.parseInt(sides[0]), Integer.parseInt(sides[1]));
	}

}
