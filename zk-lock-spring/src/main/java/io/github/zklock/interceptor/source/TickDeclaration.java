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

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.internal.TickTerms;
import io.github.zklock.interceptor.operation.LockOperation.Recovery;
import io.github.zklock.interceptor.operation.LockOperation.Ticks;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.MethodResult;
import io.github.zklock.interceptor.operation.MethodResult.Kind;
import io.github.zklock.interceptor.operation.Sharding;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.format.annotation.DurationFormat.Unit;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringValueResolver;

/**
 * Whether the runs of a method are ticks, and which of them are made up for. The locks of
 * a method are acquired together, so there is one answer for all.
 *
 * @param oncePerTick whether its runs are ticks
 */
record TickDeclaration(LockTarget target, List<LockDeclaration> declarations, Ticks oncePerTick) {

	private static final int MAX_ATTEMPTS = 3;

	private static final int MOST_ATTEMPTS = 999;

	private static final String RECOVER = "recover-within";

	private static final String PER_NODE = "shards-per-node";

	static TickDeclaration of(LockTarget target, List<LockDeclaration> declarations, List<LockSpecification> locks) {
		return new TickDeclaration(target, declarations, oncePerTick(target, declarations, locks));
	}

	private static Ticks oncePerTick(LockTarget target, List<LockDeclaration> declarations,
			List<LockSpecification> locks) {
		Map<Boolean, String> configured = new HashMap<>();
		for (LockDeclaration declaration : declarations) {
			Boolean value = declaration.oncePerTick();
			if (value != null) {
				configured.put(value, "the property " + declaration.property("once-per-tick") + " = " + value);
			}
		}
		Boolean annotated = configured.isEmpty() ? annotatedOncePerTick(target.method()) : null;
		if (annotated != null) {
			configured.put(annotated, "@OncePerTick");
		}
		if (configured.size() > 1) {
			throw target.invalid("has " + String.join(" and ", configured.values()),
					"All locks of a method are acquired or none, so set it once, or to the same value.");
		}
		String obstacle = locks.stream()
			.map(TickDeclaration::obstacle)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		if (configured.containsKey(true) && obstacle != null) {
			throw target.invalid("has " + configured.get(true) + " and " + obstacle + ", which cannot be combined",
					"Remove one of them: a tick is run by one node, which alone holds the lock and releases it.");
		}
		if (!configured.isEmpty()) {
			return configured.containsKey(true) ? Ticks.YES : Ticks.NO;
		}
		return (obstacle != null) ? Ticks.NO : Ticks.BY_DEFAULT;
	}

	static @Nullable Boolean annotatedOncePerTick(Method method) {
		MergedAnnotation<OncePerTick> annotation = annotation(method);
		return annotation.isPresent() ? annotation.getBoolean("enabled") : null;
	}

	private static MergedAnnotation<OncePerTick> annotation(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(OncePerTick.class);
	}

	// What keeps a lock from being acquired for a tick.
	private static @Nullable String obstacle(LockSpecification lock) {
		if (lock.mode() == LockMode.READ) {
			return "mode = READ";
		}
		if (lock.permits() != 1) {
			return "permits";
		}
		if (!lock.atLeast().isZero()) {
			return "lockAtLeastFor";
		}
		return lock.cache() ? "cache" : null;
	}

