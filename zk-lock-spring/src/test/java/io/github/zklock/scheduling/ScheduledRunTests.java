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

package io.github.zklock.scheduling;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which call takes the run of a thread.
 */
class ScheduledRunTests {

	@ParameterizedTest
	@CsvSource({ "com.example.Config$$Lambda/0x00007f0001@1b2c, report, true", "nightly, report, true",
			"%s.report, report, true", "%s.other, report, false", "com.example.Other.report, report, false",
			"%s$$SpringCGLIB$$0.report, report, true", "%$sBase.report, report, true",
			"%$sContract.report, report, true" })
	void runIsTakenByTheMethodOfItsTask(String task, String method, boolean taken) {
		String text = task.replace("%$s", getClass().getName() + "$").replace("%s", Job.class.getName());
		ScheduledRun.every(text, Duration.ofSeconds(1)).call(() -> assertThat(take(method) != null).isEqualTo(taken));
	}

	@Test
	void runIsLeftAloneByAMethodWithParametersOfTheSameName() throws Exception {
		Method overload = Job.class.getDeclaredMethod("report", String.class);
		ScheduledRun.every(Job.class.getName() + ".report", Duration.ofSeconds(1)).call(() -> {
			assertThat(ScheduledRun.take(overload, Job.class, null)).isNull();
			assertThat(take("report")).isNotNull();
		});
	}

	@Test
	void runIsTakenOnce() {
		ScheduledRun.every("task", Duration.ofSeconds(1)).call(() -> {
			assertThat(take("report")).isNotNull();
			assertThat(take("report")).isNull();
		});
	}

	@Test
	void runByHandFailsOnlyIfTheTaskDoesNotBeginAfterAll() {
		CompletableFuture<@Nullable Void> begun = new CompletableFuture<>();
		ScheduledRun again = byHand(begun);
		again.call(() -> {
			again.cannotBegin(new IllegalStateException("the first attempt"));
			again.begins();
		});
		assertThat(begun).isCompleted();
		CompletableFuture<@Nullable Void> failed = new CompletableFuture<>();
		ScheduledRun once = byHand(failed);
		once.call(() -> once.cannotBegin(new IllegalStateException("the only attempt")));
		assertThat(failed).isCompletedExceptionally();
	}

	private static ScheduledRun byHand(CompletableFuture<@Nullable Void> begun) {
		return ScheduledRun.byHand("task", Instant.EPOCH, null, begun);
	}

	@Test
	void threadForgetsARunThatNobodyHasTaken() {
		ScheduledRun.every("outer", Duration.ofSeconds(1)).call(() -> {
			ScheduledRun.every("inner", Duration.ofSeconds(2)).call(() -> {
			});
			assertThat(take("report").toTick("job", Duration.ZERO).period()).isEqualTo(Duration.ofSeconds(1));
		});
		ScheduledRun.every("task", Duration.ofSeconds(1)).call(() -> {
		});
		assertThat(take("report")).isNull();
	}

	@Test
	void periodThatIsTooShortOrTooLongForATickIsSeenTo() {
		ScheduledRun.every("task", Duration.ofMillis(900)).call(() -> assertThat(take("report")).satisfies((run) -> {
			assertThat(run.toTick("job", Duration.ofSeconds(1))).isNull();
			assertThat(run.toTick("job", Duration.ZERO).period()).isEqualTo(Duration.ofMillis(900));
		}));
		ScheduledRun.every("task", Duration.ofDays(1000))
			.call(() -> assertThat(take("report").toTick("job", Duration.ZERO).period())
				.isEqualTo(Duration.ofDays(366)));
	}

	private static @Nullable ScheduledRun take(String name) {
		Method method = ReflectionUtils.findMethod(Job.class, name);
		return ScheduledRun.take(method, Job.class, null);
	}

	interface Contract {

		void report();

	}

	static class Base {

	}

	static class Job extends Base implements Contract {

		@Override
		public void report() {
		}

		void report(String tenant) {
		}

	}

}
