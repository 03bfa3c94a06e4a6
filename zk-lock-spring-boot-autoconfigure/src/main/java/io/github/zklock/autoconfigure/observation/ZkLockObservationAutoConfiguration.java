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

package io.github.zklock.autoconfigure.observation;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.observation.LockObservationDocumentation;
import io.github.zklock.observation.internal.LockObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration for the spans of locks, if the application traces. They are turned
 * off with {@code management.observations.enable.zk.lock.span=false}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ZkLockAutoConfiguration.class, afterName = {
		"org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
		"org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
		"org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration",
		"org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
		"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration" })
@ConditionalOnClass({ ObservationRegistry.class, Tracer.class })
@ConditionalOnBean({ ObservationRegistry.class, Tracer.class, LockProvider.class })
@EnableConfigurationProperties(ZkLockProperties.class)
public final class ZkLockObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockObservations zkLockObservations(ObservationRegistry registry, ZkLockProperties properties) {
		return new LockObservations(registry, properties.keyInSpans());
	}

	/**
	 * No meters of the observations, since there are better ones.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class NoMetersConfiguration {

		@Bean
		MeterFilter zkLockSpansHaveNoMeters() {
			return MeterFilter.denyNameStartsWith(LockObservationDocumentation.PREFIX);
		}

	}

}
