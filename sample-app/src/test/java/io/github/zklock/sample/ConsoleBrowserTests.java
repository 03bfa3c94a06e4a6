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

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.sample.console.ConsoleNode;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the live console of three nodes, in a browser: what its buttons do is done to
 * the nodes, and what it shows is compared with them.
 */
@Tag("server")
class ConsoleBrowserTests extends AbstractConsoleBrowserTests {

	/**
	 * Keeps all marks of the shards that were shown together, since the next tick removes
	 * them.
	 */
	private static final String SHARD_RECORDER = """
			window.seenShards = [];
			const marks = document.querySelector("#jobs [data-job='reindex'] .dots");
			new MutationObserver(() => window.seenShards.push(Array.from(marks.children,
				({ dataset }) => `${dataset.shard} ${dataset.attempt} ${dataset.node} ${dataset.outcome}`)))
				.observe(marks, { childList: true });
			""";

	@Test
	void everyNodeIsShownWithItsSession() {
		for (int i = 0; i < 3; i++) {
			assertThat(page.cardText(page.name(i))).containsIgnoringCase("held").contains(session(i));
		}
	}

	@Test
	void theHolderOfALockIsShownAndWhoWaitsForIt() throws Exception {
		String lock = "#locks [data-lock='demo']";
		String holder = lock + " [data-role='holder']";
		try (HeldLock first = HeldLock.of(nodes, 1, "demo")) {
			long token = first.token();
			ConsolePage.await("the holder").until(() -> page.text(holder).contains(page.name(1)));
			assertThat(page.text(holder)).contains(String.valueOf(token));
			try (HeldLock second = HeldLock.of(nodes, 2, "demo")) {
				ConsolePage.await("the queue")
					.until(() -> page.text(lock + " [data-role='queue']").contains(page.name(2)));
				first.close();
				ConsolePage.await("the next holder").until(() -> page.text(holder).contains(page.name(2)));
				assertThat(page.text(holder)).contains(String.valueOf(second.token()));
				assertThat(second.token()).isGreaterThan(token);
			}
		}
		ConsolePage.await("nobody").until(() -> !page.text(holder).contains("node-"));
		assertThat(page.hiddenText(lock + " details")).contains(page.name(1), page.name(2));
	}

	@Test
	void theJobOfAStoppedNodeMovesToAnotherAndTheNodeCanBeStartedAgain() throws Exception {
		String stopped = page.name(2);
		page.outcomeOf("stop", stopped);
		page.awaitState(stopped, "STOPPED");
		assertThat(page.cardText(stopped)).containsIgnoringCase("stopped");
		long now = Instant.now().toEpochMilli();
		ConsolePage.await("ticks of other nodes").until(() -> ticksSince(now).size() >= 3);
		assertThat(ticksSince(now)).noneMatch((tick) -> tick.endsWith(stopped));
		page.outcomeOf("start", stopped);
		page.awaitState(stopped, "HELD");
		ConsolePage.await("its new session").until(() -> page.cardText(stopped).contains(session(2)));
	}

	@Test
	void aNodeWhoseConnectionIsCutIsUncertainAndLostUntilItHasAnother() {
		String cut = page.name(1);
		page.press("cut", cut);
		page.awaitPassed(cut, "HELD", "UNCERTAIN", "LOST");
		page.outcomeOf("orders");
		page.awaitPassed(cut, "HELD", "UNCERTAIN", "LOST", "HELD");
		assertThat(page.wordsOf(cut, "UNCERTAIN")).isNotEmpty()
			.allSatisfy((words) -> assertThat(words).containsIgnoringCase("uncertain"));
		ConsolePage.await("the outcome of the cut").until(() -> page.outcomes().contains("cut DONE"));
		List<String> told = page.outcomes();
		page.open();
		ConsolePage.await("the outcomes in the order in which they began").until(() -> page.outcomes().equals(told));
	}

