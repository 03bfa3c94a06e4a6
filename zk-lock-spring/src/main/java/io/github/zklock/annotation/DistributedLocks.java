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
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Holds several {@link DistributedLock @DistributedLock} annotations of one method or
 * class: all of their locks are acquired, or none. They are sorted by key, acquired
 * within one timeout, and released in reverse.
 * <p>
 * Some attributes apply to the call as a whole: {@code waitMs} or {@code waitTime},
 * {@code onNotAcquired}, {@code onUnavailable}, {@code fallbackMethod}, {@code onLost}
 * and {@code release}. Set each of them once, or to the same value on several
 * annotations. An annotation that leaves one at its default uses the value of the others.
 * The start-up check refuses contradictions.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Reflective
public @interface DistributedLocks {

	/**
	 * The locks.
	 * @return the locks
	 */
	DistributedLock[] value();

}
