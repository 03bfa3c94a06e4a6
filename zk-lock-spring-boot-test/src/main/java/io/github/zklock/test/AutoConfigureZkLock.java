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

package io.github.zklock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * For test classes: guards {@code @DistributedLock} methods with locks in memory in the
 * place of ZooKeeper, and gives the test a {@link LockTesting}. No client is started. Use
 * it beside {@code @SpringBootTest}, or beside a slice like {@code @WebMvcTest}, which
 * has no locks without it. Methods of the beans that the slice has are guarded there as
 * in the application.
 * <p>
 * Locks are on, even if {@code zk-lock.enabled} turns them off elsewhere. An application
 * context that is used by several tests has one set of locks. The effects of a test on it
 * are forgotten after each of its methods, see {@link LockTesting#reset()}.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(properties = "zk-lock.enabled=true")
public @interface AutoConfigureZkLock {

}
