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
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * What to run: set by system properties.
 *
 * @param variant what is tortured, {@code torture.variant}
 * @param seed decides on the schedule, {@code seed}
 * @param duration how long blows are dealt, but for one whole round at least,
 * {@code minutes}
 * @param nemeses what is done, {@code torture.nemeses}
 * @param directory where the report is written, {@code torture.reports}
 */
record TortureSettings(Variant variant, long seed, Duration duration, Set<Nemesis> nemeses, Path directory) {

	static TortureSettings fromSystemProperties() {
		Variant variant = Variant.valueOf(System.getProperty("torture.variant", Variant.PRODUCT.name()));
		String names = System.getProperty("torture.nemeses", "");
		Set<Nemesis> nemeses = EnumSet.noneOf(Nemesis.class);
		if (names.isEmpty()) {
			nemeses.addAll(EnumSet.allOf(Nemesis.class));
		}
		else {
			Arrays.stream(names.split(",")).map(Nemesis::valueOf).forEach(nemeses::add);
		}
		return new TortureSettings(variant, Long.getLong("seed", 1),
				Duration.ofSeconds((long) (60 * Double.parseDouble(System.getProperty("minutes", "0")))), nemeses,
				Path.of(System.getProperty("torture.reports", "target/torture")));
	}

	boolean isWhole() {
		return this.nemeses.size() == Nemesis.values().length;
	}

	/**
	 * Return the command that repeats the run.
	 */
	String command() {
		StringBuilder command = new StringBuilder("mvn -Ptorture verify");
		if (!this.duration.isZero()) {
			command.append(" -Dminutes=").append(this.duration.toSeconds() / 60.0);
		}
		command.append(" -Dseed=").append(this.seed);
		if (this.variant != Variant.PRODUCT) {
			command.append(" -Dtorture.variant=").append(this.variant.name());
		}
		if (!isWhole()) {
			command.append(" -Dtorture.nemeses=")
				.append(String.join(",", this.nemeses.stream().map(Nemesis::name).toList()));
		}
		return command.toString();
	}

	/**
	 * Return what the files of the report are called.
	 */
	String fileName() {
		String minutes = this.duration.isZero() ? "short" : this.duration.toMinutes() + "min";
		return this.variant.name().toLowerCase().replace('_', '-') + "-" + minutes + "-seed-" + this.seed;
	}

}
