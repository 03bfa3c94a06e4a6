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

package io.github.zklock.core;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * The jobs of this application: its guarded {@code @Scheduled} methods that run once per
 * tick. What is read and changed here holds for the whole cluster, on any node. A job is
 * known by the name of its lock. If several beans of its class have different keys, each
 * of them is a job. The name of its bean follows a dot then. A child context knows the
 * jobs of its parent, too. All methods block for up to 5 seconds, except {@link #run}.
 * Not for jobs of schedulers other than Spring's.
 *
 * @since 0.1.0
 */
public interface LockJobs {

	/**
	 * Return all jobs, in the order of their names. A job whose key cannot be computed
	 * without a call of its method is left out, with a warning.
	 * @return the jobs
	 * @throws LockUnavailableException if ZooKeeper cannot be asked
	 * @throws LockAccessException if this client may not read the jobs
	 */
	List<LockJob> list();

	/**
	 * Return a job.
	 * @param name the name of the job
	 * @return the job
	 * @throws java.util.NoSuchElementException if this application has no such job
	 * @throws LockKeyException if its key cannot be computed without a call
	 * @throws LockUnavailableException if ZooKeeper cannot be asked
	 * @throws LockAccessException if this client may not read the job
	 */
	LockJob get(String name);

	/**
	 * Pause a job: until it is resumed, no node begins a planned run of any schedule of
	 * its method. A run that goes on is not stopped. Has no effect if the job is paused.
	 * @param name the name of the job
	 * @param by who pauses it, for other people; {@code null} if that is not known
	 * @throws java.util.NoSuchElementException if this application has no such job
	 * @throws LockKeyException if its key cannot be computed without a call
	 * @throws LockUnavailableException if the pause is not known to be written. The job
	 * may be paused or not
	 * @throws LockAccessException if this client may not write the job. {@link #get}
	 * shows whether it is paused
	 */
	void pause(String name, @Nullable String by);

	/**
	 * End the pause of a job. Planned times of the pause are not made up for. A job with
	 * {@code recoverWithin} makes up for a time that was missed before it. Has no effect
	 * if the job is not paused.
	 * @param name the name of the job
	 * @throws java.util.NoSuchElementException if this application has no such job
	 * @throws LockKeyException if its key cannot be computed without a call
	 * @throws LockUnavailableException if the end is not known to be written. The job may
	 * be paused or not
	 * @throws LockAccessException if this client may not write the job. {@link #get}
	 * shows whether it is paused
	 */
	void resume(String name);

	/**
	 * Run a job now, on this node and with its scheduler, even while it is paused. It
	 * does not wait for a key that is taken. In the method, {@link LockTick#current()} is
	 * {@linkplain LockTick#isByHand() by hand}. If the job has shards, it runs all of
	 * them that are free, one after the other.
	 * @param name the name of the job
	 * @return a future that ends when the method begins. It fails with a
	 * {@link LockException} if the lock is not acquired, such as a
	 * {@link LockNotAcquiredException} if the key is taken. It fails as well if the
	 * application is closed first
	 * @throws java.util.NoSuchElementException if this application has no such job
	 * @throws IllegalStateException if several jobs inherit its method from one class,
	 * and its bean is no singleton
	 */
	CompletableFuture<@Nullable Void> run(String name);

	/**
	 * Run one shard of a job now, like {@link #run(String)}, which runs all shards one
	 * after the other.
	 * @param name the name of the job
	 * @param shard the number of the shard, from 0
	 * @return a future that ends when the method begins, and fails if it does not
	 * @throws java.util.NoSuchElementException if this application has no such job, or
	 * the job has no such shard
	 * @throws IllegalStateException if several jobs inherit its method from one class,
	 * and its bean is no singleton
	 */
	CompletableFuture<@Nullable Void> run(String name, int shard);

}
