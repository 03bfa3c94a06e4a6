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

/**
 * Fences the transactions of a {@link DistributedLock @DistributedLock} method. No
 * transaction of an earlier holder commits after the method of a later holder has begun.
 * This holds even if the process of the earlier holder was paused for minutes. What the
 * earlier holder committed before is visible to the later one.
 *
 * <pre class="code">
 * &#64;Fenced
 * &#64;DistributedLock(key = "account:#{#id}")
 * &#64;Transactional
 * public void deposit(long id, long amount) {
 * </pre>
 *
 * The database remembers the latest fencing token of each lock, in the table
 * {@code zk_lock_fence}. The token is raised when the lock is acquired and checked before
 * each commit. A commit that is too late is rolled back, and its caller gets a
 * {@link io.github.zklock.core.LockLostException}.
 * <p>
 * Fenced are the transactions of Spring that the method runs on its own thread in one
 * database. Statements in auto-commit, other threads and everything beyond that database
 * are not fenced. The method must not be called inside a transaction: the transaction has
 * to begin after the lock is acquired. Under the same lock it may be called inside one,
 * if the fence was raised before. The method has to end the transaction that it begins,
 * and the transaction has to see the table in which the fence was raised. Otherwise it
 * does not commit. On a class the annotation counts for all of its methods that have a
 * lock. Locks that are turned off, and calls whose {@code condition} is false, raise no
 * fence.
 *
 * @since 0.1.0
 * @see io.github.zklock.core.LockHandle#fencingToken()
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface Fenced {

	/**
	 * The name of the {@code DataSource} bean whose transactions are fenced. Default is
	 * {@code zk-lock.fencing.data-source}, or else the only or primary one.
	 * @return the name of the bean
	 */
	String dataSource() default "";

}
