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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often a permanent refusal is logged.
 */
@ExtendWith(OutputCaptureExtension.class)
class RefusedAccessTests {

	private final AtomicLong now = new AtomicLong();

	private final RefusedAccess access = new RefusedAccess(this.now::get, "", UnaryOperator.identity());

	@Test
	void refusalIsLoggedOnceAMinuteForEachName(CapturedOutput output) {
		refuse("orders");
		refuse("orders");
		refuse("invoices");
		assertThat(errors(output)).hasSize(2);
		this.now.addAndGet(Duration.ofSeconds(59).toNanos());
		refuse("orders");
		assertThat(errors(output)).hasSize(2);
		this.now.addAndGet(Duration.ofSeconds(1).toNanos());
		refuse("orders");
		refuse("orders");
		assertThat(errors(output)).hasSize(3).last().asString().contains("'orders'");
	}

	@Test
	void nextGrantEndsTheProblem() {
		assertThat(this.access.problem()).isNull();
		refuse("orders");
		assertThat(this.access.problem()).contains("NOAUTH");
		this.access.granted();
		assertThat(this.access.problem()).isNull();
		assertThat(this.access.last()).isNull();
	}

	@Test
	void refusalOfAKeyThatIsNotUsedAgainIsAProblemForAMinute() {
		refuse("orders");
		this.now.addAndGet(Duration.ofSeconds(59).toNanos());
		assertThat(this.access.problem()).contains("NOAUTH");
		this.now.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(this.access.problem()).isNull();
		assertThat(this.access.last()).contains("NOAUTH");
		refuse("orders");
		assertThat(this.access.problem()).contains("NOAUTH");
	}

	@Test
	void keyThatZooKeeperMustNotKnowIsNeitherShownNorLogged(CapturedOutput output) {
		RefusedAccess digests = new RefusedAccess(this.now::get, "", (key) -> "hmac-1");
		LockRequest request = LockRequest.of("key").withName("orders");
		digests.refused(request, refusal(request));
		assertThat(digests.problem()).startsWith("Lock 'hmac-1' (EXCLUSIVE) refused after ").doesNotContain("'key'");
		assertThat(errors(output)).singleElement().asString().contains("'hmac-1'").doesNotContain("'key'");
	}

	private void refuse(String name) {
		LockRequest request = LockRequest.of("key").withName(name);
		this.access.refused(request, refusal(request));
	}

	private static LockAccessException refusal(LockRequest request) {
		return new LockAccessException(request, Duration.ZERO, "ZooKeeper answered NOAUTH", null);
	}

	private static List<String> errors(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("ERROR")).toList();
	}

}
