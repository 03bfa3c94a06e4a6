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

package io.github.zklock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * Switches on {@link DistributedLock @DistributedLock} in a Spring application without
 * Spring Boot. The application declares a {@link io.github.zklock.core.spi.LockProvider
 * LockProvider} bean, from which the locks come:
 *
 * <pre class="code">
 * &#064;Configuration
 * &#064;EnableDistributedLocks
 * class LockConfiguration {
 *
 *   &#064;Bean
 *   ZooKeeperLockProvider locks(CuratorFramework client) {
 *     return ZooKeeperLockProvider.builder(client).build();
 *   }
 *
 * }</pre>
 *
 * The context gets the beans {@link io.github.zklock.core.LockOperations LockOperations}
 * and {@link io.github.zklock.core.LockJobs LockJobs}, and the checks at start-up. Beans
 * of the types {@link io.github.zklock.core.spi.LockListener LockListener},
 * {@link io.github.zklock.core.spi.LockKeyResolver LockKeyResolver} and
 * {@link io.github.zklock.core.spi.LockSettings LockSettings} are used; without the last
 * one a call waits up to 10 seconds for its lock. With {@code @EnableScheduling},
 * scheduled methods run once per tick. With spring-tx, no transaction commits under a
 * lock that is lost. With spring-jdbc and a {@code DataSource} bean, {@link Fenced}
 * works.
 * <p>
 * The context does not start if it has neither a {@code LockProvider} nor a
 * {@code LockOperations} bean. If it has several providers, one of them has to be
 * primary; a method names another one with {@link DistributedLock#provider()}.
 * <p>
 * With Spring Boot, the auto-configuration does all this. There the properties
 * {@code zk-lock.aop.*} are used instead of these attributes.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(DistributedLocksSelector.class)
public @interface EnableDistributedLocks {

	/**
	 * The order of the lock among the advice of a method. By default it is outside
	 * {@code @Transactional} and {@code @Cacheable}, and inside {@code @Async}.
	 * @return the order, by default {@code Ordered.LOWEST_PRECEDENCE - 100}
	 */
	int order() default Ordered.LOWEST_PRECEDENCE - 100;

	/**
	 * What to do at start-up about methods that cannot be guarded.
	 * @return the validation, by default {@link LockValidation#FAIL}
	 */
	LockValidation validation() default LockValidation.FAIL;

	/**
	 * Whether the proxies of beans extend their classes, even of beans that implement
	 * interfaces. It applies to all proxies that this context creates automatically, for
	 * transactions as well.
	 * @return {@code false} by default, for proxies of the interfaces if there are any
	 */
	boolean proxyTargetClass() default false;

}
