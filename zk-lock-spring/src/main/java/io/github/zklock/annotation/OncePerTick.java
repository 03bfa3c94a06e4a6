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

/**
 * Says whether a guarded {@code @Scheduled} method runs at most once per tick in the
 * whole cluster. A tick of a cron expression that one node has run is skipped by all
 * others, however short the run was. With {@code fixedRate} and {@code fixedDelay}, the
 * node that runs a tick keeps the other nodes out for 0.9 of the period. That time counts
 * from the moment the lock was acquired, and again from the end of the run.
 * <p>
 * A node that has just run a cron expression steps back for 50 ms before its next tick,
 * so that two nodes take turns. This is no guarantee.
 * <p>
 * Without this annotation, ticks are on for one permit in mode
 * {@link io.github.zklock.core.LockMode#EXCLUSIVE} or
 * {@link io.github.zklock.core.LockMode#WRITE}. They are off with
 * {@link DistributedLock#lockAtLeastFor}, with a cache, and for periods of less than a
 * second. The property {@code zk-lock.locks.<name>.once-per-tick} is preferred to both.
 *
 * @since 0.1.0
 * @see io.github.zklock.core.LockTick
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OncePerTick {

	/**
	 * Whether the method runs once per tick. With {@code false} each node that acquires
	 * the lock runs the method. The default is {@code true}; a lock that cannot have
	 * ticks is then refused at start-up.
	 * @return whether the method runs once per tick
	 */
	boolean enabled() default true;

	/**
	 * How long after its time a tick of a cron expression may be made up for. A tick that
	 * has begun is run again if its node has died or was shut down in the middle. A tick
	 * that no node ran is run late; of several such ticks, only the latest. So a tick may
	 * run more than once, and <b>the method must be idempotent</b>. A method that ends
	 * with an exception has run, unless it was interrupted or cancelled.
	 * {@link io.github.zklock.core.LockTick#isRecovery()} says whether a run makes up for
	 * another one.
	 * <p>
	 * A node looks for such ticks at its start, after each new session, and when a holder
	 * is gone or a pause ends. Then a key that is an expression is evaluated again: a run
	 * is repeated only if the key has the same value.
	 * <p>
	 * Text like {@code 2h}, {@code PT2H} or {@code 90m}, or a placeholder. The property
	 * {@code zk-lock.locks.<name>.recover-within} is preferred to it, and
	 * {@code zk-lock.locks.<name>.max-attempts} (3) is how often one tick may begin.
	 * Needs a cron expression. The default is empty: a tick is run at most once.
	 * @return the time, or an empty text
	 */
	String recoverWithin() default "";

	/**
	 * Into how many shards a tick of a cron expression is split. Each shard is a run of
	 * its own, which one node of the cluster runs.
	 * {@link io.github.zklock.core.LockTick#shard()} says which it is, from 0 on. Each
	 * node runs one shard after the other, until none is left. The property
	 * {@code zk-lock.locks.<name>.shards-per-node} (1) is how many it runs at once.
	 * <p>
	 * A number from 1 to 100, or a placeholder. Needs a cron expression, one
	 * {@link DistributedLock} without a condition, and a method whose work is done when
	 * it returns. The default is empty: a tick is not split.
	 * @return the number, or an empty text
	 */
	String shards() default "";

}
