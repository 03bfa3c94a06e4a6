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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * With a secret ZooKeeper knows digests of keys, and no key.
 */
@Tag("server")
class KeyDigestTests {

	private static final String SECRET = "a-secret-of-this-test";

	private static final String KEY = "account:DE89370400440532013000";

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void noPathAndNoDataHoldTheKey() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = connect(SECRET)) {
			LockRequest request = LockRequest.of(KEY);
			LockHandle handle = client.locks().acquire(request);
			assertThat(client.locks().pathOf(KEY)).matches("/locks/hmac-[0-9a-f]{64}");
			assertNothingHolds(client.curator(), "/");
			assertThat(client.locks().inspector().queue(KEY, Duration.ofSeconds(30)).contenders()).hasSize(1);
			handle.release();
			client.locks().acquire(request.withLockAtLeastFor(Duration.ofMinutes(1))).release();
			assertNothingHolds(client.curator(), "/");
		}
	}

	@Test
	void clientsWithOneSecretExcludeEachOtherAndMessagesNameTheKey() {
		try (LockClient<ZooKeeperLockProvider> one = connect(SECRET);
				LockClient<ZooKeeperLockProvider> other = connect(SECRET);
				LockClient<ZooKeeperLockProvider> stranger = connect("another-secret-of-this-test")) {
			LockRequest request = LockRequest.of("other-" + KEY).withWait(Duration.ZERO);
			LockHandle handle = one.locks().acquire(request);
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> other.locks().acquire(request))
				.withMessageContaining(KEY);
			assertThat(stranger.locks().pathOf(request.key())).isNotEqualTo(one.locks().pathOf(request.key()));
			handle.release();
			other.locks().acquire(request.withWait(Duration.ofSeconds(30))).release();
		}
	}

	@Test
	void shortSecretIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> connect("too-short"))
			.withMessageContaining("16 characters or more")
			.withMessageNotContaining("too-short");
	}

	private static void assertNothingHolds(CuratorFramework curator, String path) throws Exception {
		byte[] data = curator.getData().forPath(path);
		String text = (data != null) ? new String(data, StandardCharsets.UTF_8) : "";
		assertThat(path + " " + text).doesNotContain("DE8937").doesNotContain("account");
		List<String> children = curator.getChildren().forPath(path);
		for (String child : children) {
			assertNothingHolds(curator, ZKPaths.makePath(path, child));
		}
	}

	private static LockClient<ZooKeeperLockProvider> connect(String secret) {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.keyDigestSecret(secret)
					.tryTimeout(Duration.ofSeconds(30))
					.build());
	}

}