	@Test
	void aConnectionIsMendedBeforeItsTime() {
		String cut = page.name(2);
		// Not by the button, whose cut ends by itself: on a slow machine before anybody
		// can mend it.
		nodes.cluster().all().get(2).become(ConsoleNode.Fault.CUT);
		page.awaitPassed(cut, "HELD", "UNCERTAIN");
		page.outcomeOf("mend", cut);
		page.awaitPassed(cut, "HELD", "UNCERTAIN", "HELD");
		page.awaitState(cut, "HELD");
	}

	@Test
	void aPausedNodeLosesItsSessionAndComesBackWithAnother() throws Exception {
		String paused = page.name(1);
		String before = session(1);
		String outcome = page.outcomeOf("pause", paused);
		page.awaitPassed(paused, "LOST", "HELD");
		page.awaitState(paused, "HELD");
		assertThat(outcome).contains(paused, "LOST", "refused");
		assertThat(page.besideNode(paused)).startsWith("done Pause it It was LOST after ");
		assertThat(page.wordsOf(paused, "LOST")).isNotEmpty()
			.allSatisfy((words) -> assertThat(words).containsIgnoringCase("lost"));
		assertThat(session(1)).isNotEqualTo(before);
		ConsolePage.await("its new session").until(() -> page.cardText(paused).contains(session(1)));
	}

	@Test
	void anExpiredSessionIsLostAndAnotherFollows() throws Exception {
		String expired = page.name(2);
		String before = session(2);
		page.outcomeOf("expire", expired);
		page.awaitPassed(expired, "LOST", "HELD");
		page.awaitState(expired, "HELD");
		assertThat(session(2)).isNotEqualTo(before);
		ConsolePage.await("its new session").until(() -> page.cardText(expired).contains(session(2)));
	}

	@Test
	void everyTickHasOneDotOfTheNodeThatRanIt() {
		ConsolePage.await("ticks").until(() -> page.ticks("report").size() >= 6);
		List<String> dots = page.ticks("report");
		long first = time(dots.get(0)) / 1000;
		long last = time(dots.get(dots.size() - 1)) / 1000;
		List<String> ran = nodes.jdbc()
			.sql("select tick * 1000 || ' ' || node from report where tick between ? and ? order by tick")
			.params(first, last)
			.query(String.class)
			.list();
		assertThat(dots).containsExactlyElementsOf(ran);
		assertThat(dots).extracting(ConsoleBrowserTests::time).doesNotHaveDuplicates();
	}

	@Test
	void ofFiftyOrdersToOneKeyOneIsShipped() {
		int before = shipments();
		String outcome = page.outcomeOf("orders");
		assertThat(outcome).contains("50").contains("49");
		assertThat(shipments()).isEqualTo(before + 1);
	}

	@Test
	void readersShareTheLockThatAWriterHasAlone() {
		assertThat(page.outcomeOf("readers")).contains("beside another caller 0 times", "0 reads saw half a change");
	}

	@Test
	void theActionsOfAllNodesAreThere() {
		assertThat(
				page.script("return Array.from(document.querySelectorAll('#actions button'), (b) => b.dataset.action)"))
			.asInstanceOf(InstanceOfAssertFactories.list(String.class))
			.containsExactlyInAnyOrder("orders", "readers", "lostTransfer", "staleWrite", "lateCommit", "nodeDies");
	}

	@Test
	void aLateWriteIsRefusedByItsToken() {
		long refused = page.counter("refusedWrites");
		long losses = page.counter("losses");
		String outcome = page.outcomeOf("staleWrite");
		List<Long> tokens = Pattern.compile("with (?:token )?(\\d+)")
			.matcher(outcome)
			.results()
			.map((token) -> Long.valueOf(token.group(1)))
			.toList();
		assertThat(outcome).contains("refused");
		assertThat(tokens).as("of the next holder and of the late one").hasSize(2);
		assertThat(tokens.get(1)).isLessThan(tokens.get(0));
		ConsolePage.await("the counter").until(() -> page.counter("refusedWrites") > refused);
		ConsolePage.await("the lost lock").until(() -> page.counter("losses") > losses);
	}

