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

import io.github.zklock.config.ScheduledTickConfiguration;
import io.github.zklock.interceptor.source.LockOperationSource;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;

/**
 * Auto-configuration that lets guarded methods run once per tick of their schedule. It
 * does not switch scheduling on: the application does that with
 * {@code @EnableScheduling}. A child context has its own.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ZkLockAopAutoConfiguration.class)
@ConditionalOnClass({ Advisor.class, MethodInterceptor.class })
@ConditionalOnBean({ LockOperationSource.class, ScheduledAnnotationBeanPostProcessor.class })
@ConditionalOnBooleanProperty(name = "zk-lock.enabled", matchIfMissing = true)
@Import(ScheduledTickConfiguration.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class ZkLockSchedulingAutoConfiguration {

}
