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

package io.github.zklock.leader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a {@link org.springframework.context.Lifecycle Lifecycle} bean on one node of the
 * cluster only, the leader of a role. The bean is started when its node gets the role,
 * and stopped when its node loses it. Then another node may get it.
 *
 * <pre class="code">
 * &#064;Component
 * &#064;LeaderRole("indexer")
 * class Indexer implements Lifecycle { ... }</pre>
 *
 * The annotation stands on the class of the bean or on its {@code @Bean} method. Several
 * beans may have one role: they are started in the order of their phases, and stopped in
 * reverse. Spring must not start such a bean itself, so
 * {@link org.springframework.context.SmartLifecycle#isAutoStartup() isAutoStartup()} of a
 * {@code SmartLifecycle} has to return {@code false}. The start-up check refuses a bean
 * that is no {@code Lifecycle} or no singleton, and a role without a name.
 * <p>
 * {@code start()} and {@code stop()} are called on a thread of the role. They return when
 * the bean has started or stopped; work goes on in threads of the bean. A {@code stop()}
 * has the {@linkplain Leadership#remaining() rest of the lease}. If the node loses the
 * role while {@code start()} runs, the thread is interrupted.
 *
 * @since 0.1.0
 * @see LeaderRoles
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface LeaderRole {

	/**
	 * The name of the role in the cluster. It has a letter or a digit, and neither a dot
	 * nor a control character. It may have placeholders, such as
	 * {@code "indexer-${region}"}. The lock of the role has the key
	 * {@code leader:<role>}.
	 * @return the name
	 */
	String value();

}
