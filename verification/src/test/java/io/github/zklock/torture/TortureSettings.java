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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What to run: set by system properties.
 *
 * @param variant what is tortured, {@code torture.variant}; {@code ALL} for one after the
 * other
 * @param seed decides on the schedule, {@code seed}, and of how many seeds from there,
 * {@code seeds}
 * @param duration how long blows are dealt, but for one whole round at least,
 * {@code minutes}
 * @param nemeses what is done, {@code torture.nemeses}
 * @param directory where the report is written, {@code torture.reports}
 */
record TortureSettings(Variant variant, long seed, Duration duration, Set<Nemesis> nemeses, Path directory) {

	static List<TortureSettings> fromSystemProperties() {
		String name = System.getProperty("torture.variant", Variant.PRODUCT.name());
		List<Variant> variants = name.equals("ALL") ? List.of(Variant.values()) : List.of(Variant.valueOf(name));
		long seed = Long.getLong("seed", 1);
		Duration duration = Duration.ofSeconds((long) (60 * Double.parseDouble(System.getProperty("minutes", "0"))));
		Path directory = Path.of(System.getProperty("torture.reports", "target/torture"));
		List<TortureSettings> settings = new ArrayList<>();
		for (Variant variant : variants) {
			for (int i = 0; i < Integer.getInteger("seeds", 1); i++) {
				settings.add(new TortureSettings(variant, seed + i, duration, nemesesFromSystemProperty(), directory));
			}
		}
		return settings;
	}

	private static Set<Nemesis> nemesesFromSystemProperty() {
		String names = System.getProperty("torture.nemeses", "");
		Set<Nemesis> nemeses = EnumSet.noneOf(Nemesis.class);
		if (names.isEmpty()) {
			nemeses.addAll(EnumSet.allOf(Nemesis.class));
		}
		else {
			Arrays.stream(names.split(",")).map(Nemesis::valueOf).forEach(nemeses::add);
		}
		return nemeses;
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
			command.append(" -Dminutes=").append(String.format(Locale.ROOT, "%.3g", this.duration.toSeconds() / 60.0));
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
		return this.variant.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + minutes + "-seed-" + this.seed
				+ (isWhole() ? "" : "-part");
	}

	@Override
	public String toString() {
		return this.variant + ", seed " + this.seed;
	}

}