	/**
	 * Return how ticks are made up for, or {@code null} if they are not.
	 */
	@Nullable Recovery recovery(StringValueResolver placeholders) {
		Duration configured = agreed(RECOVER, LockDeclaration::recoverWithin);
		Duration within = (configured != null) ? configured : annotated(placeholders);
		if (within == null || within.isZero()) {
			return null;
		}
		if (within.isNegative()) {
			throw invalid("the negative recoverWithin " + within, "Set it to a time like 2h, or to none.");
		}
		Integer attempts = agreed("max-attempts", LockDeclaration::maxAttempts);
		int maxAttempts = (attempts != null) ? attempts : MAX_ATTEMPTS;
		if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS) {
			throw invalid("max-attempts = " + maxAttempts, "Set it to a number between 1 and " + MOST_ATTEMPTS + ".");
		}
		check();
		return new Recovery(within, maxAttempts);
	}

	private void check() {
		Method method = this.target.method();
		if (this.oncePerTick == Ticks.NO) {
			throw invalid("recoverWithin, but its runs are no ticks",
					"Remove recoverWithin, or what turns its ticks off: enabled = false, once-per-tick=false, "
							+ "mode = READ, permits, lockAtLeastFor or cache.");
		}
		if (!isCron(method)) {
			throw invalid("recoverWithin, but no @Scheduled(cron = ...)",
					"Remove recoverWithin, or use a cron expression: periodic runs have no time that nodes share.");
		}
		if (!MethodResult.hasEmpty(method)) {
			throw invalid("recoverWithin and returns " + method.getReturnType().getSimpleName()
					+ ", for which there is no empty value", "Return void, or remove recoverWithin.");
		}
	}

	private static boolean isCron(Method method) {
		return schedules(method).anyMatch((scheduled) -> !scheduled.getString("cron").isEmpty());
	}

	private static Stream<MergedAnnotation<Annotation>> schedules(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.stream("org.springframework.scheduling.annotation.Scheduled");
	}

	/**
	 * Return into how many shards a tick is split.
	 */
	Sharding sharding(StringValueResolver placeholders) {
		Integer perNode = agreed(PER_NODE, LockDeclaration::shardsPerNode);
		if (perNode != null && (perNode < 1 || perNode > TickTerms.MOST_SHARDS)) {
			throw invalid(PER_NODE + " = " + perNode,
					"Set it to a number between 1 and " + TickTerms.MOST_SHARDS + ".");
		}
		int shards = shards(placeholders);
		if (shards == 1) {
			return Sharding.NONE;
		}
		checkShards();
		return new Sharding(shards, Math.min((perNode != null) ? perNode : 1, shards));
	}

	private int shards(StringValueResolver placeholders) {
		MergedAnnotation<OncePerTick> annotation = annotation(this.target.method());
		String text = annotation.isPresent() ? annotation.getString("shards").strip() : "";
		if (text.isEmpty()) {
			return 1;
		}
		try {
			String resolved = placeholders.resolveStringValue(text);
			int shards = Integer.parseInt((resolved != null) ? resolved.strip() : "");
			if (shards >= 1 && shards <= TickTerms.MOST_SHARDS) {
				return shards;
			}
			throw new IllegalArgumentException("It is " + shards);
		}
		catch (IllegalArgumentException ex) {
			throw this.target.invalid(
					"has shards = \"" + text + "\", which is not a number between 1 and " + TickTerms.MOST_SHARDS,
					"Set it to a number like 8, or to a placeholder of one.", ex);
		}
	}

	private void checkShards() {
		Method method = this.target.method();
		if (this.oncePerTick == Ticks.NO) {
			throw invalid("shards, but its runs are no ticks",
					"Remove shards, or what turns its ticks off: enabled = false, once-per-tick=false, "
							+ "mode = READ, permits, lockAtLeastFor or cache.");
		}
		if (!isCron(method) || schedules(method).anyMatch((scheduled) -> scheduled.getString("cron").isEmpty())) {
			throw invalid("shards, but not only @Scheduled(cron = ...)",
					"Use a cron expression instead of fixedRate or fixedDelay, or remove shards: periodic runs have no "
							+ "time that nodes share.");
		}
		if (this.declarations.size() > 1 || !this.declarations.get(0).text("condition").isBlank()) {
			throw invalid("shards and " + ((this.declarations.size() > 1) ? "several locks" : "a condition"),
					"Keep one @DistributedLock without a condition: each shard has a lock of its own, with the number "
							+ "of the shard behind the key.");
		}
		if (MethodResult.kind(this.target) != Kind.FINISHED || MethodResult.isAsync(this.target)) {
			throw invalid("shards, but its work goes on after the method has returned",
					"Return void when the work is done, and remove @Async: a node takes the next shard then.");
		}
	}

	private @Nullable Duration annotated(StringValueResolver placeholders) {
		MergedAnnotation<OncePerTick> annotation = annotation(this.target.method());
		String text = annotation.isPresent() ? annotation.getString("recoverWithin").strip() : "";
		if (text.isEmpty()) {
			return null;
		}
		try {
			String resolved = placeholders.resolveStringValue(text);
			return (resolved == null || resolved.isBlank()) ? null
					: DurationFormatterUtils.detectAndParse(resolved.strip(), Unit.MILLIS);
		}
		catch (IllegalArgumentException ex) {
			throw this.target.invalid("has recoverWithin = \"" + text + "\", which is not a duration",
					"Set it to a text like 2h, PT2H or 90m.", ex);
		}
	}

	private <T> @Nullable T agreed(String setting, Function<LockDeclaration, @Nullable T> value) {
		List<T> values = this.declarations.stream().map(value).filter(Objects::nonNull).distinct().toList();
		if (values.size() > 1) {
			throw invalid("the properties " + setting + " = " + values.get(0) + " and " + values.get(1),
					"All locks of a method are acquired or none, so set it once, or to the same value.");
		}
		return values.isEmpty() ? null : values.get(0);
	}

	private InvalidLockUsageException invalid(String problem, String action) {
		return this.target.invalid("has " + problem, action);
	}

}
