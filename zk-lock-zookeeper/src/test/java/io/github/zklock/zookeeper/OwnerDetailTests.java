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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.OwnerData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the nodes tell about their owner is as much as was chosen.
 */
@Tag("server")
class OwnerDetailTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

	private String traceId;

	private RuntimeException failure;

	private final String key = UUID.randomUUID().toString();

	@Test
	void fullDataNamesThreadAndLock() throws Exception {
		assertThat(dataOf(OwnerDetail.FULL)).extracting((line) -> line.substring(0, line.indexOf('=')))
			.containsExactly("application", "instance", "host", "pid", "thread", "name");
	}

	@Test
	void fullDataNamesTheTraceAndSoDoesTheRefusal() throws Exception {
		this.traceId = TRACE;
		assertThat(dataOf(OwnerDetail.FULL)).contains("trace=" + TRACE);
		assertThat(dataOf(OwnerDetail.MINIMAL)).containsExactly("application=app");
		try (LockClient<ZooKeeperLockProvider> holder = start(OwnerDetail.FULL);
				LockClient<ZooKeeperLockProvider> other = start(OwnerDetail.FULL)) {
			LockHandle handle = holder.locks().acquire(request());
			other.sessionId();
			LockNotAcquiredException refusal = Refusal
				.of(() -> other.locks().acquire(request().withWait(Duration.ofSeconds(1))));
			assertThat(refusal.getHolder().traceId()).isEqualTo(TRACE);
			assertThat(refusal).hasMessageContaining("trace " + TRACE);
			handle.release();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "4bf92f3577b34da6", "00000000000000000000000000000000",
			"4BF92F3577B34DA6A3CE929D0E0E4736", "4bf92f3577b34da6a3ce929d0e0e473\nhost=me" })
	void whatIsNoTraceOfW3cIsLeftOut(String traceId) throws Exception {
		this.traceId = traceId;
		assertThat(dataOf(OwnerDetail.FULL)).noneMatch((line) -> line.startsWith("trace"));
		assertThat(
				OwnerData.read(("application=app\ntrace=" + traceId).getBytes(StandardCharsets.UTF_8), null).traceId())
			.isNull();
	}

	@Test
	void dataOfAnotherClientIsCutAndCleanedWhenItIsRead() {
		String app = "a".repeat(3000) + "\r\u202e\u2028";
		LockHolder holder = OwnerData.read(("thread=x\tINFO\u0000\u2028\u202ey\napplication=" + app + "\nhost="
				+ "h".repeat(1_000_000) + "\nname=unread")
			.getBytes(StandardCharsets.UTF_8), null);
		assertThat(holder.thread()).isEqualTo("x INFO   y");
		assertThat(holder.application()).isEqualTo("a".repeat(200));
		assertThat(holder.host()).isEqualTo("h".repeat(200));
		assertThat(holder.name()).isNull();
	}

	@Test
	void lockDoesNotFailSinceTheTraceCannotBeHad() throws Exception {
		this.failure = new IllegalStateException("the tracer is closed");
		assertThat(dataOf(OwnerDetail.FULL)).contains("application=app").noneMatch((line) -> line.startsWith("trace"));
	}

	@Test
	void minimalDataIsTheApplication() throws Exception {
		assertThat(dataOf(OwnerDetail.MINIMAL)).containsExactly("application=app");
	}

	@Test
	void nodeThatOutlivesItsLockTellsNoMore() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = start(OwnerDetail.MINIMAL)) {
			client.locks().acquire(request().withLockAtLeastFor(LONG)).release();
			assertThat(data(client)).isNotEmpty().containsOnly("application=app");
		}
	}

	@Test
	void refusalNamesAHolderThatTellsLittle() throws Exception {
		try (LockClient<ZooKeeperLockProvider> holder = start(OwnerDetail.MINIMAL);
				LockClient<ZooKeeperLockProvider> other = start(OwnerDetail.FULL)) {
			LockHandle handle = holder.locks().acquire(request());
			other.sessionId();
			LockRequest inVain = request().withWait(Duration.ofSeconds(1));
			assertThat(Refusal.of(() -> other.locks().acquire(inVain)))
				.hasMessageContaining("held by app, in the queue for ");
			handle.release();
		}
	}

	private List<String> dataOf(OwnerDetail detail) throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = start(detail)) {
			LockHandle handle = client.locks().acquire(request());
			List<String> data = data(client);
			handle.release();
			return data;
		}
	}

	private List<String> data(LockClient<ZooKeeperLockProvider> client) throws Exception {
		String directory = client.locks().pathOf(this.key);
		StringBuilder data = new StringBuilder();
		for (String node : client.curator().getChildren().forPath(directory)) {
			data.append(new String(client.curator().getData().forPath(directory + "/" + node), StandardCharsets.UTF_8));
		}
		return data.toString().lines().toList();
	}

	private LockRequest request() {
		return LockRequest.of(this.key).withWait(LONG);
	}

	private LockClient<ZooKeeperLockProvider> start(OwnerDetail detail) {
		return LockClient.start(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.application("app")
					.instance("app-7")
					.ownerDetail(detail)
					.traceId(this::traceId)
					.build());
	}

	private String traceId() {
		if (this.failure != null) {
			throw this.failure;
		}
		return this.traceId;
	}

}
