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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/**
 * The live console in a browser, as the user sees it: it is read in one go each time,
 * since it changes by itself.
 */
final class ConsolePage {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/**
	 * An action waits as long for what it tells, and says so when that does not happen.
	 */
	private static final Duration PATIENCE_OF_ACTIONS = PATIENCE.multipliedBy(2);

	/**
	 * Keeps each state that a node passes through with the words of that moment: a test
	 * that looks only now and then could miss a short one.
	 */
	private static final String RECORDER = """
			window.seenStates = [];
			const last = {};
			const look = () => document.querySelectorAll('#nodes article[data-node]').forEach((card) => {
				const { node, state } = card.dataset;
				if (last[node] !== state) {
					last[node] = state;
					window.seenStates.push({ node, state, words: card.innerText });
				}
			});
			new MutationObserver(look).observe(document.querySelector('#nodes'),
				{ subtree: true, childList: true, attributes: true, characterData: true });
			look();
			""";

	private final RealBrowser browser;

	private final List<String> names;

	/**
	 * A page that is opened anew tells the outcomes of earlier runs again.
	 */
	private long lastRun;

	ConsolePage(RealBrowser browser, SampleNodes nodes) {
		this.browser = browser;
		this.names = IntStream.range(0, 3).mapToObj(nodes::name).toList();
		this.names.forEach((name) -> browser.allow(origin(name)));
	}

	static ConditionFactory await(String what) {
		return Awaitility.await(what).atMost(PATIENCE);
	}

	/**
	 * Open the console of the first node, and wait until it shows all nodes in good
	 * health.
	 */
	void open() {
		this.browser.driver().get(origin(name(0)) + "/");
		await("the event stream").until(this::isConnected);
		await("three nodes").until(() -> count("#nodes article[data-node]") == 3);
		this.names.stream().filter((name) -> "STOPPED".equals(state(name))).forEach((name) -> outcomeOf("start", name));
		this.names.forEach((name) -> awaitState(name, "HELD"));
		script(RECORDER);
	}

	boolean isConnected() {
		return "true".equals(script("return document.documentElement.dataset.connected"));
	}

	String name(int index) {
		return this.names.get(index);
	}

	private static String origin(String name) {
		return "http://localhost:" + name.replace("node-", "");
	}

	String state(String node) {
		return (String) script("return document.querySelector(arguments[0])?.dataset.state", card(node));
	}

	void awaitState(String node, String state) {
		await(node + " to be " + state).until(() -> state.equals(state(node)));
	}

	@SuppressWarnings("unchecked")
	private List<Map<String, String>> passed(String node) {
		List<Map<String, String>> all = (List<Map<String, String>>) script("return window.seenStates");
		return all.stream().filter((passed) -> passed.get("node").equals(node)).toList();
	}

	void awaitPassed(String node, String... states) {
		await(node + " to pass " + String.join(", ", states)).until(() -> {
			List<String> rest = new ArrayList<>(List.of(states));
			passed(node).stream()
				.filter((passed) -> !rest.isEmpty() && passed.get("state").equals(rest.get(0)))
				.forEach((passed) -> rest.remove(0));
			return rest.isEmpty();
		});
	}

	/**
	 * What the card of a node has said in a state since the page was opened.
	 * @param node the name of the node
	 * @param state the state
	 * @return the text of the card at the begin of each time
	 */
	List<String> wordsOf(String node, String state) {
		return passed(node).stream()
			.filter((passed) -> passed.get("state").equals(state))
			.map((passed) -> passed.get("words"))
			.toList();
	}

	String text(String selector) {
		return (String) script("return document.querySelector(arguments[0])?.innerText ?? ''", selector);
	}

	String cardText(String node) {
		return text(card(node));
	}

	/**
	 * What a screen reader finds, also if it is folded up.
	 * @param selector which element
	 * @return its text
	 */
	String hiddenText(String selector) {
		return (String) script("return document.querySelector(arguments[0])?.textContent ?? ''", selector);
	}

	/**
	 * What has become of the button that was pressed last, as the card of its node says.
	 * @param node the name of the node
	 * @return the text
	 */
	String besideNode(String node) {
		return text(card(node) + " .note");
	}

	String attribute(String selector, String name) {
		return (String) script("return document.querySelector(arguments[0])?.dataset[arguments[1]] ?? ''", selector,
				name);
	}

	long count(String selector) {
		return (Long) script("return document.querySelectorAll(arguments[0]).length", selector);
	}

	long counter(String name) {
		return Long.parseLong(text("#counters [data-counter='" + name + "']").replaceAll("\\D", ""));
	}

	/**
	 * The dots of a job.
	 * @param job its name
	 * @return the time in milliseconds and the node of each dot, as {@code time node}
	 */
	@SuppressWarnings("unchecked")
	List<String> ticks(String job) {
		return (List<String>) script(
				"""
						return Array.from(document.querySelectorAll(arguments[0]), (dot) => `${dot.dataset.tick} ${dot.dataset.node}`)
						""",
				"#jobs [data-job='" + job + "'] [data-tick]");
	}

	/**
	 * Press a button and wait for the end of what it does.
	 * @param action the action of all nodes
	 * @return what the page says has happened
	 */
	String outcomeOf(String action) {
		return outcomeOf(action, () -> press(action));
	}

	String outcomeOf(String action, String node) {
		return outcomeOf(action, () -> press(action, node));
	}

	String outcomeOf(String action, Runnable press) {
		press.run();
		List<?> outcome = Awaitility.await("the outcome of " + action)
			.atMost(PATIENCE_OF_ACTIONS)
			.until(() -> (List<?>) script("""
					const fresh = Array.from(document.querySelectorAll('#outcomes li[data-run]'))
						.find((li) => li.dataset.action === arguments[0] && !(Number(li.dataset.run) <= arguments[1]));
					return fresh ? [fresh.dataset.phase, fresh.innerText, fresh.dataset.run] : [''];
					""", action, this.lastRun), (found) -> List.of("DONE", "FAILED").contains(found.get(0)));
		if (!"DONE".equals(outcome.get(0))) {
			throw new AssertionError(action + " has failed: " + outcome.get(1));
		}
		this.lastRun = Long.parseLong((String) outcome.get(2));
		return (String) outcome.get(1);
	}

	/**
	 * The outcomes, newest first.
	 * @return the action and the phase of each, as {@code action phase}
	 */
	@SuppressWarnings("unchecked")
	List<String> outcomes() {
		return (List<String>) script("""
				return Array.from(document.querySelectorAll('#outcomes li[data-run]'),
					(outcome) => `${outcome.dataset.action} ${outcome.dataset.phase}`)
				""");
	}

	void press(String action) {
		press(By.cssSelector("#actions button[data-action='" + action + "']"));
	}

	void pressOfJob(String action) {
		press(By.cssSelector("#jobs button[data-action='" + action + "']"));
	}

	void pressOfRole(String action) {
		press(By.cssSelector("#roles button[data-action='" + action + "']"));
	}

	void press(String action, String node) {
		press(By.cssSelector(card(node) + " button[data-action='" + action + "']"));
	}

	private void press(By button) {
		WebElement found = this.browser.driver().findElement(button);
		await(button + " to be enabled").until(found::isEnabled);
		// The side scrolls by itself, and the driver does not know that.
		script("arguments[0].scrollIntoView({ block: 'center' })", found);
		found.click();
	}

	Object script(String script, Object... arguments) {
		return this.browser.driver().executeScript(script, arguments);
	}

	private static String card(String node) {
		return "#nodes article[data-node='" + node + "']";
	}

}
