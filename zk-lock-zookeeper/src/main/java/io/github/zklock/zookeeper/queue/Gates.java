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

package io.github.zklock.zookeeper.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.zklock.zookeeper.node.QueueListing;
import org.jspecify.annotations.Nullable;

/**
 * The gates of one place, in the order in which it passes them.
 */
final class Gates {

	// An array, since each lock walks through it several times.
	private final Gate[] gates;

	Gates(Place place, List<Gate.Source> sources) {
		Gate[] found = new Gate[sources.size()];
		int count = 0;
		for (int i = 0; i < found.length; i++) {
			Gate gate = sources.get(i).gate(place);
			if (gate != null) {
				found[count++] = gate;
			}
		}
		this.gates = (count < found.length) ? Arrays.copyOf(found, count) : found;
	}

	/** Return the gate that must see the queue first, if there is one. */
	@Nullable Gate thatMustSeeQueueFirst() {
		for (Gate gate : this.gates) {
			if (gate.mustSeeQueueFirst()) {
				return gate;
			}
		}
		return null;
	}

	void noteQueue(QueueListing queue) {
		for (Gate gate : this.gates) {
			gate.noteQueue(queue);
		}
	}

	/** Return whether one of them is known to be closed for now. */
	boolean isClosed() {
		for (Gate gate : this.gates) {
			if (gate.isClosed()) {
				return true;
			}
		}
		return false;
	}

	/** Pass them in their order. Return whether all are passed. */
	boolean ensurePassed() {
		for (Gate gate : this.gates) {
			if (!gate.ensurePassed()) {
				return false;
			}
		}
		return true;
	}

	/** Return the longest grace of them. */
	long grace() {
		long longest = 0;
		for (Gate gate : this.gates) {
			longest = Math.max(longest, gate.grace());
		}
		return longest;
	}

	@Nullable String obstacle() {
		for (Gate gate : this.gates) {
			if (gate.obstacle() != null) {
				return gate.obstacle();
			}
		}
		return null;
	}

	@Nullable Duration keptFor() {
		for (Gate gate : this.gates) {
			if (gate.keptFor() != null) {
				return gate.keptFor();
			}
		}
		return null;
	}

	void placeEnded(boolean granted) {
		for (Gate gate : this.gates) {
			gate.placeEnded(granted);
		}
	}

	List<Gate.Obligation> obligations() {
		List<Gate.Obligation> obligations = List.of();
		for (Gate gate : this.gates) {
			Gate.Obligation obligation = gate.obligation();
			if (obligation != null) {
				obligations = obligations.isEmpty() ? new ArrayList<>(1) : obligations;
				obligations.add(obligation);
			}
		}
		return obligations;
	}

}
