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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.util.Map;

import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.validation.Errors;

/**
 * What the values of {@link ZkLockProperties} must be. Each rejection becomes the reason
 * in Spring Boot's failure analysis, beside the property, its value and its origin.
 */
final class ZkLockPropertiesRules {

	// Curator and ZooKeeper count milliseconds in an int.
	private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

	// JDBC counts seconds.
	private static final Duration SHORTEST_FENCING = Duration.ofSeconds(1);

	private static final int MOST_RETRIES = 29;

	private static final int SHORTEST_SECRET = 16;

	private static final int HIGHEST_PORT = 65535;

	private final Errors errors;

	ZkLockPropertiesRules(Errors errors) {
		this.errors = errors;
	}

	void check(ZkLockProperties properties) {
		checkClient(properties);
		positive("tryTimeout", properties.getTryTimeout());
		checkSecret(properties.getKeyDigestSecret());
		Duration outage = properties.getOutageFailFast();
		if (outage != null) {
			positive("outageFailFast", outage);
		}
		notNegative("defaultWait", properties.getDefaultWait());
		notNegative("commitWait", properties.getCommitWait());
		notNegative("shutdownGrace", properties.getShutdownGrace());
		for (Map.Entry<String, ZkLockOverrideProperties> entry : properties.getLocks().entrySet()) {
			checkWait("locks[" + entry.getKey() + "].wait", entry.getValue());
		}
		if (properties.getFencing().getTimeout().compareTo(SHORTEST_FENCING) < 0) {
			reject("fencing.timeout", "must be at least " + SHORTEST_FENCING.toSeconds() + "s");
		}
		check(properties.getLimits());
		check(properties.getEmbedded());
	}

	// Not as a rejected value, since a failure analysis would show it.
	private void checkSecret(@Nullable String secret) {
		if (secret != null && secret.length() < SHORTEST_SECRET) {
			this.errors.reject("zk-lock", "zk-lock.key-digest-secret must have at least " + SHORTEST_SECRET
					+ " characters: leave it out if the keys may be shown");
		}
	}

	private void checkClient(ZkLockClientProperties properties) {
		reject("root", rootProblem(properties.getRoot()));
		String namespace = properties.getNamespace();
		if (namespace != null && !namespace.isEmpty()) {
			reject("namespace", namespaceProblem(namespace));
		}
		positive("sessionTimeout", properties.getSessionTimeout());
		positive("connectionTimeout", properties.getConnectionTimeout());
		positive("startupTimeout", properties.getStartupTimeout());
		positive("lease.serverTick", properties.getLease().getServerTick());
		check(properties.getRetry());
		check(properties.getAuth());
	}

	private void check(ZkLockRetryProperties retry) {
		positive("retry.baseSleep", retry.getBaseSleep());
		positive("retry.maxSleep", retry.getMaxSleep());
		if (retry.getMaxSleep().compareTo(retry.getBaseSleep()) < 0) {
			reject("retry.maxSleep", "must not be less than zk-lock.retry.base-sleep");
		}
		if (retry.getMaxRetries() < 0 || retry.getMaxRetries() > MOST_RETRIES) {
			reject("retry.maxRetries", "must be a number from 0 to " + MOST_RETRIES);
		}
	}

	// The value of a rejected field is shown, so it is never that of a secret.
	private void check(ZkLockAuthProperties auth) {
		ZkLockAuthProperties.Digest digest = auth.getDigest();
		reject("auth.digest.username", digestProblem("zk-lock.auth.digest.password", digest));
		if (!auth.getSasl().isModuleAllowed()) {
			reject("auth.sasl.loginModule", "is not the login module of ZooKeeper's digest or of Kerberos: set "
					+ "zk-lock.auth.sasl.any-login-module=true if it is to run in this JVM");
		}
		if (StringUtils.hasText(auth.getSasl().getJaasEntry()) && !auth.getSasl().getOptions().isEmpty()) {
			reject("auth.sasl.jaasEntry", "must not be set together with zk-lock.auth.sasl.options");
		}
	}

