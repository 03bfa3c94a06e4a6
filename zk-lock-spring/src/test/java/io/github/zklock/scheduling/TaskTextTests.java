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
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;

import org.springframework.scheduling.config.CronTask;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

import static org.assertj.core.api.Assertions.assertThat;

class TaskTextTests {

	private static final String JOB = Job.class.getName() + ".call";

	private final Method method;

	TaskTextTests() throws Exception {
		this.method = Job.class.getMethod("call");
	}

	@Test
	void textOfAScheduledMethodIsItsMethodWhateverTheTaskSays() {
		Runnable task = new ScheduledMethodRunnable(new Job(), this.method) {

			@Override
			public String toString() {
				return "another text";
			}

		};
		assertThat(TaskText.of(task)).isEqualTo(JOB);
		assertThat(TaskText.of(new CronTask(task, "* * * * * *").getRunnable())).as("wrapped").isEqualTo(JOB);
		assertThat(TaskText.isOf(TaskText.of(task), this.method, Job.class, null)).isTrue();
	}

	@Test
	void textOfAnotherTaskIsWhatItSays() {
		Runnable task = new Runnable() {

			@Override
			public void run() {
			}

			@Override
			public String toString() {
				return JOB;
			}

		};
		assertThat(TaskText.of(task)).isEqualTo(JOB);
		assertThat(TaskText.of(new CronTask(task, "* * * * * *").getRunnable())).isEqualTo(JOB);
	}

	@Test
	void methodsOfATextAreFoundBehindItsProxy() {
		String proxy = Job.class.getName() + "$$SpringCGLIB$$0.call";
		assertThat(TaskText.withoutProxy(proxy)).isEqualTo(JOB);
		assertThat(TaskText.methods(proxy)).contains(this.method);
		assertThat(TaskText.methods("no.such.Type.call")).isEmpty();
		assertThat(TaskText.methods("a text")).isEmpty();
	}

	@Test
	void taskOfASuperclassIsNotTheTaskOfItsSubclass() throws Exception {
		Method overriding = LaterJob.class.getMethod("call");
		assertThat(TaskText.isOfSuperclass(JOB, overriding)).isTrue();
		assertThat(TaskText.isOfSuperclass(Job.class.getName() + "$$SpringCGLIB$$0.call", overriding)).isTrue();
		assertThat(TaskText.isOfSuperclass(LaterJob.class.getName() + ".call", overriding)).isFalse();
		assertThat(TaskText.isOfSuperclass("a text", overriding)).isFalse();
	}

	static class Job implements Callable<String> {

		@Override
		public String call() {
			return "ran";
		}

	}

	static class LaterJob extends Job {

		@Override
		public String call() {
			return "ran later";
		}

	}

}
