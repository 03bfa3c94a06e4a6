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

import java.util.List;
import java.util.Map;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class PropertiesLockSettingsTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class));

	@Test
	void withoutOverridesFollowsTheAnnotationAndTheDefault() {
		this.contextRunner.withPropertyValues("zk-lock.default-wait=7s").run((context) -> {
			LockSettings settings = context.getBean(LockSettings.class);
			assertThat(settings.defaultWait()).hasSeconds(7);
			assertThat(settings.wait("report-job-run")).isNull();
			assertThat(settings.isUnguarded("report-job-run")).isFalse();
			assertThat(settings.cache("report-job-run")).isNull();
		});
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "zk-lock.locks.report-job-run", "zk-lock.locks.reportJobRun", "zk-lock.locks[report-job-run]" })
	void findsAnOverrideHoweverItsNameIsWritten(String prefix) {
		this.contextRunner.withPropertyValues(prefix + ".wait=3s", prefix + ".unguarded=true", prefix + ".cache=true")
			.run((context) -> {
				LockSettings settings = context.getBean(LockSettings.class);
				assertThat(settings.wait("report-job-run")).hasSeconds(3);
				assertThat(settings.isUnguarded("report-job-run")).isTrue();
				assertThat(settings.cache("report-job-run")).isTrue();
				assertThat(settings.wait("report-job-run-all")).isNull();
				assertThat(settings.wait("report-job")).isNull();
				assertThat(settings.isUnguarded("report-job")).isFalse();
			});
	}

	@Test
	void findsAnOverrideInAnEnvironmentVariable() {
		this.contextRunner
			.withInitializer((context) -> addEnvironmentVariable(context.getEnvironment(),
					Map.of("ZKLOCK_LOCKS_REPORTJOBRUN_WAIT", "3s")))
			.run((context) -> assertThat(context.getBean(LockSettings.class).wait("report-job-run")).hasSeconds(3));
	}

	@Test
	void waitCanHaveNoBound() {
		this.contextRunner.withPropertyValues("zk-lock.locks.report-job-run.wait=Forever")
			.run((context) -> assertThat(context.getBean(LockSettings.class).wait("report-job-run"))
				.isEqualTo(LockRequest.FOREVER));
	}

	@ParameterizedTest
	@ValueSource(strings = { "nightly_report", "nightly report", "Nightly/Report", "nightlyReport" })
	void findsAnOverrideByTheLettersAndDigitsOfAName(String name) {
		for (String variable : List.of("ZKLOCK_LOCKS_NIGHTLYREPORT_UNGUARDED",
				"ZK_LOCK_LOCKS_NIGHTLYREPORT_UNGUARDED")) {
			this.contextRunner
				.withInitializer(
						(context) -> addEnvironmentVariable(context.getEnvironment(), Map.of(variable, "true")))
				.run((context) -> {
					LockSettings settings = context.getBean(LockSettings.class);
					assertThat(settings.isUnguarded(name)).as(variable).isTrue();
					assertThat(settings.unmatched(List.of(name))).as(variable).isEmpty();
				});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "nightly_report", "[nightly_report]", "[nightly report]", "[nightly.report]" })
	void findsAnOverrideWithPunctuationInItsName(String key) {
		String property = key.startsWith("[") ? "zk-lock.locks" + key : "zk-lock.locks." + key;
		this.contextRunner.withPropertyValues(property + ".unguarded=true").run((context) -> {
			LockSettings settings = context.getBean(LockSettings.class);
			assertThat(settings.isUnguarded("nightly_report")).isTrue();
			assertThat(settings.unmatched(List.of("nightly_report"))).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "ZKLOCK_LOCKS_ORDERS_ONCEPERTICK", "ZK_LOCK_LOCKS_ORDERS_ONCE_PER_TICK" })
	void environmentVariableAndPropertyOfOneLockAreTakenTogether(String variable) {
		this.contextRunner.withPropertyValues("zk-lock.locks[orders].wait=3s", "zk-lock.locks.orders.cache=true")
			.withInitializer((context) -> addEnvironmentVariable(context.getEnvironment(), Map.of(variable, "true")))
			.run((context) -> {
				LockSettings settings = context.getBean(LockSettings.class);
				assertThat(settings.oncePerTick("orders")).isTrue();
				assertThat(settings.wait("orders")).hasSeconds(3);
				assertThat(settings.cache("orders")).isTrue();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "ONCEPERTICK", "ONCE_PER_TICK" })
	void environmentVariableThatIsBoundHasAnEffect(String setting) {
		this.contextRunner
			.withInitializer((context) -> addEnvironmentVariable(context.getEnvironment(),
					Map.of("ZKLOCK_LOCKS_ORDERS_" + setting, "true")))
			.run((context) -> {
				LockSettings settings = context.getBean(LockSettings.class);
				assertThat(settings.oncePerTick("orders")).isTrue();
				assertThat(settings.unmatched(List.of("orders"))).isEmpty();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "zk-lock.locks.report-job-run.wait=3s", "zk-lock.locks.reportJobRun.cache=true",
			"zk-lock.locks.orders.wait=3s", "zk-lock.locks[orders].unguarded=true", "zk-lock.locks.Orders.wait=3s",
			"zk-lock.default-wait=3s" })
	void overrideOfAKnownNameIsMatched(String property) {
		this.contextRunner.withPropertyValues(property)
			.run((context) -> assertThat(
					context.getBean(LockSettings.class).unmatched(List.of("report-job-run", "orders")))
				.isEmpty());
	}

	@ParameterizedTest
	@ValueSource(strings = { "zk-lock.locks.orders.enabled", "zk-lock.locks[nightly.report].enabled" })
	void settingThatLooksLikeASwitchOfTheJobStopsTheStart(String property) {
		this.contextRunner.withPropertyValues(property + "=false").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("'false'", property)
				.contains(".unguarded' to true to run its methods without the lock");
		});
	}

	@Test
	void environmentVariableThatLooksLikeASwitchOfTheJobStopsTheStart() {
		this.contextRunner
			.withInitializer((context) -> addEnvironmentVariable(context.getEnvironment(),
					Map.of("ZKLOCK_LOCKS_ORDERS_ENABLED", "false")))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("zk-lock.locks.orders.unguarded"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "zk-lock.locks.report-job-runs.wait", "zk-lock.locks.nope.unguarded",
			"zk-lock.locks.report-job-run.ungarded", "zk-lock.locks.report-job.run.wait" })
	void overrideOfAnUnknownNameIsNotMatched(String property) {
		this.contextRunner.withPropertyValues(property + "=0")
			.run((context) -> assertThat(
					context.getBean(LockSettings.class).unmatched(List.of("report-job-run", "orders")))
				.singleElement()
				.asString()
				.startsWith(property + " ("));
	}

	@Test
	void overrideInAnEnvironmentVariableIsMatchedToo() {
		this.contextRunner
			.withInitializer((context) -> addEnvironmentVariable(context.getEnvironment(),
					Map.of("ZKLOCK_LOCKS_REPORTJOBRUN_WAIT", "3s", "ZKLOCK_LOCKS_NOPE_WAIT", "4s",
							"ZK_LOCK_LOCKS_REPORTJOBRUN_UNGARDED", "true")))
			.run((context) -> assertThat(context.getBean(LockSettings.class).unmatched(List.of("report-job-run")))
				.satisfiesExactlyInAnyOrder((property) -> assertThat(property).contains("ZKLOCK_LOCKS_NOPE_WAIT"),
						(property) -> assertThat(property).contains("ZK_LOCK_LOCKS_REPORTJOBRUN_UNGARDED")));
	}

	@Test
	void nameThatIsNoPropertyNameHasNoOverride() {
		this.contextRunner
			.run((context) -> assertThat(context.getBean(LockSettings.class).wait("Größe: 1/2 ..x")).isNull());
	}

	private static void addEnvironmentVariable(ConfigurableEnvironment environment, Map<String, Object> variables) {
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
	}

}
