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

package io.github.zklock.fencing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.spi.LockSpace;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.util.StringUtils;

/**
 * The lock space of each lock, named like its nodes. Two applications that share an
 * ensemble share the tokens of its locks, whatever names their providers have.
 *
 * @since 0.1.0
 */
public final class FenceLockSpaces implements Function<LockHandle, String> {

	private final Supplier<Map<String, LockSpace>> lookup;

	private final String other;

	private volatile Map<String, LockSpace> providers = Map.of();

	/**
	 * Create the lock spaces.
	 * @param lookup returns the providers by their names. Called for the first lock, and
	 * for each lock of a provider that is not known
	 * @param other the lock space of locks whose provider names none
	 */
	public FenceLockSpaces(Supplier<Map<String, LockSpace>> lookup, String other) {
		this.lookup = lookup;
		this.other = other;
	}

	/**
	 * Return the lock spaces of the providers of an application.
	 * @param beanFactory the beans of the application
	 * @param other the lock space of locks whose provider names none
	 * @return the lock spaces
	 */
	public static FenceLockSpaces of(ConfigurableListableBeanFactory beanFactory, String other) {
		return new FenceLockSpaces(() -> SimpleAutowireCandidateResolver.resolveAutowireCandidates(beanFactory,
				LockSpace.class, false, true), other);
	}

	/**
	 * Return what stands for the key in the backend, which may be a digest.
	 * @param handle the lock
	 * @return the key, or its digest
	 */
	public String key(LockHandle handle) {
		return provider(handle).map((provider) -> provider.getValue().pathOf(handle.key()))
			.map((path) -> StringUtils.uriDecode(path.substring(path.lastIndexOf('/') + 1), StandardCharsets.UTF_8))
			.orElse(handle.key());
	}

	@Override
	public String apply(LockHandle handle) {
		Map.Entry<String, LockSpace> provider = provider(handle).orElse(null);
		if (provider == null) {
			return this.other;
		}
		for (Map.Entry<String, LockSpace> each : this.providers.entrySet()) {
			requireDistinct(provider, each);
		}
		return path(provider);
	}

	private Optional<Map.Entry<String, LockSpace>> provider(LockHandle handle) {
		return search(handle).or(() -> {
			this.providers = this.lookup.get();
			return search(handle);
		});
	}

	private Optional<Map.Entry<String, LockSpace>> search(LockHandle handle) {
		return this.providers.entrySet().stream().filter((entry) -> entry.getValue().isOf(handle)).findFirst();
	}

	/**
	 * Check that no two providers have one lock space on two ensembles, whose tokens
	 * cannot be compared. A provider that does not exist yet is checked when its first
	 * fence is raised.
	 * @param beanFactory the beans of the application
	 * @throws InvalidLockUsageException if two have
	 */
	public static void requireDistinct(ConfigurableListableBeanFactory beanFactory) {
		Map<String, LockSpace> created = Arrays.stream(beanFactory.getBeanNamesForType(LockSpace.class, false, false))
			.filter(beanFactory::containsSingleton)
			.collect(Collectors.toMap(Function.identity(), (name) -> beanFactory.getBean(name, LockSpace.class)));
		for (Map.Entry<String, LockSpace> one : created.entrySet()) {
			created.entrySet().forEach((other) -> requireDistinct(one, other));
		}
	}

	private static void requireDistinct(Map.Entry<String, LockSpace> one, Map.Entry<String, LockSpace> other) {
		if (one.getValue() == other.getValue() || !path(one).equals(path(other))
				|| !Collections.disjoint(servers(one), servers(other))) {
			return;
		}
		throw new InvalidLockUsageException(
				"The lock providers '" + one.getKey() + "' (servers " + String.join(",", servers(one)) + ") and '"
						+ other.getKey() + "' (servers " + String.join(",", servers(other))
						+ ") both have the lock space " + path(one)
						+ ". Their fences would share rows of the database, although tokens of two ensembles cannot be "
						+ "compared.",
				"Give one of them another root, with ZooKeeperLockProvider.builder(client).root(...) or zk-lock.root, "
						+ "or another chroot in its connect string. If both are one ensemble, name its servers alike.");
	}

	private static String path(Map.Entry<String, LockSpace> provider) {
		String space = provider.getValue().lockSpace();
		return space.substring(space.indexOf('/'));
	}

	private static List<String> servers(Map.Entry<String, LockSpace> provider) {
		String space = provider.getValue().lockSpace();
		return Arrays.stream(space.substring(0, space.indexOf('/')).split(",")).map(String::strip).sorted().toList();
	}

}
