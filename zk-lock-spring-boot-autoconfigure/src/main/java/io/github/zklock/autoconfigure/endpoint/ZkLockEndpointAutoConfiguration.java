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

package io.github.zklock.autoconfigure.endpoint;

import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.autoconfigure.ZkLockSchedulingAutoConfiguration;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.endpoint.ZkJobsEndpoint;
import io.github.zklock.endpoint.ZkJobsEndpointWebExtension;
import io.github.zklock.endpoint.ZkLockEndpoint;
import io.github.zklock.endpoint.ZkLockEndpointWebExtension;
import io.github.zklock.interceptor.check.GuardedMethods;
import io.github.zklock.interceptor.operation.GuardedMethod;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.leader.internal.ElectedRoles;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for the endpoints {@code zklocks} and {@code zkjobs} of the
 * actuator.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
		ZkLockSchedulingAutoConfiguration.class })
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(LockProvider.class)
public final class ZkLockEndpointAutoConfiguration {

	// Here, since its condition can be loaded only if the conditions of the class are
	// true.
	@Bean
	@ConditionalOnAvailableEndpoint(endpoint = ZkLockEndpoint.class)
	@ConditionalOnMissingBean
	ZkLockEndpoint zkLockEndpoint(ObjectProvider<LockOperationSource> sources,
			ConfigurableListableBeanFactory beanFactory, ObjectProvider<ZkLockProperties> properties,
			ObjectProvider<ElectedRoles> roles, ApplicationEventPublisher events) {
		SingletonSupplier<Iterable<GuardedMethod>> methods = SingletonSupplier.of(() -> sources.orderedStream()
			.flatMap((source) -> new GuardedMethods(beanFactory, source).describe().stream())
			.toList());
		ZkLockProperties settings = properties.getIfAvailable();
		boolean revocable = settings != null && settings.endpoint().revoke();
		return new ZkLockEndpoint(
				SimpleAutowireCandidateResolver.resolveAutowireCandidates(beanFactory, LockProvider.class, false, true),
				methods::obtain, () -> roles.stream().flatMap((each) -> each.status().stream()).toList(),
				ZkLockEndpoint.BOUND,
				revocable ? (event) -> events.publishEvent(new AuditApplicationEvent(event)) : null);
	}

	@Bean
	@ConditionalOnAvailableEndpoint(endpoint = ZkLockEndpoint.class)
	@ConditionalOnBean(ZkLockEndpoint.class)
	@ConditionalOnMissingBean
	ZkLockEndpointWebExtension zkLockEndpointWebExtension(ZkLockEndpoint endpoint) {
		return new ZkLockEndpointWebExtension(endpoint);
	}

	@Bean
	@ConditionalOnAvailableEndpoint(endpoint = ZkJobsEndpoint.class)
	@ConditionalOnBean(value = LockJobs.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ZkJobsEndpoint zkLockJobsEndpoint(LockJobs jobs, ApplicationEventPublisher events) {
		return new ZkJobsEndpoint(jobs, ZkJobsEndpoint.BOUND,
				(event) -> events.publishEvent(new AuditApplicationEvent(event)));
	}

	@Bean
	@ConditionalOnAvailableEndpoint(endpoint = ZkJobsEndpoint.class)
	@ConditionalOnBean(value = ZkJobsEndpoint.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ZkJobsEndpointWebExtension zkLockJobsEndpointWebExtension(ZkJobsEndpoint endpoint) {
		return new ZkJobsEndpointWebExtension(endpoint);
	}

}
