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

package io.github.zklock.sample.console;

import java.util.List;
import java.util.Optional;

import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.leader.Leadership;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;

/**
 * What can be done to a role that one node of the cluster leads.
 */
class RoleScenes {

	private static final String INDEXER = "indexer";

	private final ConsoleCluster cluster;

	RoleScenes(ConsoleCluster cluster) {
		this.cluster = cluster;
	}

	List<ConsoleAction> all() {
		return List.of(ConsoleAction.ofRole("yield-" + INDEXER, "Let the leader yield", INDEXER,
				"The bean stops on its node, and starts on the next one.", () -> letYield(INDEXER)));
	}

	private String letYield(String role) throws Exception {
		Led before = leader(role, 0);
		if (before == null || !before.roles().yield(role)) {
			throw new IllegalStateException("no node of this process leads");
		}
		Patience yielding = new Patience();
		Led now = Patience.await("No node of this process leads", () -> leader(role, before.token()));
		return now.node().name() + " leads with token " + now.token() + ", " + Patience.text(yielding.nanos())
				+ " after " + before.node().name() + ", which led with token " + before.token() + ", has yielded.";
	}

	private @Nullable Led leader(String role, long after) {
		for (ConsoleNode node : this.cluster.all()) {
			ApplicationContext context = node.context();
			if (context != null) {
				LeaderRoles roles = context.getBean(LeaderRoles.class);
				Optional<Leadership> led = roles.isLeader(role) ? roles.current(role) : Optional.empty();
				if (led.isPresent() && led.get().fencingToken() > after) {
					return new Led(node, roles, led.get().fencingToken());
				}
			}
		}
		return null;
	}

	/**
	 * A node that leads.
	 */
	private record Led(ConsoleNode node, LeaderRoles roles, long token) {

	}

}