	@Test
	void aJobIsPausedResumedAndRunByHand() {
		String job = "#jobs [data-job='report']";
		String state = job + " [data-part='summary']";
		pressOfJob("pause-report");
		ConsolePage.await("the pause").until(() -> page.text(state).contains("PAUSED by console"));
		assertThat(page.count(job + " button[data-action='pause-report']:enabled")).isZero();
		assertThat(nodes.node(2).getBean(LockJobs.class).get("report-job-run").pausedBy()).isEqualTo("console");
		pressOfJob("run-report");
		ConsolePage.await("the run by hand").until(() -> page.hiddenText(job + " tbody").contains("by hand"));
		pressOfJob("resume-report");
		ConsolePage.await("the end of the pause").until(() -> !page.text(state).contains("PAUSED"));
	}

	@Test
	void aTickWhoseNodeDiesIsRunAgainByAnotherNode() {
		Matcher told = Pattern
			.compile("(node-\\d+) lost its session in the middle of the export; (node-\\d+) began it again .* as "
					+ "attempt 2, and completed it")
			.matcher(page.outcomeOf("nodeDies"));
		assertThat(told.find()).isTrue();
		assertThat(attempts("export-job-run", null)).containsExactly(told.group(2) + " DONE", told.group(1) + " LOST");
		ConsolePage.await("both attempts")
			.until(() -> page.hiddenText("#jobs [data-job='export'] tbody").contains("lost"));
	}

	@Test
	void aShardWhoseNodeDiesIsRunAgainByAnotherNode() {
		page.script(SHARD_RECORDER);
		Matcher told = Pattern
			.compile("(node-\\d+) lost its session in the middle of shard (\\d); (node-\\d+) began it again .* as "
					+ "attempt 2, and completed it")
			.matcher(page.outcomeOf("shardDies", () -> page.pressOfJob("shardDies")));
		assertThat(told.find()).isTrue();
		String shard = told.group(2);
		assertThat(attempts("reindex", Integer.valueOf(shard))).containsExactly(told.group(3) + " DONE",
				told.group(1) + " LOST");
		ConsolePage.await("both attempts in one tick").until(() -> (Boolean) page.script("""
				return window.seenShards.some((seen) => seen.includes(arguments[0]) && seen.includes(arguments[1]))
				""", shard + " 1 " + told.group(1) + " LOST", shard + " 2 " + told.group(3) + " DONE"));
		assertThat(page.count("#locks [data-lock^='reindex'], #locks [data-lock^='leader:']"))
			.as("locks that the job and the role show already")
			.isZero();
	}

	@Test
	void aRoleMovesWhenItsLeaderYields() {
		String role = "#roles [data-role='indexer']";
		ConsolePage.await("a leader").until(() -> leaders().equals(List.of(page.attribute(role, "leader"))));
		String before = page.attribute(role, "leader");
		long batches = batches();
		Matcher told = Pattern.compile("(node-\\d+) leads with token (\\d+), .* after (node-\\d+), which led with")
			.matcher(page.outcomeOf("yield-indexer", () -> page.pressOfRole("yield-indexer")));
		assertThat(told.find()).isTrue();
		assertThat(told.group(3)).isEqualTo(before).isNotEqualTo(told.group(1));
		assertThat(leaders()).containsExactly(told.group(1));
		ConsolePage.await("the next leader").until(() -> page.attribute(role, "leader").equals(told.group(1)));
		assertThat(page.text(role)).contains("has led for ", "token " + told.group(2));
		ConsolePage.await("its batches").until(() -> batches() > batches);
	}

	@Test
	void aLateCommitIsRolledBackIfItIsFenced() {
		assertThat(page.outcomeOf("lateCommit")).containsSubsequence("committed late", "2 entries", "With it",
				"was rolled back", "1 entry");
	}

	@Test
	void aTransferWhoseLockIsLostDoesNotCommit() {
		List<String> before = balances();
		page.outcomeOf("lostTransfer");
		assertThat(balances()).isEqualTo(before);
	}

