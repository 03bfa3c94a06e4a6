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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.core.spi.LockSettings;
import io.github.zklock.interceptor.expression.LockExpressionEvaluator;
import io.github.zklock.interceptor.expression.LockKeyParser;
import io.github.zklock.interceptor.operation.GuardedMethod.Setting;
import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.source.LockAnnotationParser.Policies;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.format.annotation.DurationFormat.Unit;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringValueResolver;

/**
 * One lock of a method: what its annotation says, and what the configuration says instead
 * for its name. Remembers of each setting where it comes from.
 */
final class LockDeclaration {

	static final String ANNOTATION = "annotation";

	static final String DEFAULT = "default";

	static final String SCHEDULED = "@Scheduled";

	private static final String WAIT_ACTION = "Set one of them: waitMs to 0 or more milliseconds, or waitTime to a text "
			+ "like 5s, PT5S, 500ms or forever; or none for the configured default.";

	private static final String AT_LEAST_ACTION = "Set it to a text like 30s, PT30S or 500ms, shorter than the time "
			+ "between two runs.";

	private static final String PERMITS_ACTION = "Set permits to 1 or more, and to more than 1 only with mode = "
			+ "EXCLUSIVE: a number, a placeholder, or an expression like #tenant.limit.";

	private static final Pattern EXPRESSION_AS_PLACEHOLDER = Pattern.compile("\\$\\{\\s*([#@][^{}]+)\\}");

	private final LockTarget target;

	private final MergedAnnotation<DistributedLock> merged;

	private final DistributedLock annotation;

	private final StringValueResolver placeholders;

	private final LockSettings settings;

	private final String name;

	// By the name of the attribute.
	private final Map<String, Setting> sources = new LinkedHashMap<>();

	LockDeclaration(LockTarget target, MergedAnnotation<DistributedLock> merged, StringValueResolver placeholders,
			LockSettings settings) {
		this.target = target;
		this.merged = merged;
		this.annotation = merged.synthesize();
		this.placeholders = placeholders;
		this.settings = settings;
		String name = text("name");
		String problem = name.isBlank() ? null : LockKeys.nameProblem(name);
		if (problem != null) {
			throw target.invalid("has the name '" + LockKeys.printable(name) + "', which " + problem,
					name.contains(".") ? "Write " + name.replace('.', '-') + " instead."
							: "Use letters, digits and dashes, such as report-job.");
		}
		this.name = name.isBlank() ? target.defaultName() : name;
	}

	// Whatever may change of a job in a release, its explicit name stays.
	String schedule() {
		return text("name").isBlank() ? this.target.qualifiedName() : this.name;
	}

	DistributedLock annotation() {
		return this.annotation;
	}

	Map<String, Setting> sources() {
		return Collections.unmodifiableMap(this.sources);
	}

	/**
	 * Return the text of an attribute with its placeholders resolved.
	 */
	String text(String attribute) {
		String text = this.merged.getString(attribute);
		IllegalArgumentException cause = null;
		try {
			String resolved = text.isEmpty() ? text : this.placeholders.resolveStringValue(text);
			// Some resolvers leave in place what they do not know.
			if (resolved == null || !resolved.contains("${")) {
				return (resolved != null) ? resolved : "";
			}
		}
		catch (IllegalArgumentException ex) {
			cause = ex;
		}
		Matcher expression = EXPRESSION_AS_PLACEHOLDER.matcher(text);
		if (expression.find()) {
			throw this.target.invalid(
					"has the " + attribute + " '" + text + "', in which ${...} has an expression, but means a property",
					"Write #{" + expression.group(1) + "} instead of ${" + expression.group(1) + "}.", cause);
		}
		throw this.target.invalid("has the " + attribute + " '" + text + "', in which a placeholder cannot be resolved",
				"Define the property, or give the placeholder a default: ${name:default}.", cause);
	}

	/**
	 * Return how long to wait as the annotation says, {@code null} if it does not.
	 */
	@Nullable Duration declaredWait() {
		long waitMs = this.annotation.waitMs();
		String waitTime = text("waitTime");
		if (waitMs < -1) {
			throw this.target.invalid("has waitMs = " + waitMs, WAIT_ACTION);
		}
		if (waitMs >= 0 && !waitTime.isBlank()) {
			throw this.target.invalid("has both waitMs = " + waitMs + " and waitTime = \"" + waitTime + "\"",
					WAIT_ACTION);
		}
		if (waitMs >= 0 || waitTime.isBlank()) {
			return (waitMs >= 0) ? Duration.ofMillis(waitMs) : null;
		}
		return waitTime.strip().equalsIgnoreCase("forever") ? LockRequest.FOREVER
				: duration("waitTime", waitTime.strip(), WAIT_ACTION);
	}

	@Nullable Boolean oncePerTick() {
		return configured((settings) -> settings.oncePerTick(this.name));
	}

	@Nullable Duration recoverWithin() {
		return configured((settings) -> settings.recoverWithin(this.name));
	}

	@Nullable Integer maxAttempts() {
		return configured((settings) -> settings.maxAttempts(this.name));
	}

	@Nullable Integer shardsPerNode() {
		return configured((settings) -> settings.shardsPerNode(this.name));
	}

	/**
	 * Return the name of the property that says something instead of the annotation.
	 */
	String property(String setting) {
		return "zk-lock.locks." + this.name + "." + setting;
	}

