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

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.operation.GuardedMethod;
import io.github.zklock.leader.internal.LeaderStatus;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector.Revocation;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue.Contender;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * Actuator endpoint for the locks. It shows the guarded methods, the locks that this
 * process holds and waits for, and the queue of a key in the whole cluster. All answers
 * are maps, lists and texts. Every line of Spring Boot can write them as JSON, and JMX
 * can carry them. Keys are parameters and not part of the path, since they may have
 * slashes. Invalid parameters are refused (HTTP 400).
 * <p>
 * The endpoint has the rights of the application's client. Where an ACL refuses it, the
 * answer has a {@code problem}, as for a provider whose locks are not in ZooKeeper. A key
 * of more than about 200 characters is shown with its shortened name in ZooKeeper. With
 * several providers and no {@code provider}, their answers are below {@code providers}.
 * Over JMX, {@code null} stands for a parameter that is not used, and a revocation knows
 * no user.
 *
 * @since 0.1.0
 */
@Endpoint(id = "zklocks", defaultAccess = Access.READ_ONLY)
public final class ZkLockEndpoint {

	/**
	 * The bound of an answer for which ZooKeeper is queried.
	 */
	public static final Duration BOUND = Duration.ofSeconds(2);

	/**
	 * The type of the audit event of a revocation.
	 */
	public static final String AUDIT_TYPE = "ZK_LOCK_REVOCATION";

	private static final Logger logger = LoggerFactory.getLogger(ZkLockEndpoint.class);

	private static final int PAGE_SIZE = 20;

	private final Map<String, LockProvider> providers;

	private final Supplier<Iterable<GuardedMethod>> methods;

	private final Supplier<List<LeaderStatus>> roles;

	private final Duration bound;

	private final @Nullable Consumer<AuditEvent> audit;

	/**
	 * Create the endpoint.
	 * @param providers where the locks come from, with the name of the bean
	 * @param methods the guarded methods
	 * @param roles the roles of this application
	 * @param bound the bound of an answer for which ZooKeeper is queried
	 * @param audit takes a record of each revocation; {@code null} if locks cannot be
	 * revoked
	 */
	public ZkLockEndpoint(Map<String, LockProvider> providers, Supplier<Iterable<GuardedMethod>> methods,
			Supplier<List<LeaderStatus>> roles, Duration bound, @Nullable Consumer<AuditEvent> audit) {
		this.providers = Map.copyOf(providers);
		this.methods = methods;
		this.roles = roles;
		this.bound = bound;
		this.audit = audit;
	}