	@Test
	void thePageOfAStoppedNodeSaysSoAndGoesOnWhenTheNodeIsBack() {
		ClusterNode node = nodes.cluster().all().get(0);
		node.stop();
		ConsolePage.await("the end of the events").until(() -> !page.isConnected());
		assertThat(page.text("#broken")).contains(page.name(0), "does not answer", page.name(1));
		assertThat(page.count("button:enabled")).isZero();
		node.start();
		ConsolePage.await("the events again").until(page::isConnected);
		page.awaitState(page.name(0), "HELD");
		assertThat(page.text("#broken")).isBlank();
		// Asking the stopped node again and again failed, as it has to.
		assertThat(browser.severeMessages()).allSatisfy((message) -> assertThat(message).contains("/console/"));
	}

	@Test
	void theLastNodeThatRunsCannotBeStopped() {
		page.outcomeOf("stop", page.name(1));
		page.outcomeOf("stop", page.name(2));
		ConsolePage.await("the words").until(() -> page.cardText(page.name(0)).contains("cannot be stopped"));
		assertThat(page.count("#nodes button[data-action='stop']:enabled")).isZero();
	}

	@Test
	void threeNodesStandSideBySideAndTheirTablesFit() {
		assertThat((Boolean) page.script("""
				return new Set(Array.from(document.querySelectorAll('#nodes article'),
					(card) => card.getBoundingClientRect().top)).size === 1
				""")).isTrue();
		try {
			browser.resize(1440, 900);
			ConsolePage.await("a lock").until(() -> page.count("#lock-list table tbody tr") > 0);
			page.script("document.querySelectorAll('details').forEach((details) => details.open = true)");
			assertThat((Boolean) page.script("""
					return Array.from(document.querySelectorAll('#lock-list .scroll'))
						.every((table) => table.scrollWidth <= table.clientWidth)
					""")).isTrue();
		}
		finally {
			browser.resize(1280, 900);
		}
	}

	@Test
	void nothingSticksOutOfANarrowScreen() {
		try {
			browser.resize(360, 800);
			page.outcomeOf("orders");
			ConsolePage.await("a dot").until(() -> !page.ticks("report").isEmpty());
			assertThat((Long) page.script("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(360);
		}
		finally {
			browser.resize(1280, 900);
		}
	}

	private static void pressOfJob(String action) {
		page.outcomeOf(action, () -> page.pressOfJob(action));
	}

	private static List<String> attempts(String job, Integer shard) {
		List<LockJob.Run> runs = nodes.node(0).getBean(LockJobs.class).get(job).runs();
		Instant tick = runs.stream()
			.filter((run) -> run.attempt() == 2 && Objects.equals(run.shard(), shard))
			.findFirst()
			.orElseThrow()
			.time();
		return runs.stream()
			.filter((run) -> Objects.equals(run.time(), tick) && Objects.equals(run.shard(), shard))
			.map((run) -> run.node() + " " + run.outcome())
			.toList();
	}

	private static List<String> leaders() {
		return IntStream.range(0, 3)
			.filter((node) -> nodes.node(node).getBean(LeaderRoles.class).isLeader("indexer"))
			.mapToObj(page::name)
			.toList();
	}

	private static long batches() {
		return nodes.jdbc().sql("select number from batch where role = 'indexer'").query(Long.class).single();
	}

	private static List<String> balances() {
		return nodes.jdbc().sql("select name || ' ' || balance from account order by name").query(String.class).list();
	}

	private static int shipments() {
		return nodes.jdbc().sql("select count(*) from shipment").query(Integer.class).single();
	}

	private static Stream<String> ticks() {
		return page.ticks("report").stream();
	}

	private static List<String> ticksSince(long time) {
		return ticks().filter((tick) -> time(tick) > time).toList();
	}

	private static long time(String tick) {
		return Long.parseLong(tick.replaceAll(" .*", ""));
	}

	private static String session(int index) {
		ZooKeeperLockStatus.Session session = nodes.node(index).getBean(ZooKeeperLockProvider.class).status().session();
		return (session != null) ? session.mark() : "no session";
	}

}
