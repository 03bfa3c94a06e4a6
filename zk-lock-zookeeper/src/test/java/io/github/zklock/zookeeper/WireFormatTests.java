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

package io.github.zklock.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.zookeeper.CreateMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is in ZooKeeper is read by other versions of the library while an application is
 * upgraded node by node: the nodes of the files are understood, and those that are
 * written today are like them. Whoever has to change a file reads
 * {@code docs/internals/wire-format.md} first.
 */
@Tag("server")
class WireFormatTests {

	private static final Path PAGE = Path.of("..", "docs", "internals", "wire-format.md");

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration LONG = Duration.ofSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String chroot = "/" + UUID.randomUUID();

	private LockClient<ZooKeeperLockProvider> client;

	@BeforeEach
	void createTree() throws Exception {
		try (LockClient<ZooKeeperLockProvider> other = start("", WireScenario.EXCLUSIVE)) {
			other.curator().create().forPath(this.chroot);
		}
		this.client = start(this.chroot, WireScenario.EXCLUSIVE);
	}

	@AfterEach
	void close() {
		this.client.close();
	}

	@ParameterizedTest
	@EnumSource(WireScenario.class)
	void whatIsWrittenTodayLooksLikeTheFile(WireScenario scenario) throws Exception {
		try (LockClient<ZooKeeperLockProvider> writer = start(this.chroot, scenario)) {
			if (scenario.before() != null) {
				writer.locks().acquire(scenario.before().withWait(LONG)).release();
				JobStore.Job job = new JobStore.Job("Jobs.report", false, "orders:42");
				writer.locks().jobs().pause(job, null, LONG);
				writer.locks().jobs().resume(job, LONG);
			}
			LockHandle handle = writer.locks().acquire(scenario.writes().withWait(LONG));
			boolean heartbeat = scenario == WireScenario.HEARTBEAT;
			if (heartbeat) {
				Awaitility.await().until(() -> nodes(true).size() == 2);
			}
			assertThat(shapes(nodes(heartbeat))).isEqualTo(shapes(fixture(scenario)));
			handle.release();
		}
	}

	@Test
	void sessionThatEndsLikeASequenceIsASession() {
		WireNode node = new WireNode("/locks/~sessions/100001234567890", CreateMode.EPHEMERAL, "");
		assertThat(node.shape().path()).isEqualTo("/locks/~sessions/<session>");
	}

	@ParameterizedTest
	@EnumSource(WireScenario.class)
	void nodesOfTheFileAreUnderstoodToday(WireScenario scenario) throws Exception {
		create(leftBehind(fixture(scenario)));
		LockRequest refused = scenario.refused();
		if (refused != null && scenario != WireScenario.HEARTBEAT) {
			LockNotAcquiredException refusal = Refusal.of(() -> acquire(refused.withWait(Duration.ZERO)));
			assertThat(refusal.getHolder()).satisfies((holder) -> assertOwner(holder, scenario));
			assertThat(refusal.getTick()).isEqualTo((refused.tick() != null) ? runOf(scenario, refusal) : null);
		}
		LockRequest granted = (scenario != WireScenario.HEARTBEAT) ? scenario.granted() : scenario.refused();
		if (granted != null) {
			acquire(granted.withWait(LONG)).release();
		}
	}

	@Test
	void whatALaterVersionAddsIsPassedOver() throws Exception {
		create(WireNode.parse(WireNode.text("later/unknown-parts.txt")));
		LockRequest request = WireScenario.EXCLUSIVE.writes();
		assertThat(Refusal.of(() -> acquire(request.withWait(Duration.ZERO))).getHolder())
			.satisfies((holder) -> assertOwner(holder, WireScenario.EXCLUSIVE));
		this.client.curator().delete().forPath("/locks/orders:42/z8c31f00a2b-1-lock-0000000000");
		acquire(request.withWait(LONG)).release();
	}

	@Test
	void pageShowsEachFile() throws IOException {
		String page = Files.readString(PAGE);
		for (WireScenario scenario : WireScenario.values()) {
			assertThat(page)
				.contains("`" + scenario.file() + "`\n\n```text\n" + WireNode.text("v1/" + scenario.file()));
		}
	}

	private void assertOwner(LockHolder holder, WireScenario scenario) {
		boolean minimal = scenario.detail() == OwnerDetail.MINIMAL;
		assertThat(holder.application()).isEqualTo("shop");
		assertThat(holder.instance()).isEqualTo(minimal ? null : "shop-7");
		assertThat(holder.host()).isEqualTo(minimal ? null : "host-3");
		assertThat(holder.pid()).isEqualTo(minimal ? 0 : 4711);
		assertThat(holder.thread()).isEqualTo(minimal ? null : "scheduling-1");
		assertThat(holder.name()).isEqualTo(minimal ? null : "orders-ship");
		assertThat(holder.traceId()).isEqualTo(scenario.traceId());
	}

	private static Object runOf(WireScenario scenario, LockNotAcquiredException refusal) {
		assertThat(refusal.getTick().time()).isEqualTo(scenario.refused().tick().time());
		return refusal.getTick();
	}

	private LockHandle acquire(LockRequest request) {
		return this.client.locks().acquire(request);
	}

	private void create(List<WireNode> nodes) throws Exception {
		for (WireNode node : nodes) {
			node.create(this.client.curator());
		}
	}

	// A stamp or a record says what it says when its process has ended, too.
	private static List<WireNode> leftBehind(List<WireNode> nodes) {
		boolean something = nodes.stream().filter((node) -> node.mode() == CreateMode.PERSISTENT).count() > 1;
		return something ? nodes.stream().filter((node) -> !node.isContender()).toList() : nodes;
	}

	private List<WireNode> nodes(boolean heartbeat) throws Exception {
		return WireNode.read(this.client.curator(), "/locks", (path) -> server.owner(this.chroot + path))
			.stream()
			.filter((node) -> !node.path().equals("/locks"))
			.filter((node) -> heartbeat == node.path().startsWith("/locks/~sessions"))
			.toList();
	}

	private static List<WireNode> fixture(WireScenario scenario) throws IOException {
		return WireNode.parse(WireNode.text("v1/" + scenario.file()));
	}

	private static String shapes(List<WireNode> nodes) {
		return Stream.of(nodes)
			.flatMap(List::stream)
			.filter((node) -> !node.path().equals("/locks"))
			.map(WireNode::shape)
			.map(WireNode::toString)
			.sorted()
			.collect(Collectors.joining());
	}

	private static LockClient<ZooKeeperLockProvider> start(String chroot, WireScenario scenario) {
		return LockClient.connect(server.connectString() + chroot, SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.application("shop")
					.instance("shop-7")
					.ownerDetail(scenario.detail())
					.traceId(scenario::traceId)
					.limits(LockLimits.DEFAULT.withKeyLength(LockRequest.MAX_KEY_LENGTH))
					.build());
	}

}
