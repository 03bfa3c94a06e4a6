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

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the buttons of the console do, and what they say has happened.
 */
@Tag("server")
class ConsoleActionTests {

	private SampleNodes nodes;

	private ConsoleClient page;

	@BeforeEach
	void start() {
		this.nodes = SampleNodes.start("--sample.nodes=3");
		this.page = new ConsoleClient(address(this.nodes));
	}

	@AfterEach
	void stop() {
		this.page.close();
		this.nodes.close();
	}

	@Test
	void fiftyOrdersAreShippedOnceWhileReadersAndWritersShareAndExclude() {
		String orders = done(this.page.begin("orders"));
		assertThat(orders).contains(" 1 shipped it, on node-", " and 49 found it shipped");
		String order = find(orders, "(C-\\w+)").group(1);
		assertThat(this.nodes.jdbc()
			.sql("select count(*) from shipment where order_id = ?")
			.param(order)
			.query(Integer.class)
			.single()).isEqualTo(1);
		String readers = done(this.page.begin("readers"));
		assertThat(readers).startsWith("Of 24 reads and 6 writes ")
			.contains("a writer beside another caller 0 times", "0 reads saw half a change");
		assertThat(Integer.parseInt(find(readers, "up to (\\d+) readers").group(1))).isGreaterThan(1);
	}

	@Test
	void aTransferThatHasLostItsLockIsNotCommitted() {
		assertThat(done(this.page.begin("lostTransfer"))).contains("lost its lock before its commit",
				"the balance was 1000.00 and is 1000.00");
		assertThat(this.nodes.send(1, "GET", "/accounts").body()).contains("\"name\":\"carol\",\"balance\":1000.00")
			.contains("\"name\":\"bob\",\"balance\":1000.00");
		this.page.await((state) -> state.at("/counters/losses").asInt() == 1);
	}

	@Test
	void aWriterThatWasOvertakenIsRefusedByItsToken() {
		Matcher tokens = find(done(this.page.begin("staleWrite")),
				"with token (\\d+); the late write of node-\\d+ with (\\d+) was refused");
		assertThat(Long.parseLong(tokens.group(1))).isGreaterThan(Long.parseLong(tokens.group(2)));
		assertThat(this.nodes.jdbc().sql("select token from ledger").query(Long.class).single())
			.isEqualTo(Long.parseLong(tokens.group(1)));
		this.page.await((state) -> state.at("/counters/refusedWrites").asInt() == 1
				&& state.at("/counters/losses").asInt() == 1);
	}

	@Test
	void aCommitThatComesTooLateIsRefusedIfItIsFenced() {
		assertThat(done(this.page.begin("lateCommit"))).containsSubsequence("Without @Fenced node-",
				" committed late: place 1 has 2 entries. With it, node-", " was rolled back: place 1 has 1 entry.");
		assertThat(this.nodes.jdbc()
			.sql("select count(*) from journal where page like ? and place = 1")
			.param("fenced-%")
			.query(Integer.class)
			.single()).isEqualTo(1);
		this.page.await((state) -> state.at("/counters/refusedWrites").asInt() == 1
				&& state.at("/counters/losses").asInt() == 2);
	}

	@Test
	void aNodeThatIsPausedIsLostAndItsLateWriteIsRefused() {
		String node = this.nodes.name(1);
		String outcome = done(this.page.begin("pause?node=" + node));
		assertThat(outcome).startsWith("It was LOST after ")
			.contains(" took over after ", "the late write of " + node, " was refused.");
		this.page.await((state) -> node(state, node).get("fault").asText().equals("PAUSED")
				&& node(state, node).get("state").asText().equals("LOST"));
		this.page.await((state) -> node(state, node).get("state").asText().equals("HELD")
				&& node(state, node).get("sessionsSoFar").asInt() == 2);
		assertThat(this.nodes.reports().values()).containsOnly(1);
	}

	@Test
	void aNodeThatIsCutOffIsUncertainUntilItIsMended() {
		String node = this.nodes.name(2);
		int cut = this.page.begin("cut?node=" + node);
		this.page.await((state) -> node(state, node).get("state").asText().equals("UNCERTAIN"));
		String mended = done(this.page.begin("mend?node=" + node));
		// A slow machine may mend it too late for its role, or for its locks.
		assertThat(mended).matches("It was cut off for .+: UNCERTAIN after .+, "
				+ "(never LOST; .+ HELD again, with its session \\w+( and all of its locks|, without .+)"
				+ "|LOST after .+ HELD again, with .+, without .+)\\.");
		assertThat(done(cut)).isEqualTo(mended);
		this.page.await((state) -> state.get("nodes").size() == 3 && isHeldAgain(node));
	}

