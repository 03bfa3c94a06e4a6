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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.NotAcquired;
import io.github.zklock.annotation.Unavailable;
import io.github.zklock.core.DurationText;
import io.github.zklock.interceptor.operation.GuardedMethod.Setting;
import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.OncePerTick;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Says of each setting of a method where it comes from, in the order in which the places
 * are asked when the operation is made: a property for the name of the lock, the
 * annotation, what is otherwise with scheduled methods, the default.
 *
 * @param annotations the annotations of the method, one for each lock
 * @param declaresWait whether they say how long to wait
 * @param scheduled whether the method is one of a schedule
 * @param settings what the configuration says
 */
record LockSettingSources(List<MergedAnnotation<DistributedLock>> annotations, boolean declaresWait, boolean scheduled,
		LockSettings settings) {

	private static final String DEFAULT = "default";

	private static final String SCHEDULED = "@Scheduled";

	Map<String, Setting> ofCall(LockOperation operation) {
		Map<String, Setting> settings = new LinkedHashMap<>();
		settings.put("onNotAcquired", (operation.fallback() != null) ? new Setting("fallbackMethod", "annotation")
				: setting(operation.onNotAcquired(), "onNotAcquired", operation.onNotAcquired() == NotAcquired.SKIP));
		if (operation.fallback() != null) {
			settings.put("fallbackMethod", new Setting(operation.fallback().toString(), "annotation"));
		}
		settings.put("onUnavailable",
				setting(operation.onUnavailable(), "onUnavailable", operation.onUnavailable() == Unavailable.SKIP));
		settings.put("release", setting(operation.release(), "release", false));
		if (this.scheduled) {
			settings.put("oncePerTick", oncePerTick(operation));
		}
		return settings;
	}

	List<Map<String, Setting>> ofLocks(LockOperation operation) {
		return IntStream.range(0, operation.locks().size())
			.mapToObj((i) -> ofLock(operation.locks().get(i), this.annotations.get(i)))
			.toList();
	}

	private Map<String, Setting> ofLock(LockSpecification lock, MergedAnnotation<DistributedLock> annotation) {
		String name = lock.name();
		Map<String, Setting> settings = new LinkedHashMap<>();
		settings.put("key", new Setting(lock.key().getText(), "annotation"));
		settings.put("name", setting(name, annotation, "name"));
		settings.put("mode", setting(lock.mode(), annotation, "mode"));
		settings.put("wait", new Setting(DurationText.of(lock.waitTime()), sourceOfWait(name)));
		settings.put("atLeast", setting(DurationText.of(lock.atLeast()), annotation, "atLeast"));
		LockExpression permits = lock.permitsExpression();
		settings.put("permits", setting((permits != null) ? permits.getText() : lock.permits(), annotation, "permits"));
		settings.put("reentrant", setting(lock.reentrant(), annotation, "reentrant"));
		settings.put("cache", (this.settings.cache(name) != null) ? ofProperty(lock.cache(), name, "cache")
				: setting(lock.cache(), annotation, "cache"));
		settings.put("onLost", setting(lock.onLost(), "onLost", false));
		LockExpression condition = lock.condition();
		if (condition != null) {
			settings.put("condition", setting(condition.getText(), annotation, "condition"));
		}
		settings.put("enabled", lock.enabled() ? new Setting("true", DEFAULT) : ofProperty(false, name, "enabled"));
		return settings;
	}

	private String sourceOfWait(String name) {
		if (this.settings.wait(name) != null) {
			return property(name, "wait");
		}
		if (this.declaresWait) {
			return "annotation";
		}
		return this.scheduled ? SCHEDULED : "zk-lock.default-wait";
	}

	private Setting oncePerTick(LockOperation operation) {
		boolean once = operation.oncePerTick() != OncePerTick.NO;
		String name = operation.locks()
			.stream()
			.map(LockSpecification::name)
			.filter((each) -> this.settings.oncePerTick(each) != null)
			.findFirst()
			.orElse(null);
		if (name != null) {
			return ofProperty(once, name, "once-per-tick");
		}
		return new Setting(Boolean.toString(once), once ? SCHEDULED : "annotation");
	}

	// All annotations of a method have the same value, or the default.
	private Setting setting(Object value, String attribute, boolean bySchedule) {
		boolean said = this.annotations.stream().anyMatch((each) -> each.hasNonDefaultValue(attribute));
		return new Setting(value.toString(),
				said ? "annotation" : (bySchedule && this.scheduled) ? SCHEDULED : DEFAULT);
	}

	private static Setting setting(@Nullable Object value, MergedAnnotation<DistributedLock> annotation,
			String attribute) {
		return new Setting(Objects.toString(value), annotation.hasNonDefaultValue(attribute) ? "annotation" : DEFAULT);
	}

	private static Setting ofProperty(Object value, String name, String property) {
		return new Setting(value.toString(), property(name, property));
	}

	private static String property(String name, String property) {
		return "zk-lock.locks." + name + "." + property;
	}

}
