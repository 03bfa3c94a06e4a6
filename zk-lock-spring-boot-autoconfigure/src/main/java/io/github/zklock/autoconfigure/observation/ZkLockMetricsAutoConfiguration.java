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

import java.time.Instant;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockFencingAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockSchedulingAutoConfiguration;
import io.github.zklock.autoconfigure.leader.ZkLockLeaderAutoConfiguration;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.ProviderGauges;
import io.github.zklock.fencing.DatabaseFences;
import io.github.zklock.interceptor.ScheduledJobs;
import io.github.zklock.leader.internal.ElectedRoles;
import io.github.zklock.observation.internal.FenceMetrics;
import io.github.zklock.observation.internal.JobMetrics;
import io.github.zklock.observation.internal.LeaderMetrics;
import io.github.zklock.observation.internal.LockMetrics;
import io.github.zklock.observation.internal.LockProviderMetrics;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the metrics of locks, if the application has a meter registry.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		after = { ZkLockAutoConfiguration.class, ZkLockFencingAutoConfiguration.class,
				ZkLockSchedulingAutoConfiguration.class, ZkLockLeaderAutoConfiguration.class },
		afterName = { "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, LockProvider.class })
public final class ZkLockMetricsAutoConfiguration {

	// A listener is created with the first lock, so no registry needs a lock that needs
	// the registry.
	@Bean
	@ConditionalOnMissingBean
	LockMetrics zkLockMetrics(MeterRegistry registry) {
		return new LockMetrics(registry);
	}

	@Bean
	@ConditionalOnBean(DatabaseFences.class)
	@ConditionalOnMissingBean
	FenceMetrics zkLockFenceMetrics(MeterRegistry registry) {
		return new FenceMetrics(registry);
	}

	// Spring has scheduled the methods before.
	@Bean
	@ConditionalOnBean(value = ScheduledJobs.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	JobMetrics zkLockJobMetrics(ScheduledJobs jobs) {
		return new JobMetrics(jobs, jobs::planned, Instant::now, System::nanoTime);
	}

	@Bean
	@ConditionalOnBean(value = JobMetrics.class, search = SearchStrategy.CURRENT)
	JobMetricsStart zkLockJobMetricsStart(ApplicationContext context, ObjectProvider<JobMetrics> metrics,
			ObjectProvider<ScheduledJobs> jobs, ObjectProvider<MeterRegistry> registry) {
		return new JobMetricsStart(context,
				() -> metrics.getObject().register(registry.getObject(), jobs.getObject().names()));
	}

	// The roles are known when all beans are there.
	@Bean
	@ConditionalOnBean(value = ElectedRoles.class, search = SearchStrategy.CURRENT)
	JobMetricsStart zkLockLeaderMetricsStart(ApplicationContext context, ObjectProvider<ElectedRoles> roles,
			ObjectProvider<MeterRegistry> registry) {
		return new JobMetricsStart(context,
				() -> LeaderMetrics.register(registry.getObject(), roles.getObject()::status));
	}

	@Bean
	@ConditionalOnBean(ProviderGauges.class)
	@ConditionalOnMissingBean
	LockProviderMetrics zkLockProviderMetrics(ConfigurableListableBeanFactory beanFactory) {
		return new LockProviderMetrics(SimpleAutowireCandidateResolver.resolveAutowireCandidates(beanFactory,
				ProviderGauges.class, false, true));
	}

}
