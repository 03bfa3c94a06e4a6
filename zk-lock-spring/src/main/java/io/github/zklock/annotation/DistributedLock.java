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
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.ReleasePolicy;
import io.github.zklock.core.UnavailablePolicy;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method under a distributed lock. A key has at most one
 * {@link LockMode#EXCLUSIVE} or {@link LockMode#WRITE} holder, or any number of
 * {@link LockMode#READ} holders. With {@link #permits}, several {@code EXCLUSIVE} holders
 * share a key. This holds for all nodes that use the same ZooKeeper ensemble and root.
 * <p>
 * On a class or interface it applies to all methods declared there. Subclasses inherit
 * it. An annotation on the method wins over one on the class. It can be used as a
 * meta-annotation with {@code @AliasFor} attributes. The method is called through a
 * Spring proxy, so a call on {@code this} is not guarded. Private, final and static
 * methods cannot be guarded, and the start-up check refuses them.
 * <p>
 * The lock surrounds {@code @Transactional} and {@code @Cacheable}, and is taken within
 * {@code @Async} and for each attempt of Spring Framework's {@code @Retryable}.
 * <p>
 * A method that returns a {@code CompletionStage} or a {@code CompletableFuture} returns
 * at once. Its body runs when the lock is granted, on a thread of the lock provider. The
 * lock is released when its stage completes. Every failure fails the future, even an
 * exception of the method itself. A method that returns a {@code Mono}, a {@code Flux} or
 * another reactive type acquires the lock for each subscription. A Kotlin {@code Flow}
 * acquires it each time it is collected. A suspending function acquires it for each call.
 * The lock is released before the subscriber receives the end of the stream. No thread
 * waits for the lock, except one of {@code @Async}. The body does not see the caller's
 * transaction. {@code TaskDecorator} beans carry other thread-bound state to the body of
 * a stage. A method whose work continues in another way, such as a plain {@code Future},
 * is refused at start-up, unless it is {@code @Async} as well.
 * <p>
 * The lock outlives the work. The caller of a method gets a future of its own. When that
 * is cancelled or times out, the lock is kept until the method's stage completes. That
 * stage is not cancelled. Cancelling the returned publisher also cancels the publisher of
 * the method. The lock is released when no thread of Reactor's schedulers executes that
 * publisher any more. The same applies when the publisher fails. <b>Limit</b>: zk-lock
 * sees only the work on threads of Reactor's schedulers. It does not see the executor of
 * a future behind {@code Mono.fromFuture}, or a Kotlin dispatcher. Such work continues
 * without the lock when the publisher is cancelled. Let such a method return a
 * {@code CompletableFuture} that completes when its work is done.
 * <p>
 * A {@code @Scheduled} method runs at most once for each planned time (<em>tick</em>) in
 * the whole cluster, see {@link OncePerTick}.
 * {@link io.github.zklock.core.LockTick#current()} returns the tick. If the application
 * calls such a method itself, the call takes the lock and is no tick.
 * <p>
 * There is no lease time: the lock is held as long as the method runs and its ZooKeeper
 * session lives. The session may be lost before the method returns. If only the network
 * or a server fails, the loss is detected before another client can hold the lock. The
 * method is not stopped, so it may overlap with the next holder. Its caller gets a
 * {@link io.github.zklock.core.LockLostException}. {@code LockHandle.assertHeld()},
 * {@link #onLost} and fencing tokens limit what it can still do.
 *
 * @since 0.1.0
 * @see io.github.zklock.core.LockHandle#current()
 * @see io.github.zklock.core.LockTemplate
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Reflective
@Repeatable(DistributedLocks.class)
public @interface DistributedLock {

	/**
	 * The same as {@link #key}.
	 * @return the key
	 */
	@AliasFor("key")
	String value() default "";

	/**
	 * The key of the lock. One of
	 * <ul>
	 * <li>plain text: {@code "nightly-report"}</li>
	 * <li>text with placeholders and expressions:
	 * <code>"${app.region}:order:#{#order.id}"</code></li>
	 * <li>a whole SpEL expression, if it begins with <code>#</code> or <code>'</code>:
	 * {@code "'order:' + #order.id"}</li>
	 * </ul>
	 * Expressions see the arguments by name ({@code #order}) and by position
	 * ({@code #p0}, {@code #a0}), beans ({@code @bean}) and {@code #root} with
	 * {@code method}, {@code methodName}, {@code target}, {@code targetClass} and
	 * {@code args}. There is no default, and an empty key is refused at start-up. A key
	 * that evaluates to {@code null}, is blank or has control characters throws
	 * {@link io.github.zklock.core.LockKeyException} before a request is sent.
	 * @return the key
	 */
	@AliasFor("value")
	String key() default "";

	/**
	 * How the lock shares its key. The default is {@link LockMode#EXCLUSIVE}.
	 * @return the mode
	 */
	LockMode mode() default LockMode.EXCLUSIVE;

	/**
	 * How long to wait for the lock, in milliseconds. {@code 0} is one try. The default
	 * is {@code -1}: the value of {@code zk-lock.default-wait}, or {@code 0} on a
	 * {@code @Scheduled} method. This time also limits the wait in an outage.
	 * @return the milliseconds
	 */
	long waitMs() default -1;

	/**
	 * How long to wait for the lock, as a duration text: {@code "5s"}, {@code "PT5S"},
	 * <code>"${app.wait}"</code>, or {@code "forever"}. Not to be used together with
	 * {@link #waitMs}. The default is the empty text: {@link #waitMs} decides.
	 * @return the duration
	 */
	String waitTime() default "";

	/**
	 * The name of the lock for logs, metrics and the properties
	 * {@code zk-lock.locks.<name>.*}. It contains no argument of the call and no dot. The
	 * default is the class and the method in kebab case, such as {@code report-job-run}.
	 * A name that is set identifies a scheduled job, together with its key. Without it,
	 * the class and the method do. So no two jobs of an application may set one name.
	 * @return the name
	 */
	String name() default "";

	/**
	 * What to do when the lock was not acquired in time. The default is
	 * {@link NotAcquiredPolicy#AUTO}: call the {@link #fallbackMethod} if there is one;
	 * else skip {@code @Scheduled} methods; else throw.
	 * @return the action
	 */
	NotAcquiredPolicy onNotAcquired() default NotAcquiredPolicy.AUTO;

	/**
	 * What to do when ZooKeeper could not be asked for the lock in time. It is about the
	 * lock of this method only. If the method itself throws a
	 * {@code LockUnavailableException}, its caller gets that unchanged. The default is
	 * {@link UnavailablePolicy#AUTO}: skip {@code @Scheduled} methods without a primitive
	 * result, with one WARN for each method and outage; else throw.
	 * @return the action
	 */
	UnavailablePolicy onUnavailable() default UnavailablePolicy.AUTO;

	/**
	 * The method to call instead when the lock was not acquired. This attribute names a
	 * method of the same class. That method may be private or inherited. It has the same
	 * parameters, optionally followed by a {@link io.github.zklock.core.LockException},
	 * and a return type that fits. It is called on the object itself, so without advice
	 * such as {@code @Transactional}. In an outage {@link #onUnavailable} decides. Not
	 * together with {@link #onNotAcquired}. The default is the empty text: none.
	 * @return the method
	 */
	String fallbackMethod() default "";

	/**
	 * How many may hold the key at once, as a number, placeholder or expression:
	 * {@code "3"}, <code>"${app.permits}"</code>, {@code "#tenant.limit"}. More than one
	 * only with {@link LockMode#EXCLUSIVE}; all requests for a key must use the same
	 * number. A result that is not a number of 1 or more throws
	 * {@code io.github.zklock.core.LockExpressionException} before anything is sent. The
	 * default is {@code "1"}.
	 * @return the number
	 */
	String permits() default "1";

	/**
	 * How long to keep the lock at least, counted from the moment it was acquired, as a
	 * duration text: {@code "30s"}, {@code "PT30S"}, <code>"${app.least}"</code>. The key
	 * stays taken when the method returns earlier, and even when its process ends or
	 * crashes. The return of the method does not wait for that time. No other caller gets
	 * the lock before the time is over, even if the clocks of the nodes differ. After a
	 * crash, a node that sees the lock for the first time waits for the whole time from
	 * that moment on. The time of a {@link LockMode#READ} lock keeps out only requests of
	 * the other modes. This attribute cannot be combined with {@link #permits}. Plain
	 * recipes of Curator on the same path ignore this time once the process has ended.
	 * <p>
	 * A method that is called under a lock of its own key re-enters that lock. Then this
	 * time has no effect: the outermost lock decides. The default is the empty text: no
	 * longer than the method runs.
	 * @return the duration
	 */
	String lockAtLeastFor() default "";

	/**
	 * What happens when the lock is lost while the method runs. The default is
	 * {@link LossPolicy#FAIL_AT_EXIT}.
	 * @return the action
	 */
	LossPolicy onLost() default LossPolicy.FAIL_AT_EXIT;

	/**
	 * When the lock is released. The default is {@link ReleasePolicy#TRANSACTION}: after
	 * the transaction in which the method was called, if there is one, else when the
	 * method ends. A method that returns a future or a publisher does not join its
	 * caller's transaction. Its lock is released when its own work ends.
	 * @return the moment
	 */
	ReleasePolicy release() default ReleasePolicy.TRANSACTION;

	/**
	 * A SpEL expression that says whether the call needs the lock, with the variables of
	 * {@link #key}: {@code "#order.total > 1000"}. It is evaluated before the key. If it
	 * is {@code false}, the method runs without this lock, which is logged the first
	 * time. If it is neither true nor false, the call fails. The default is the empty
	 * text: always with the lock.
	 * @return the expression
	 */
	String condition() default "";

	/**
	 * The name of the {@code LockProvider} bean that provides the lock, as
	 * {@code @Transactional} names its transaction manager. Applications that use several
	 * ensembles of ZooKeeper need it. The name may contain placeholders. The same key of
	 * another provider is another lock. All annotations on one method must name the same
	 * provider. A name without such a bean is refused at start-up. The default is the
	 * empty text: the provider of the application's {@code LockOperations} bean.
	 * @return the name of the bean
	 */
	String provider() default "";

}
