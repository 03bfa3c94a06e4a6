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

import java.util.Locale;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.support.Secrets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A property with a value that cannot be used stops the application, and is named.
 */
class BadPropertyValueTests {

	private static final String SECRET = Secrets.password();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withBean(Job.class);

	@ParameterizedTest
	@CsvSource({ "zk-lock.enabled, maybe, must be true or false", "zk-lock.enabled, yes, must be true or false",
			"zk-lock.root, locks, must start with", "zk-lock.namespace, /app, must not start with",
			"zk-lock.default-wait, soon, is not a valid duration", "zk-lock.default-wait, -1s, must not be negative",
			"zk-lock.outage-fail-fast, 0, must be greater than zero",
			"zk-lock.try-timeout, 0, must be greater than zero", "zk-lock.fairness, fair, bounded",
			"zk-lock.await-release, later, later", "zk-lock.owner-data, none, minimal",
			"zk-lock.executors-depend-on-client, yes, must be true or false",
			"zk-lock.connect-string, a:b:c, more than one colon", "zk-lock.session-timeout, 30d, 24 days",
			"zk-lock.connection-timeout, 0, must be greater than zero", "zk-lock.fail-fast, maybe, maybe",
			"zk-lock.startup-timeout, 0, must be greater than zero",
			"zk-lock.fencing.timeout, 10ms, must be at least 1s", "zk-lock.fencing.initialize-schema, maybe, always",
			"zk-lock.auth.digest.username, app, needs zk-lock.auth.digest.password",
			"zk-lock.lease.server-tick, 0, must be greater than zero", "zk-lock.aop.order, first, first",
			"zk-lock.aop.validation, maybe, warn", "zk-lock.locks.job.wait, soon, is not a duration",
			"zk-lock.locks.job.unguarded, maybe, maybe", "zk-lock.locks.job.cache, maybe, maybe",
			"zk-lock.locks.job-run.wait, -1s, negative", "zk-lock.locks, 1s, zk-lock.locks.<name>.wait" })
	void stopsTheApplicationByAnAnalysisThatNamesTheProperty(String name, String value, String reason) {
		this.contextRunner.withPropertyValues(name + "=" + value).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				String text = analysis.getDescription() + " " + analysis.getAction();
				assertThat(uniform(text)).contains(uniform(name));
				assertThat(text).containsIgnoringCase(reason);
				assertThat(analysis.getAction()).isNotBlank();
			});
		});
	}

	// As in YAML, when there is nothing below the key. Later lines of Spring Boot take
	// that for no names.
	@Test
	void emptyTextInPlaceOfNamesIsNoneOrNamed() {
		this.contextRunner.withPropertyValues("zk-lock.locks=").run((context) -> {
			if (context.getStartupFailure() != null) {
				assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription()).contains("zk-lock.locks",
						"zk-lock.locks.<name>.wait");
			}
			else {
				assertThat(context.getBean(ZkLockProperties.class).locks()).isEmpty();
			}
		});
	}

	@ParameterizedTest
	@CsvSource({ "'', must be set", "' ', must be set", "a:b, must not contain ':'" })
	void passwordIsNotShownWhenItsUserIsRefused(String username, String reason) {
		this.contextRunner
			.withPropertyValues("zk-lock.auth.digest.username=" + username, "zk-lock.auth.digest.password=" + SECRET)
			.run((context) -> {
				FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("auth.digest.username", reason);
				assertThat(context.getStartupFailure()).hasStackTraceContaining(reason);
				assertThat(context.getStartupFailure()).satisfies((failure) -> {
					for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
						assertThat(cause.toString() + analysis.getDescription() + analysis.getAction())
							.doesNotContain(SECRET);
					}
				});
			});
	}

	@ParameterizedTest
	@CsvSource({ "app, '', 'needs zk-lock.auth.digest.password, which is blank'",
			"app, ' ', 'needs zk-lock.auth.digest.password, which is blank'", "'', '', must be set" })
	void blankPasswordIsRefused(String username, String password, String reason) {
		this.contextRunner
			.withPropertyValues("zk-lock.auth.digest.username=" + username, "zk-lock.auth.digest.password=" + password)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("auth.digest.username", reason));
	}

	@Test
	void shortSecretOfKeysIsRefusedAndNotShown() {
		this.contextRunner.withPropertyValues("zk-lock.key-digest-secret=" + SECRET.substring(0, 10))
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("zk-lock.key-digest-secret must have at least 16 characters")
				.doesNotContain(SECRET.substring(0, 10)));
	}

	@Test
	void blankUserWithoutAPasswordIsRefused() {
		this.contextRunner.withPropertyValues("zk-lock.auth.digest.username=")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("auth.digest.username", "must not be blank"));
	}

	// The name of a field or of a property.
	private static String uniform(String text) {
		return text.replaceAll("[-\\[\\]. ]", "").toLowerCase(Locale.ROOT);
	}

	static class Job {

		@DistributedLock("job")
		void run() {
		}

	}

}