	@Test
	void aNodeThatIsMendedTooLateDoesNotSayThatItHasAllOfItsLocks() throws Exception {
		String node = this.nodes.name(2);
		try (HeldLock lock = HeldLock.of(this.nodes, 2, "demo")) {
			assertThat(lock.token()).isPositive();
			this.page.begin("cut?node=" + node);
			this.page.await((state) -> node(state, node).get("state").asText().equals("LOST"));
			assertThat(done(this.page.begin("mend?node=" + node)))
				.contains(": UNCERTAIN after ", ", LOST after ", " after the mending it was HELD again, with ",
						", without ")
				.doesNotContain("all of its locks");
		}
	}

	@Test
	void noNodeDiesForAJobThatIsPaused() {
		try (SampleNodes alone = alone(); ConsoleClient single = new ConsoleClient(address(alone))) {
			for (String job : List.of("export", "reindex")) {
				// Refused while too many look at the locks.
				Awaitility.await()
					.until(() -> single.awaitOutcome(single.begin("pause-" + job)).get("phase").asText(),
							"DONE"::equals);
				JsonNode refused = single.awaitOutcome(single.begin(job.equals("export") ? "nodeDies" : "shardDies"));
				assertThat(refused.get("phase").asText()).isEqualTo("FAILED");
				assertThat(refused.get("text").asText()).contains("the " + job + " is paused; resume it first");
			}
		}
	}

	@Test
	void aNodeThatRunsItsShardAgainItselfIsNotCalledAnotherOne() {
		try (SampleNodes alone = alone(); ConsoleClient single = new ConsoleClient(address(alone))) {
			String node = alone.name(0);
			assertThat(single.awaitOutcome(single.begin("shardDies")).get("text").asText())
				.startsWith(node + " lost its session in the middle of shard ")
				.contains("; " + node + " began it again itself, ");
		}
	}

	@Test
	void aNodeWhoseSessionIsExpiredOpensANewOne() {
		String node = this.nodes.name(1);
		assertThat(done(this.page.begin("expire?node=" + node))).startsWith("The server ended its session ")
			.contains("it had the new session ");
		this.page.await((state) -> node(state, node).get("state").asText().equals("LOST"));
		this.page.await((state) -> node(state, node).get("state").asText().equals("HELD")
				&& node(state, node).get("sessionsSoFar").asInt() == 2);
	}

	@Test
	void aNodeIsStoppedAndStartedAgainOnItsPort() {
		String node = this.nodes.name(2);
		assertThat(done(this.page.begin("stop?node=" + node)))
			.startsWith("It has released its locks and stopped within ")
			.contains("ran the next tick of the report");
		this.page.await((state) -> node(state, node).get("state").asText().equals("STOPPED"));
		String token = this.page.info().at("/csrf/token").asText();
		assertThat(this.page.act("stop?node=" + node, token).statusCode()).isEqualTo(409);
		assertThat(this.page.act("cut?node=" + node, token).statusCode()).isEqualTo(409);
		done(this.page.begin("stop?node=" + this.nodes.name(1)));
		assertThat(this.page.act("stop?node=" + this.nodes.name(0), token)).satisfies((refused) -> {
			assertThat(refused.statusCode()).isEqualTo(409);
			assertThat(refused.body()).contains("is the last node of this process that runs");
		});
		assertThat(done(this.page.begin("start?node=" + node))).startsWith("It runs again after ");
		assertThat(this.nodes.name(2)).isEqualTo(node);
		assertThat(this.nodes.send(2, "GET", "/console/info").body()).contains("\"node\":\"" + node + "\"");
	}

	private String done(int run) {
		JsonNode outcome = this.page.awaitOutcome(run);
		assertThat(outcome.get("phase").asText()).as(outcome.get("text").asText()).isEqualTo("DONE");
		return outcome.get("text").asText();
	}

	private static SampleNodes alone() {
		return SampleNodes.start("--sample.nodes=1", "--sample.export-cron=*/10 * * * * *",
				"--sample.reindex-cron=*/10 * * * * *");
	}

	private static String address(SampleNodes nodes) {
		return "http://localhost:" + nodes.name(0).substring("node-".length());
	}

	private boolean isHeldAgain(String node) {
		JsonNode latest = this.page.states().get(this.page.states().size() - 1);
		return node(latest, node).get("state").asText().equals("HELD");
	}

	private static Matcher find(String text, String regex) {
		Matcher matcher = Pattern.compile(regex).matcher(text);
		assertThat(matcher.find()).as(text).isTrue();
		return matcher;
	}

	private static JsonNode node(JsonNode state, String name) {
		for (JsonNode node : state.get("nodes")) {
			if (node.get("name").asText().equals(name)) {
				return node;
			}
		}
		throw new IllegalStateException("No node " + name + " in " + state);
	}

}
