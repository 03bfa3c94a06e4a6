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

package io.github.zklock.torture;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers, servers and networks are stopped, cut and killed in every way that is known to
 * break locks, and a judge outside of all of them looks on. One round takes two minutes;
 * {@code mvn -Ptorture verify -Dminutes=60} goes on for longer, {@code -Dseeds=10} tries
 * several schedules, and {@code -Dtorture.variant=ALL} proves that the judge sees what
 * Curator's recipes do, and what this library would do without each of its safety
 * measures.
 *
 * @see TortureSettings
 */
@Tag("nightly")
@Timeout(value = 1, unit = TimeUnit.DAYS)
class TortureTests {

	private static final Logger logger = LoggerFactory.getLogger(TortureTests.class);

	// How soon, how long, how fair, how much: what depends on the speed of the machine.
	private static final Set<String> TIMES = Set.of("I5", "I6", "I9", "non-vacuity");

	static List<TortureSettings> settings() {
		return TortureSettings.fromSystemProperties();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("settings")
	void everyPromiseHoldsUnderEveryBlow(TortureSettings settings) {
		List<Finding> broken = judge(settings);
		if (!settings.variant().isWhole()) {
			assertThat(broken).as("%s", settings.command()).isNotEmpty();
			return;
		}
		// A machine that others use as well may be too slow once; that is no excuse for
		// the rest.
		if (!broken.isEmpty() && broken.stream().allMatch((finding) -> TIMES.contains(finding.invariant()))) {
			logger.warn("{}: once more, since it was too slow: {}", settings.command(), broken);
			broken = judge(settings);
		}
		assertThat(broken).as("%s", settings.command()).isEmpty();
	}

	private static List<Finding> judge(TortureSettings settings) {
		TortureResult result = new TortureRun(settings).run();
		Judgement judgement = new Judgement(result);
		Path report = new TortureReport(result, judgement).write();
		logger.info("{}: {}", report, TortureReport.row(result, judgement));
		return judgement.broken();
	}

}
