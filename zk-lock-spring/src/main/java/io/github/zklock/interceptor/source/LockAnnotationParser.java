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

package io.github.zklock.interceptor.source;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.ReleasePolicy;
import io.github.zklock.core.UnavailablePolicy;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.spi.LockSettings;
import io.github.zklock.interceptor.operation.GuardedMethod;
import io.github.zklock.interceptor.operation.GuardedMethod.Setting;
import io.github.zklock.interceptor.operation.LockFallback;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockOperation.Recovery;
import io.github.zklock.interceptor.operation.LockOperation.Ticks;
import io.github.zklock.interceptor.operation.LockParameters;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.MethodResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.StringValueResolver;

/**
 * Makes the operation of a method from its annotations: placeholders resolved, key
 * compiled, everything checked that can be checked before the first call.
 */
final class LockAnnotationParser {

	private static final Logger logger = LoggerFactory.getLogger(LockAnnotationParser.class);

	private final Supplier<? extends LockSettings> settings;

	private final Supplier<? extends StringValueResolver> placeholders;

	private final @Nullable BeanFactory beanFactory;

	private final Set<String> unguarded = ConcurrentHashMap.newKeySet();

	LockAnnotationParser(Supplier<? extends LockSettings> settings,
			Supplier<? extends StringValueResolver> placeholders, @Nullable BeanFactory beanFactory) {
		this.settings = settings;
		this.placeholders = placeholders;
		this.beanFactory = beanFactory;
	}

	Parsed parse(List<MergedAnnotation<DistributedLock>> annotations, LockTarget target) {
		MethodResult.kind(target);
		LockSettings settings = this.settings.get();
		StringValueResolver placeholders = this.placeholders.get();
		List<LockDeclaration> declarations = annotations.stream()
			.map((annotation) -> new LockDeclaration(target, annotation, placeholders, settings))
			.toList();
		Policies policies = Policies.of(target, declarations);
		boolean scheduled = isScheduled(target.method());
		List<LockSpecification> locks = declarations.stream()
			.map((declaration) -> declaration.read(policies, scheduled, this.beanFactory))
			.toList();
		checkProviders(target, locks);
		checkKeys(target, locks);
		LockFallback fallback = LockFallbackResolver.resolve(target, policies.fallbackMethod());
		NotAcquiredPolicy onNotAcquired = policies.onNotAcquired();
		if (onNotAcquired == NotAcquiredPolicy.AUTO && fallback == null && scheduled) {
			onNotAcquired = NotAcquiredPolicy.SKIP;
		}
		TickDeclaration ticks = TickDeclaration.of(target, declarations, locks);
		LockOperation operation = new LockOperation(target, declarations.get(0).schedule(), locks, onNotAcquired,
				onUnavailable(target.method(), policies.onUnavailable(), scheduled), fallback, policies.release(),
				ticks.oncePerTick(), ticks.recovery(placeholders), ticks.sharding(placeholders),
				new LockParameters(target));
		locks.stream().filter(LockSpecification::unguarded).forEach((lock) -> warnOfUnguarded(lock.name(), target));
		return new Parsed(operation,
				new GuardedMethod(target.toString(), null,
						describe(operation, policies, scheduled ? declarations : List.of()),
						declarations.stream().map(LockDeclaration::sources).toList()));
	}

	private static void checkKeys(LockTarget target, List<LockSpecification> locks) {
		Map<String, LockSpecification> keys = new HashMap<>();
		for (LockSpecification lock : locks) {
			LockSpecification other = keys.putIfAbsent(lock.key().text(), lock);
			if (other != null) {
				throw target.invalid(
						"has two @DistributedLock annotations with the key '" + lock.key() + "' (" + other.mode()
								+ " and " + lock.mode() + ")",
						"Keep the stronger of them: READ lets other readers in, WRITE and EXCLUSIVE let no other caller in.");
			}
		}
	}

	// No order of providers keeps two callers from waiting for each other.
	private static void checkProviders(LockTarget target, List<LockSpecification> locks) {
		Set<String> providers = locks.stream().map(LockSpecification::provider).collect(Collectors.toSet());
		if (providers.size() > 1) {
			throw target.invalid(
					"has @DistributedLock annotations with the providers "
							+ providers.stream().sorted().map((provider) -> "'" + provider + "'").toList()
							+ ", but one call takes its locks from one provider",
					"Name one provider in all of them, or guard a method for each provider and let one call the other.");
		}
	}

	private static boolean isScheduled(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.isPresent("org.springframework.scheduling.annotation.Scheduled");
	}

	// The next run makes up for one that is skipped, and a stack trace for each run is of
	// no use.
	private static UnavailablePolicy onUnavailable(Method method, UnavailablePolicy said, boolean scheduled) {
		if (said != UnavailablePolicy.AUTO) {
			return said;
		}
		return (scheduled && MethodResult.hasEmpty(method)) ? UnavailablePolicy.SKIP : UnavailablePolicy.THROW;
	}

