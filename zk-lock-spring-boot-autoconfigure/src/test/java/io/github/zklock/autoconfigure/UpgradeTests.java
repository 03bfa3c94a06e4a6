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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.zklock.autoconfigure.JobCluster.Run;
import io.github.zklock.support.Upgrade;
import io.github.zklock.support.ZooKeeperEnsemble;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ticks of a job whose nodes have two versions of the library, on an ensemble.
 */
@Tag("nightly")
@EnabledIfSystemProperty(named = Upgrade.PROPERTY, matches = ".+", disabledReason = ".ci/nightly upgrade sets it")
class UpgradeTests {

	private static final Duration PATIENCE = Duration.ofMinutes(4);

	private static final Duration PERIOD = Duration.ofSeconds(10);

	@RegisterExtension
	static final ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();

	private final JobCluster cluster = new JobCluster(ensemble.connectString(), true);

	@AfterEach
	void closeAll() {
		this.cluster.close();
	}

	@Test
	void eachTickOfARollingRestartRunsOnce() {
		start(3, Upgrade.before());
		Instant first = await((run) -> run.ended() == null).tick();
		for (int node = 0; node < 3; node++) {
			this.cluster.terminateOldest();
			start(1, Upgrade.after());
		}
		Instant last = first.plus(PERIOD.multipliedBy(Duration.between(first, Instant.now()).dividedBy(PERIOD)));
		List<Instant> ticks = Stream.iterate(first, (tick) -> !tick.isAfter(last), (tick) -> tick.plus(PERIOD))
			.toList();
		await(() -> this.cluster.runs(last).stream().anyMatch(Run::isDone));
		assertThat(ticks).allSatisfy((tick) -> assertThat(this.cluster.runs(tick)).hasSize(1).allMatch(Run::isDone));
		assertThat(this.cluster.overlaps()).isZero();
		hasTwoVersions();
	}

	@Test
	void runThatDiesWithOneVersionIsRecoveredByTheOther() {
		start(1, Upgrade.before());
		Instant tick = await((run) -> run.ended() == null).tick();
		start(1, Upgrade.after());
		Instant died = await((run) -> run.tick().isAfter(tick) && run.ended() == null).tick();
		this.cluster.killRunner(died);
		await(() -> this.cluster.runs(died).stream().anyMatch(Run::isDone));
		assertThat(this.cluster.runs(died)).extracting(Run::attempt).containsExactly(1, 2);
		assertThat(this.cluster.overlaps()).isZero();
		hasTwoVersions();
	}

	private void start(int nodes, String classPath) {
		this.cluster.setClassPath(classPath);
		String cron = "*/" + PERIOD.toSeconds() + " * * * * *";
		for (int i = 0; i < nodes; i++) {
			this.cluster.start(List.of("--app.cron=" + cron));
		}
		this.cluster.awaitReady();
	}

	private void hasTwoVersions() {
		assertThat(this.cluster.output("library ").stream().distinct()).as("where their classes are").hasSize(2);
	}

	private Run await(Predicate<Run> state) {
		return Awaitility.await()
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> this.cluster.runs().stream().filter(state).findFirst(), Optional::isPresent)
			.orElseThrow();
	}

	private static void await(BooleanSupplier condition) {
		Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition::getAsBoolean);
	}

}
