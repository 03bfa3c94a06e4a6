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

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

/**
 * What the values of {@link ZkLockProperties} must be. Each rejection becomes the reason
 * in Spring Boot's failure analysis, beside the property, its value and its origin.
 */
final class ZkLockPropertiesRules {

	// Curator and ZooKeeper count milliseconds in an int.
	private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

	// JDBC counts seconds.
	private static final Duration SHORTEST_FENCING = Duration.ofSeconds(1);

	private static final int SHORTEST_SECRET = 16;

	private static final int HIGHEST_PORT = 65535;

	private final Errors errors;

	private ZkLockPropertiesRules(Errors errors) {
		this.errors = errors;
	}

	/**
	 * Return the rules for Spring Boot, which applies them as part of the binding. No
	 * bean, since an application may inject its {@link Validator} by type.
	 * @return the rules
	 */
	static Validator validator() {
		return Validator.forInstanceOf(ZkLockProperties.class,
				(properties, errors) -> new ZkLockPropertiesRules(errors).check(properties));
	}

	private void check(ZkLockProperties properties) {
		checkClient(properties);
		positive("tryTimeout", properties.tryTimeout());
		checkSecret(properties.keyDigestSecret());
		Duration outage = properties.outageFailFast();
		if (outage != null) {
			positive("outageFailFast", outage);
		}
		notNegative("defaultWait", properties.defaultWait());
		notNegative("commitWait", properties.commitWait());
		for (Map.Entry<String, ZkLockProperties.Lock> entry : properties.locks().entrySet()) {
			checkWait("locks[" + entry.getKey() + "].wait", entry.getValue());
		}
		if (properties.fencing().timeout().compareTo(SHORTEST_FENCING) < 0) {
			reject("fencing.timeout", "must be at least " + SHORTEST_FENCING.toSeconds() + "s");
		}
		check(properties.embedded());
	}

	// Not as a rejected value, since a failure analysis would show it.
	private void checkSecret(@Nullable String secret) {
		if (secret != null && secret.length() < SHORTEST_SECRET) {
			this.errors.reject("zk-lock", "zk-lock.key-digest-secret must have at least " + SHORTEST_SECRET
					+ " characters: leave it out if the keys may be shown");
		}
	}

	private void checkClient(ZkLockProperties properties) {
		reject("root", rootProblem(properties.root()));
		String namespace = properties.namespace();
		if (namespace != null && !namespace.isEmpty()) {
			reject("namespace", namespaceProblem(namespace));
		}
		positive("sessionTimeout", properties.sessionTimeout());
		positive("connectionTimeout", properties.connectionTimeout());
		positive("startupTimeout", properties.startupTimeout());
		positive("lease.serverTick", properties.lease().serverTick());
		check(properties.auth());
	}

	// The value of a rejected field is shown, so the rejected field is never a secret.
	private void check(ZkLockProperties.Auth auth) {
		ZkLockProperties.Auth.Digest digest = auth.digest();
		reject("auth.digest.username", digestProblem("zk-lock.auth.digest.password", digest));
		if (!auth.sasl().isModuleAllowed()) {
			reject("auth.sasl.loginModule",
					"is not the login module of ZooKeeper's digest or of Kerberos: name another "
							+ "one in the JAAS configuration of the JVM, and its section in zk-lock.auth.sasl.jaas-entry");
		}
		if (StringUtils.hasText(auth.sasl().jaasEntry()) && !auth.sasl().options().isEmpty()) {
			reject("auth.sasl.jaasEntry", "must not be set together with zk-lock.auth.sasl.options");
		}
	}

	// A placeholder without a value gives a blank text, which would be a password that is
	// publicly known.
	private static @Nullable String digestProblem(String property, ZkLockProperties.Auth.Digest digest) {
		String username = digest.username();
		String password = digest.password();
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

	private void check(ZkLockProperties.Embedded embedded) {
		if (embedded.port() < 0 || embedded.port() > HIGHEST_PORT) {
			reject("embedded.port", "must be a number from 0 to " + HIGHEST_PORT);
		}
		// It keeps two applications from writing into the same directory.
		if (embedded.dataDir() != null && embedded.port() == 0) {
			reject("embedded.dataDir", "needs a fixed zk-lock.embedded.port");
		}
	}

	private void checkWait(String field, ZkLockProperties.Lock override) {
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
			reject(field, "must not be negative: use 0 for one attempt without waiting");
		}
	}

	private void reject(String field, @Nullable String problem) {
		if (problem != null) {
			this.errors.rejectValue(field, "zk-lock", problem);
		}
	}

}