	// A method is read once for each way in which it is called.
	private void warnOfUnguarded(String name, LockTarget target) {
		if (this.unguarded.add(name + " " + target)) {
			logger.warn("Lock '{}' is unguarded by configuration: {} runs without it", name, target);
		}
	}

	// What holds for a call as a whole.
	private static Map<String, Setting> describe(LockOperation operation, Policies policies,
			List<LockDeclaration> scheduled) {
		Map<String, Setting> settings = new LinkedHashMap<>();
		if (operation.fallback() != null) {
			settings.put("onNotAcquired", new Setting("fallbackMethod", LockDeclaration.ANNOTATION));
			settings.put("fallbackMethod", new Setting(operation.fallback().toString(), LockDeclaration.ANNOTATION));
		}
		else {
			settings.put("onNotAcquired",
					setting(operation.onNotAcquired(), policies.onNotAcquired() != NotAcquiredPolicy.AUTO,
							operation.onNotAcquired() == NotAcquiredPolicy.SKIP));
		}
		settings.put("onUnavailable",
				setting(operation.onUnavailable(), policies.onUnavailable() != UnavailablePolicy.AUTO,
						operation.onUnavailable() == UnavailablePolicy.SKIP));
		settings.put("release", setting(operation.release(), operation.release() != ReleasePolicy.TRANSACTION, false));
		if (!scheduled.isEmpty()) {
			boolean once = operation.oncePerTick() != Ticks.NO;
			settings.put("oncePerTick", scheduled.stream()
				.filter((lock) -> lock.oncePerTick() != null)
				.findFirst()
				.map((lock) -> new Setting(Boolean.toString(once), lock.property("once-per-tick")))
				.orElseGet(
						() -> setting(once, TickDeclaration.annotatedOncePerTick(operation.method()) != null, once)));
			if (operation.sharding().shards() > 1) {
				settings.put("shards", setting(operation.sharding().shards(), true, false));
			}
			Recovery recovery = operation.recovery();
			if (recovery != null) {
				settings.put("recoverWithin", scheduled.stream()
					.filter((lock) -> lock.recoverWithin() != null)
					.findFirst()
					.map((lock) -> new Setting(DurationText.of(recovery.within()), lock.property("recover-within")))
					.orElseGet(() -> setting(DurationText.of(recovery.within()), true, false)));
			}
		}
		return Collections.unmodifiableMap(settings);
	}

	private static Setting setting(Object value, boolean said, boolean bySchedule) {
		return new Setting(value.toString(),
				said ? LockDeclaration.ANNOTATION : bySchedule ? LockDeclaration.SCHEDULED : LockDeclaration.DEFAULT);
	}

	/**
	 * What is done around a guarded method, and the same for tools and people.
	 */
	record Parsed(LockOperation operation, GuardedMethod description) {
	}

	/**
	 * What the annotations of a method say about the call as a whole. All of its locks
	 * are acquired or none, so there is one answer for all. The annotations that say
	 * anything other than the default have to say the same.
	 */
	record Policies(@Nullable Duration waitTime, NotAcquiredPolicy onNotAcquired, UnavailablePolicy onUnavailable,
			String fallbackMethod, LossPolicy onLost, ReleasePolicy release) {

		static Policies of(LockTarget target, List<LockDeclaration> locks) {
			Agreement agreement = new Agreement(target, locks);
			Policies policies = new Policies(agreement.on("waitTime", LockDeclaration::declaredWait, null),
					agreement.on("onNotAcquired", (lock) -> lock.annotation().onNotAcquired(), NotAcquiredPolicy.AUTO),
					agreement.on("onUnavailable", (lock) -> lock.annotation().onUnavailable(), UnavailablePolicy.AUTO),
					agreement.on("fallbackMethod", (lock) -> lock.text("fallbackMethod").strip(), ""),
					agreement.on("onLost", (lock) -> lock.annotation().onLost(), LossPolicy.FAIL_AT_EXIT),
					agreement.on("release", (lock) -> lock.annotation().release(), ReleasePolicy.TRANSACTION));
			if (!policies.fallbackMethod().isEmpty() && policies.onNotAcquired() != NotAcquiredPolicy.AUTO) {
				throw target.invalid(
						"has both onNotAcquired = " + policies.onNotAcquired() + " and fallbackMethod = \""
								+ policies.fallbackMethod() + "\"",
						"Remove one of them: a fallback method is called instead of throwing or skipping.");
			}
			return policies;
		}

		private record Agreement(LockTarget target, List<LockDeclaration> locks) {

			<T extends @Nullable Object> T on(String attribute, Function<LockDeclaration, T> value, T byDefault) {
				List<T> said = this.locks.stream()
					.map(value)
					.filter((each) -> !Objects.equals(each, byDefault))
					.distinct()
					.toList();
				if (said.size() > 1) {
					throw this.target.invalid(
							"has several @DistributedLock annotations that contradict each other: " + attribute + " = "
									+ said.get(0) + " and " + attribute + " = " + said.get(1),
							"All locks of a method are acquired or none, so give " + attribute
									+ " once, or the same value everywhere.");
				}
				return said.isEmpty() ? byDefault : said.get(0);
			}

		}

	}

}
