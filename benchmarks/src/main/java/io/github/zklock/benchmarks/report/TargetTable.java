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

package io.github.zklock.benchmarks.report;

import java.util.List;

/**
 * Where a version stands.
 *
 * @since 0.1.0
 */
public final class TargetTable {

	private final List<Target> targets;

	private final Reasons reasons;

	private final boolean whole;

	/**
	 * Create a table.
	 * @param targets its rows
	 * @param reasons why some are not met
	 * @param whole whether to show targets that were not measured as well
	 */
	public TargetTable(List<Target> targets, Reasons reasons, boolean whole) {
		this.targets = List.copyOf(targets);
		this.reasons = reasons;
		this.whole = whole;
	}

	/**
	 * Write it, with a paragraph for each target that is not met.
	 * @param page the page
	 * @param samples what was measured
	 */
	public void write(Page page, Samples samples) {
		List<Target> shown = this.targets.stream()
			.filter((target) -> this.whole || target.isMeasured(samples))
			.toList();
		List<Target> missed = shown.stream().filter((target) -> !target.isMet(samples)).toList();
		page.section("Targets")
			.text((shown.size() - missed.size()) + " of " + shown.size() + " are met.")
			.table(List.of("case", "must", "measured", "met"),
					shown.stream().map((target) -> target.row(samples)).toList());
		if (!missed.isEmpty()) {
			page.section(Reasons.SECTION);
			missed.forEach((target) -> page.text(this.reasons.paragraph(target.title())));
		}
	}

}
