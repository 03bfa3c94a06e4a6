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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * For each lock whose loss was told, by how much that was before the next holder had it,
 * in milliseconds.
 */
final class Leads {

	private final List<Long> millis = new ArrayList<>();

	private final List<Grant> late = new ArrayList<>();

	private int lost;

	static Leads of(List<Grant> grants, Judgement judgement) {
		Leads leads = new Leads();
		for (int i = 0; i < grants.size(); i++) {
			if (grants.get(i).isLost()) {
				leads.lost++;
				leads.add(grants, i, judgement);
			}
		}
		Collections.sort(leads.millis);
		return leads;
	}

	private void add(List<Grant> grants, int index, Judgement judgement) {
		Grant lost = grants.get(index);
		for (Grant next : grants.subList(index + 1, grants.size())) {
			if (next.key.equals(lost.key) && next.token > lost.token && next.excludes(lost)) {
				if (!judgement.isExcused(lost)) {
					this.millis.add((next.acquired - lost.lost) / 1_000_000);
					if (next.acquired < lost.lost) {
						this.late.add(lost);
					}
				}
				return;
			}
		}
	}

	int lost() {
		return this.lost;
	}

	/**
	 * Return those that were told after the next holder had the lock, though only the
	 * network or a server had failed.
	 */
	List<Grant> late() {
		return this.late;
	}

	String figures() {
		return this.millis.isEmpty() ? "none with a successor"
				: "lead min " + this.millis.get(0) + " ms, median " + this.millis.get(this.millis.size() / 2) + " ms";
	}

}