	/**
	 * Read the lock, whose expressions may name beans.
	 */
	LockSpecification read(Policies policies, boolean scheduled, @Nullable BeanFactory beanFactory) {
		LockExpression key = parser("key", beanFactory).parseKey(text("key"));
		LockExpression permits = parser("permits", beanFactory).parse(text("permits"));
		String condition = text("condition");
		LockMode mode = this.annotation.mode();
		this.sources.put("key", new Setting(key.text(), ANNOTATION));
		from("name", this.name);
		from("mode", mode);
		Duration wait = waitTime(policies.waitTime(), scheduled);
		Duration atLeast = atLeast();
		int number = number(permits, atLeast);
		from("permits", permits.isLiteral() ? number : permits);
		boolean cached = isCached(number, atLeast);
		this.sources.put("onLost", new Setting(policies.onLost().toString(),
				(policies.onLost() != LossPolicy.FAIL_AT_EXIT) ? ANNOTATION : DEFAULT));
		LockExpression compiled = condition.isBlank() ? null
				: parser("condition", beanFactory).parseCondition(condition);
		if (compiled != null) {
			from("condition", compiled);
		}
		boolean unguarded = configured((settings) -> settings.isUnguarded(this.name));
		this.sources.put("unguarded",
				new Setting(Boolean.toString(unguarded), unguarded ? property("unguarded") : DEFAULT));
		return new LockSpecification(key, this.name, mode, wait, number, permits.isLiteral() ? null : permits, atLeast,
				policies.onLost(), cached, unguarded, compiled, text("provider").strip());
	}

	// An annotated interface method may name its parameters differently.
	private LockKeyParser parser(String attribute, @Nullable BeanFactory beanFactory) {
		Method named = (this.merged.getSource() instanceof Method source) ? source : this.target.method();
		return new LockKeyParser(this.target, named, attribute, beanFactory);
	}

	private Duration waitTime(@Nullable Duration declared, boolean scheduled) {
		Duration wait = configured((settings) -> settings.wait(this.name));
		String source = property("wait");
		if (wait != null && wait.isNegative()) {
			throw this.target.invalid("has the negative wait " + wait + " by the property " + source,
					"Set the property to 0 or more, or remove it.");
		}
		if (wait == null && declared != null) {
			wait = declared;
			source = ANNOTATION;
		}
		else if (wait == null) {
			wait = scheduled ? Duration.ZERO : this.settings.defaultWait();
			source = scheduled ? SCHEDULED : "zk-lock.default-wait";
		}
		this.sources.put("wait", new Setting(DurationText.of(wait), source));
		return wait;
	}

	private Duration atLeast() {
		String text = text("lockAtLeastFor").strip();
		Duration atLeast = text.isEmpty() ? Duration.ZERO : duration("lockAtLeastFor", text, AT_LEAST_ACTION);
		if (atLeast.compareTo(LockRequest.LONGEST_AT_LEAST) > 0) {
			throw this.target.invalid("has lockAtLeastFor = \"" + text + "\", which is longer than "
					+ LockRequest.LONGEST_AT_LEAST.toDays() + " days", AT_LEAST_ACTION);
		}
		from("lockAtLeastFor", DurationText.of(atLeast));
		return atLeast;
	}

	private Duration duration(String attribute, String text, String action) {
		Duration duration;
		try {
			duration = DurationFormatterUtils.detectAndParse(text, Unit.MILLIS);
		}
		catch (IllegalArgumentException ex) {
			throw this.target.invalid("has " + attribute + " = \"" + text + "\", which is not a duration", action, ex);
		}
		if (duration.isNegative()) {
			throw this.target.invalid("has the negative " + attribute + " = \"" + text + "\"", action);
		}
		return duration;
	}

	// Zero if each call has its own number.
	private int number(LockExpression permits, Duration atLeast) {
		Integer number = permits.isLiteral() ? LockExpressionEvaluator.wholeNumber(permits.text()) : Integer.valueOf(0);
		if (number == null || (permits.isLiteral() && number < 1)) {
			throw invalidPermits(permits, ", which is not a number of 1 or more", PERMITS_ACTION);
		}
		if (number != 1 && this.annotation.mode() != LockMode.EXCLUSIVE) {
			throw invalidPermits(permits,
					" and mode = " + this.annotation.mode() + ", which no number of permits can share", PERMITS_ACTION);
		}
		if (number != 1 && !atLeast.isZero()) {
			throw invalidPermits(permits, " and lockAtLeastFor, which cannot be combined",
					"Remove permits: it is not defined which callers are kept out while permits are free. Or remove lockAtLeastFor.");
		}
		return number;
	}

	private InvalidLockUsageException invalidPermits(LockExpression permits, String problem, String action) {
		return this.target.invalid("has permits = \"" + permits + "\"" + problem, action);
	}

	private boolean isCached(int permits, Duration atLeast) {
		Boolean configured = configured((settings) -> settings.cache(this.name));
		boolean cached = Boolean.TRUE.equals(configured);
		if (cached && (permits != 1 || !atLeast.isZero())) {
			throw this.target.invalid(
					"has the property " + property("cache") + " = true and "
							+ ((permits != 1) ? "permits" : "lockAtLeastFor") + ", which cannot be combined",
					"Remove one of them: only a lock that one process holds, and only as long as it needs it, can "
							+ "be kept for its next call.");
		}
		this.sources.put("cache",
				new Setting(Boolean.toString(cached), (configured != null) ? property("cache") : DEFAULT));
		return cached;
	}

	private void from(String attribute, Object value) {
		this.sources.put(attribute,
				new Setting(value.toString(), this.merged.hasNonDefaultValue(attribute) ? ANNOTATION : DEFAULT));
	}

	private <T extends @Nullable Object> T configured(Function<LockSettings, T> setting) {
		try {
			return setting.apply(this.settings);
		}
		catch (RuntimeException ex) {
			throw this.target.invalid("has an override that cannot be read: " + ex.getMessage(),
					"Correct or remove the properties " + property("*") + ".", ex);
		}
	}

}
