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

package io.github.zklock.endpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.interceptor.operation.GuardedMethod;
import io.github.zklock.interceptor.operation.GuardedMethod.Setting;
import io.github.zklock.leader.Leadership;
import io.github.zklock.leader.internal.LeaderStatus;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector.Revocation;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue.Contender;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Describes the locks in maps, lists and texts. Unknown facts are left out. Fencing
 * tokens are texts: they have more digits than many readers of JSON keep.
 */
final class LockAnswers {

	private static final int MOST = 1000;

	private static final String PROBLEM = "problem";

	private LockAnswers() {
	}

	static Map<String, Object> problem(String problem) {
		return answer(PROBLEM, problem);
	}

	static List<Object> ofMethods(Iterable<GuardedMethod> methods) {
		List<Object> answers = new ArrayList<>();
		for (GuardedMethod method : methods) {
			Map<String, Object> answer = answer("method", method.method());
			put(answer, PROBLEM, method.problem());
			if (!method.locks().isEmpty()) {
				answer.put("settings", ofSettings(method.settings()));
				answer.put("locks", list(method.locks(), LockAnswers::ofSettings));
			}
			answers.add(answer);
		}
		return answers;
	}

	private static Map<String, Object> ofSettings(Map<String, Setting> settings) {
		Map<String, Object> answer = new LinkedHashMap<>();
		settings.forEach((name, setting) -> {
			Map<String, Object> entry = answer("value", setting.value());
			entry.put("source", setting.source());
			answer.put(name, entry);
		});
		return answer;
	}

	static List<Object> ofRoles(List<LeaderStatus> roles) {
		return list(roles, (role) -> {
			Map<String, Object> answer = answer("role", role.role());
			answer.put("state", role.state().name());
			Leadership led = role.leadership();
			if (led != null) {
				answer.put("ledFor", DurationText.of(role.ledFor()));
				answer.put("remaining", DurationText.of(led.remaining()));
				answer.put("token", Long.toString(led.fencingToken()));
			}
			answer.put("overruns", role.overruns());
			return answer;
		});
	}

	static Map<String, Object> of(ZooKeeperLockSnapshot snapshot) {
		Map<String, Object> answer = answer("heldLocks", snapshot.held().size());
		answer.put("held", list(first(snapshot.held()), (held) -> {
			Map<String, Object> entry = answer("key", held.key());
			entry.put("mode", held.mode().name());
			entry.put("name", held.name());
			entry.put("state", held.state().name());
			entry.put("heldFor", DurationText.of(held.heldFor()));
			entry.put("token", Long.toString(held.fencingToken()));
			return entry;
		}));
		answer.put("waitingRequests", snapshot.waiting().size());
		answer.put("waiting", list(first(snapshot.waiting()), (waiting) -> {
			Map<String, Object> entry = answer("key", waiting.key());
			entry.put("mode", waiting.mode().name());
			entry.put("name", waiting.name());
			entry.put("waitingFor", DurationText.of(waiting.waitingFor()));
			entry.put("wait", DurationText.of(waiting.waitTime()));
			return entry;
		}));
		return answer;
	}

	static Map<String, Object> of(ZooKeeperLockQueue.Page queues) {
		Map<String, Object> answer = answer("pattern", queues.pattern());
		answer.put("page", queues.page());
		answer.put("size", queues.size());
		answer.put("matching", queues.matching());
		answer.put("keys", queues.keys());
		answer.put("queues", list(queues.queues(), LockAnswers::of));
		return answer;
	}

	static Map<String, Object> of(ZooKeeperLockQueue queue) {
		Map<String, Object> answer = answer("key", queue.key());
		answer.put("path", queue.path());
		answer.put("contenders", queue.size());
		answer.put("queue", list(queue.contenders(), LockAnswers::of));
		if (!queue.kept().isEmpty()) {
			answer.put("kept", list(queue.kept(), (kept) -> {
				Map<String, Object> entry = answer("lockAtLeastFor", DurationText.of(kept.lockAtLeastFor()));
				entry.put("since", kept.since().toString());
				entry.put("readersMayEnter", kept.readersMayEnter());
				return entry;
			}));
		}
		return answer;
	}

	private static Map<String, Object> of(Contender contender) {
		LockHolder owner = contender.owner();
		Map<String, Object> answer = answer("holds", contender.holds());
		answer.put("mode", contender.mode().name());
		answer.put("permits", contender.permits());
		answer.put("application", owner.application());
		put(answer, "instance", owner.instance());
		put(answer, "host", owner.host());
		put(answer, "pid", (owner.pid() > 0) ? owner.pid() : null);
		put(answer, "thread", owner.thread());
		put(answer, "name", owner.name());
		answer.put("since", contender.since().toString());
		put(answer, "age", (owner.queuedFor() != null) ? DurationText.of(owner.queuedFor()) : null);
		answer.put("token", Long.toString(contender.fencingToken()));
		put(answer, "session", contender.session());
		answer.put("foreign", contender.foreign());
		answer.put("cached", contender.cached());
		answer.put("node", contender.node());
		return answer;
	}

	static Map<String, Object> of(String key, String token, Revocation revocation) {
		Map<String, Object> answer = answer("key", key);
		answer.put("token", token);
		answer.put("revoked", revocation.outcome() == Revocation.Outcome.REVOKED);
		Contender contender = revocation.contender();
		switch (revocation.outcome()) {
			case REVOKED -> answer.put("holderSees", (contender != null && contender.foreign())
					? "nothing before its release fails: a plain Curator client is not notified"
					: "a LockLostException ('its node was deleted by another client') when its method returns or "
							+ "it releases the lock, unless it has onLost = IGNORE or "
							+ "zk-lock.await-release=false; until then it runs on, beside the next holder, and may "
							+ "commit");
			case NOT_FOUND -> answer.put(PROBLEM, "no contender of this key has this token");
			case WAITING -> answer.put(PROBLEM, "it waits and does not hold the lock");
			case CHANGED -> answer.put(PROBLEM, "its node is gone or has changed meanwhile");
		}
		if (contender != null) {
			answer.put("contender", of(contender));
		}
		return answer;
	}

	private static Map<String, Object> answer(String name, Object value) {
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put(name, value);
		return answer;
	}

	private static void put(Map<String, Object> answer, String name, @Nullable Object value) {
		if (value != null) {
			answer.put(name, value);
		}
	}

	private static <T> List<T> first(List<T> all) {
		return all.subList(0, Math.min(MOST, all.size()));
	}

	private static <T> List<Object> list(List<T> values, Function<T, Map<String, Object>> answer) {
		List<Object> answers = new ArrayList<>(values.size());
		values.forEach((value) -> answers.add(answer.apply(value)));
		return answers;
	}

}
