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

package io.github.zklock.interceptor.check;

import java.lang.reflect.Method;

import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.source.LockOperationSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Reports the message listeners and handlers that call a guarded bean without its proxy,
 * where such a bean does not stop the start. Spring's listeners of events ask for the
 * bean, so they pass the proxy.
 */
final class UnguardedHandlers implements BeanPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(LockUsageValidator.class);

	// The listeners of Kafka, AMQP, JMS, Pulsar and others are mappings as well.
	private static final String MAPPING = "org.springframework.messaging.handler.annotation.MessageMapping";

	private static final String OF_INTEGRATION = "org.springframework.integration.annotation.";

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockOperationSource operationSource;

	UnguardedHandlers(ConfigurableListableBeanFactory beanFactory, LockOperationSource operationSource) {
		this.beanFactory = beanFactory;
		this.operationSource = operationSource;
	}

	/** Report them for the beans so far, and then for each bean that comes later. */
	void begin() {
		for (String beanName : EarlyReferences.names(this.beanFactory)) {
			Class<?> type = GuardedMethods.typeOf(this.beanFactory, this.operationSource::isCandidateClass, beanName);
			if (type != null) {
				report(beanName, type);
			}
		}
		this.beanFactory.addBeanPostProcessor(this);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (EarlyReferences.names(this.beanFactory).contains(beanName)) {
			report(beanName, ClassUtils.getUserClass(AopUtils.getTargetClass(bean)));
		}
		return bean;
	}

	private void report(String beanName, Class<?> type) {
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type,
				(each) -> isHandler(each) && this.operationSource.hasLockOperation(each, type))) {
			logger.error("The @DistributedLock method {} runs without its lock for each message: it is in bean '{}', "
					+ "which another bean got before its proxy was ready ({}). Put @Lazy on an injection point of "
					+ "this circle", new LockTarget(method, type), beanName,
					EarlyReferences.circle(this.beanFactory, beanName));
		}
	}

	private static boolean isHandler(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.stream()
			.map((annotation) -> annotation.getType().getName())
			.anyMatch((name) -> name.equals(MAPPING) || name.startsWith(OF_INTEGRATION));
	}

}