	/**
	 * Return the guarded methods, the roles of beans, and the locks that this process
	 * holds and waits for. With a key or a pattern, return the queues in the cluster.
	 * @param key a key
	 * @param pattern a pattern for keys, in which {@code *} stands for any text
	 * @param page the number of the page of keys, from 0
	 * @param size how many keys a page has
	 * @param provider the name of the provider, to select one of several
	 * @return the answer
	 */
	@ReadOperation
	@NullUnmarked
	public Map<String, Object> locks(@org.springframework.lang.Nullable String key,
			@org.springframework.lang.Nullable String pattern, @org.springframework.lang.Nullable Integer page,
			@org.springframework.lang.Nullable Integer size, @org.springframework.lang.Nullable String provider) {
		try {
			return find(key, pattern, page, size, provider);
		}
		catch (ZooKeeperInspectionException ex) {
			return LockAnswers.problem(String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Return the answer.
	 * @throws ZooKeeperInspectionException if too many questions wait already
	 */
	@NullUnmarked
	Map<String, Object> find(@org.springframework.lang.Nullable String key,
			@org.springframework.lang.Nullable String pattern, @org.springframework.lang.Nullable Integer page,
			@org.springframework.lang.Nullable Integer size, @org.springframework.lang.Nullable String provider) {
		boolean byPattern = isGiven(pattern);
		if (isGiven(key) && byPattern) {
			throw invalid("Give either key or pattern, not both");
		}
		if (!byPattern && (page != null || size != null)) {
			throw invalid("page and size need pattern, like pattern=order:*");
		}
		if (isGiven(key)) {
			return ofProviders(provider, asking((inspector) -> LockAnswers.of(inspector.queue(key, this.bound))));
		}
		if (byPattern) {
			int number = (page != null) ? page : 0;
			int most = (size != null) ? size : PAGE_SIZE;
			return ofProviders(provider,
					asking((inspector) -> LockAnswers.of(inspector.queues(pattern, number, most, this.bound))));
		}
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("methods", LockAnswers.ofMethods(this.methods.get()));
		List<LeaderStatus> known = this.roles.get();
		if (!known.isEmpty()) {
			answer.put("roles", LockAnswers.ofRoles(known));
		}
		answer.putAll(ofProviders(provider, (locks) -> LockAnswers.of(locks.snapshot())));
		return answer;
	}

	/**
	 * Take a lock away from its holder. Each valid attempt is logged at WARN and
	 * published as an audit event. With {@code READ}, all readers of that process lose
	 * the lock.
	 * @param key the key
	 * @param token the token of the holder, as the answer for the key shows it. The token
	 * of an earlier holder with the same node is refused. In the process of the holder,
	 * the token in {@code held} is accepted as well
	 * @param provider the name of the provider, if there are several
	 * @return what was done, and what the holder will see
	 */
	@DeleteOperation
	@NullUnmarked
	public Map<String, Object> revoke(String key, String token, @org.springframework.lang.Nullable String provider) {
		return revoke(EndpointUser.UNKNOWN, key, token, provider);
	}

	Map<String, Object> revoke(EndpointUser user, String key, String token, @Nullable String provider) {
		try {
			return revokeNow(user, key, token, provider);
		}
		catch (ZooKeeperInspectionException ex) {
			return LockAnswers.problem(String.valueOf(ex.getMessage()));
		}
	}

	private Map<String, Object> revokeNow(EndpointUser user, String key, String token, @Nullable String provider) {
		Consumer<AuditEvent> known = this.audit;
		if (known == null) {
			throw invalid("Locks are not revoked unless zk-lock.endpoint.revoke=true");
		}
		if (this.providers.size() > 1 && !isGiven(provider)) {
			throw invalid("Give provider as well, one of " + this.providers.keySet());
		}
		long fencingToken = token(token);
		return ofProviders(provider, asking((inspector) -> {
			try {
				Revocation revocation = inspector.revoke(key, fencingToken, this.bound);
				record(known, user, key, fencingToken, revocation.outcome().name(), revocation.contender());
				return LockAnswers.of(key, Long.toString(fencingToken), revocation);
			}
			catch (ZooKeeperInspectionException ex) {
				record(known, user, key, fencingToken, "UNKNOWN", null);
				throw ex;
			}
		}));
	}

	private static void record(Consumer<AuditEvent> audit, EndpointUser user, String key, long token, String outcome,
			@Nullable Contender contender) {
		String holder = (contender != null) ? contender.owner().toString() : "unknown";
		logger.warn("Revocation of the lock '{}' with token {} by {}: {}, holder {}", LockKeys.printable(key), token,
				user, outcome, holder);
		audit.accept(new AuditEvent(user.audited(), AUDIT_TYPE, Map.of("key", LockKeys.printable(key), "token",
				Long.toString(token), "outcome", outcome, "holder", holder)));
	}

	private Map<String, Object> ofProviders(@Nullable String provider,
			Function<ZooKeeperLockProvider, Map<String, Object>> question) {
		if (isGiven(provider)) {
			LockProvider named = this.providers.get(provider);
			if (named == null) {
				throw invalid("There is no provider '" + LockKeys.abbreviate(Objects.requireNonNull(provider))
						+ "', but " + this.providers.keySet());
			}
			return ofProvider(named, question);
		}
		if (this.providers.size() == 1) {
			return ofProvider(this.providers.values().iterator().next(), question);
		}
		Map<String, Object> answers = new LinkedHashMap<>();
		this.providers.keySet()
			.stream()
			.sorted()
			.forEach((name) -> answers.put(name,
					ofProvider(Objects.requireNonNull(this.providers.get(name)), question)));
		return Map.of("providers", answers);
	}

	private static Map<String, Object> ofProvider(LockProvider provider,
			Function<ZooKeeperLockProvider, Map<String, Object>> question) {
		return (provider instanceof ZooKeeperLockProvider zooKeeper) ? question.apply(zooKeeper)
				: LockAnswers.problem("the locks are not in ZooKeeper, but come from " + provider.getClass().getName());
	}

	private static Function<ZooKeeperLockProvider, Map<String, Object>> asking(
			Function<ZooKeeperLockInspector, Map<String, Object>> question) {
		return (provider) -> {
			try {
				return question.apply(provider.inspector());
			}
			catch (ZooKeeperInspectionException ex) {
				if (ex.isBusy()) {
					throw ex;
				}
				return LockAnswers.problem(String.valueOf(ex.getMessage()));
			}
			catch (LockKeyException | IllegalArgumentException ex) {
				throw invalid(String.valueOf(ex.getMessage()));
			}
		};
	}

	private static long token(String token) {
		try {
			return Long.parseLong(token);
		}
		catch (NumberFormatException ex) {
			throw invalid("token '" + LockKeys.abbreviate(token)
					+ "' is not a number: give the token of the holder, as the answer for the key shows it");
		}
	}

	private static boolean isGiven(@Nullable String parameter) {
		return parameter != null && !parameter.isEmpty();
	}

	private static InvalidEndpointRequestException invalid(String message) {
		return new InvalidEndpointRequestException(message, message);
	}

}
