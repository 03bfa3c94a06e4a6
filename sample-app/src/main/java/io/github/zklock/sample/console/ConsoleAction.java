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

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * Something that the console can do.
 *
 * @param id its name in the path
 * @param label what its button says
 * @param target {@code node}, {@code none}, {@code job:} and the key of a job, or
 * {@code role:} and the name of a role
 * @param watch what to watch for, in one sentence
 * @param refusal why it cannot be done to a node as it is now, {@code null} if it can
 * @param body what does it
 */
record ConsoleAction(String id, String label, String target, String watch,
		@JsonIgnore Function<ConsoleNode, @Nullable String> refusal, @JsonIgnore Body body) {

	static ConsoleAction ofNode(String id, String label, String watch, Function<ConsoleNode, @Nullable String> refusal,
			NodeBody body) {
		return new ConsoleAction(id, label, "node", watch, refusal, (node) -> body.run(Objects.requireNonNull(node)));
	}

	static ConsoleAction ofAll(String id, String label, String watch, Callable<String> body) {
		return new ConsoleAction(id, label, "none", watch, (node) -> null, (node) -> body.call());
	}

	static ConsoleAction ofJob(String id, String label, String job, String watch, Callable<String> body) {
		return new ConsoleAction(id, label, "job:" + job, watch, (node) -> null, (node) -> body.call());
	}

	static ConsoleAction ofRole(String id, String label, String role, String watch, Callable<String> body) {
		return new ConsoleAction(id, label, "role:" + role, watch, (node) -> null, (node) -> body.call());
	}

	boolean takesNode() {
		return this.target.equals("node");
	}

	/**
	 * Does an action.
	 */
	@FunctionalInterface
	interface Body {

		/**
		 * Do it.
		 * @param node the node, if it is for one
		 * @return what has happened, in one sentence
		 * @throws Exception if it cannot be done
		 */
		String run(@Nullable ConsoleNode node) throws Exception;

	}

	/**
	 * Does an action to one node.
	 */
	@FunctionalInterface
	interface NodeBody {

		/**
		 * Do it.
		 * @param node the node
		 * @return what has happened, in one sentence
		 * @throws Exception if it cannot be done
		 */
		String run(ConsoleNode node) throws Exception;

	}

}
