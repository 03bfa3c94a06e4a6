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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.TickBeans.Counting;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A tick of several keys is recorded for the last one. If that is computed, the log says
 * what this means.
 */
@ExtendWith(OutputCaptureExtension.class)
class SeveralKeysOfAJobTests {

	private static final Duration ONE_TICK = Duration.ofSeconds(10);

	private final InMemoryLockProvider shared = new InMemoryLockProvider();

	@Test
	void lastKeyThatDiffersBetweenNodesIsReported(CapturedOutput output) {
		TickNode one = new TickNode(this.shared);
		TickNode other = new TickNode(this.shared);
		one.application(Tenants.class).run((first) -> other.application(Tenants.class).run((second) -> {
			one.advance(ONE_TICK);
			second.getBean(Tenants.class).keys("tenant-1,tenant-2,tenant-3");
			other.advance(ONE_TICK);
			// The documented limit.
			assertThat(first.getBean(Tenants.class).runs() + second.getBean(Tenants.class).runs()).isEqualTo(2);
			assertThat(lines(output)).hasSize(2);
			assertThat(lines(output).get(1)).contains("WARN", Tenants.class.getName() + ".work()", "'tenant-3'");
			one.advance(ONE_TICK);
			assertThat(lines(output)).hasSize(2);
		}));
	}

	@Test
	void lastKeyThatIsFixedIsNotReported(CapturedOutput output) {
		TickNode node = new TickNode(this.shared);
		node.application(FixedLast.class).run((context) -> {
			node.advance(ONE_TICK);
			assertThat(context.getBean(Counting.class).runs()).isOne();
			assertThat(lines(output)).isEmpty();
		});
	}

	private static List<String> lines(CapturedOutput output) {
		return output.getOut().lines().filter((line) -> line.contains("has several keys")).toList();
	}

	static class Tenants extends Counting {

		private String keys = "tenant-1,tenant-2";

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("#{#root.target.toString().split(',')}")
		void work() {
			this.runs.incrementAndGet();
		}

		void keys(String keys) {
			this.keys = keys;
		}

		@Override
		public String toString() {
			return this.keys;
		}

	}

	static class FixedLast extends Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@DistributedLock("a-#{#root.methodName}")
		@DistributedLock("job")
		void work() {
			this.runs.incrementAndGet();
		}

	}

}