	// A placeholder without a value gives a blank text, and would be a password that
	// everybody knows.
	private static @Nullable String digestProblem(String property, ZkLockAuthProperties.Digest digest) {
		String username = digest.getUsername();
		String password = digest.getPassword();
		if (!StringUtils.hasText(username)) {
			if (password != null) {
				return "must be set if " + property + " is";
			}
			return (username != null) ? "must not be blank: set it together with " + property + ", or leave it out"
					: null;
		}
		if (!StringUtils.hasText(password)) {
			return "needs " + property + ((password != null) ? ", which is blank" : "");
		}
		return username.contains(":") ? "must not contain ':'" : null;
	}

	private void check(ZkLockLimitsProperties limits) {
		atLeastOne("limits.keysPerCall", limits.getKeysPerCall());
		atLeastOne("limits.waitersPerKey", limits.getWaitersPerKey());
		atLeastOne("limits.keyLength", limits.getKeyLength());
		atLeastOne("limits.callbackThreads", limits.getCallbackThreads());
		if (limits.getKeyLength() > LockRequest.MAX_KEY_LENGTH) {
			reject("limits.keyLength", "must not be more than " + LockRequest.MAX_KEY_LENGTH);
		}
	}

	private void atLeastOne(String field, int value) {
		if (value < 1) {
			reject(field, "must be greater than zero");
		}
	}

	private void check(ZkLockEmbeddedProperties embedded) {
		if (embedded.getPort() < 0 || embedded.getPort() > HIGHEST_PORT) {
			reject("embedded.port", "must be a number from 0 to " + HIGHEST_PORT);
		}
		// It keeps two applications from writing into the same directory.
		if (embedded.getDataDir() != null && embedded.getPort() == 0) {
			reject("embedded.dataDir", "needs a fixed zk-lock.embedded.port");
		}
	}

	private void checkWait(String field, ZkLockOverrideProperties override) {
		try {
			notNegative(field, override.waitTime());
		}
		catch (IllegalArgumentException ex) {
			reject(field, ex.getMessage());
		}
	}

	private static @Nullable String rootProblem(String root) {
		if (!root.startsWith("/")) {
			return "must start with '/', like '/locks'";
		}
		if (root.length() == 1) {
			return "must name a node below '/', like '/locks'";
		}
		if (root.endsWith("/")) {
			return "must not end with '/'";
		}
		if (root.equals("/zookeeper") || root.startsWith("/zookeeper/")) {
			return "must not be in '/zookeeper', which ZooKeeper reserves for itself";
		}
		return segmentProblem(root.substring(1));
	}

	private static @Nullable String namespaceProblem(String namespace) {
		if (namespace.startsWith("/")) {
			return "must not start with '/': the client adds it";
		}
		if (namespace.endsWith("/")) {
			return "must not end with '/'";
		}
		return segmentProblem(namespace);
	}

	private static @Nullable String segmentProblem(String path) {
		for (String segment : path.split("/", -1)) {
			if (segment.isEmpty()) {
				return "must not contain '//'";
			}
			if (segment.equals(".") || segment.equals("..")) {
				return "must not contain the relative segment '" + segment + "'";
			}
			if (segment.chars().anyMatch(Character::isISOControl)) {
				return "must not contain control characters";
			}
		}
		return null;
	}

	private void positive(String field, Duration value) {
		if (value.isZero() || value.isNegative()) {
			reject(field, "must be greater than zero");
		}
		else if (value.toMillis() == 0) {
			reject(field, "must be at least one millisecond");
		}
		else if (value.compareTo(LONGEST) > 0) {
			reject(field, "must not be more than " + LONGEST.toDays() + " days");
		}
	}

	private void notNegative(String field, @Nullable Duration value) {
		if (value != null && value.isNegative()) {
			reject(field, "must not be negative: use 0 for a single try");
		}
	}

	private void reject(String field, @Nullable String problem) {
		if (problem != null) {
			this.errors.rejectValue(field, "zk-lock", problem);
		}
	}

}
