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

package io.github.zklock.interceptor;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.HolderSource;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.LockSettings;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.scheduling.MissedRuns;
import io.github.zklock.scheduling.ScheduledRun;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.ReflectiveMethodInvocation;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ReflectionUtils;

/**
 * A job that makes up for its ticks, in a process of a simulation. Its calls have the
 * real requests, and their refusals reach the real {@link JobRecovery}.
 */
public final class SimulatedJob {

	/** The name of its ticks. */
	public static final String SCHEDULE = SimulatedJob.class.getName() + ".report";

	/** When it runs. */
	public static final String CRON = "0 2/5 * * * *";

	private static final LockOperation OPERATION = operation();

	private final JobRecovery recovery;

	private final Store store;

	/**
	 * Create the job.
	 * @param source reports when a holder is gone
	 */
	public SimulatedJob(HolderSource source) {
		this.store = new Store(source);
		this.recovery = new JobRecovery(new StaticListableBeanFactory(), (name) -> this.store, Stream::empty);
	}

	private static LockOperation operation() {
		AnnotationLockOperationSource source = new AnnotationLockOperationSource(Unchanged::new, () -> (text) -> text);
		return source.getLockOperation(method(), SimulatedJob.class);
	}

	private static Method method() {
		return ReflectionUtils.findMethod(SimulatedJob.class, "report");
	}

	@Scheduled(cron = CRON)
	@OncePerTick(recoverWithin = "2h")
	@DistributedLock("k1")
	void report() {
	}

	/**
	 * Look for ticks from now on.
	 */
	public void begin(MissedRuns missed) {
		this.recovery.begin(OPERATION, () -> List.of(missed));
	}

	/**
	 * Take note of what a look reads next.
	 * @param state the state of the job, or {@code null} if it cannot be read
	 */
	public void read(JobStore.@Nullable State state) {
		this.store.read.set(state);
	}

	/**
	 * Call the method on the thread that has its run.
	 */
	public Call call(LockRequest request) {
		ProxyMethodInvocation invocation = new ReflectiveMethodInvocation(this, this, method(), new Object[0],
				SimulatedJob.class, List.of()) {
		};
		LockRefusals refusals = new LockRefusals(() -> Optional.of(this.recovery));
		return new Call(LockCall.of(OPERATION, List.of(request), invocation, refusals).planned());
	}

	/**
	 * One call of the method.
	 */
	public final class Call {

		private final LockCall call;

		private Call(LockCall call) {
			this.call = call;
		}

		public LockRequest request() {
			return this.call.requests().get(0);
		}

		/** The method begins. */
		public void begins(LockHandle handle) {
			this.call.refusals().begins(this.call, run(), handle);
			run().begins();
		}

		/** The method has ended. */
		public void ends(LockHandle handle) {
			this.call.refusals().ended(this.call, run(), handle);
		}

		private ScheduledRun run() {
			return Objects.requireNonNull(this.call.run().scheduled(), "It was planned");
		}

		/** There is no lock. */
		public void refused(LockException refusal) {
			SimulatedJob.this.recovery.refused(this.call, refusal);
		}

	}

	/**
	 * A provider that makes no report of a tick whose attempts have all died: that report
	 * would wait on its thread. For the same reason a job is read before its look begins.
	 *
	 * @param source reports when a holder is gone
	 * @param read what was read last
	 */
	private record Store(HolderSource source, AtomicReference<JobStore.@Nullable State> read)
			implements
				LockProvider,
				HolderSource,
				JobStore.Source,
				JobStore {

		private Store(HolderSource source) {
			this(source, new AtomicReference<>());
		}

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			throw new LockNotAcquiredException(request, request.waitTime(), null);
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<?> whenHolderGone(String key) {
			return this.source.whenHolderGone(key);
		}

		@Override
		public CompletableFuture<?> whenResumed(Job job) {
			return this.source.whenResumed(job);
		}

		@Override
		public Runnable onSession(Runnable action) {
			return this.source.onSession(action);
		}

		@Override
		public JobStore jobs() {
			return this;
		}

		@Override
		public List<State> read(List<Job> jobs, Duration bound) {
			State known = this.read.getAndSet(null);
			if (known == null) {
				throw new LockUnavailableException(LockRequest.of("k1"), bound, "The job cannot be read", null);
			}
			return List.of(known);
		}

		@Override
		public void pause(Job job, @Nullable String by, Duration bound) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void resume(Job job, Duration bound) {
			throw new UnsupportedOperationException();
		}

	}

	/**
	 * The settings of an application that configures none.
	 */
	private static final class Unchanged implements LockSettings {

		@Override
		public Duration defaultWait() {
			return Duration.ofSeconds(10);
		}

		@Override
		public @Nullable Duration wait(String name) {
			return null;
		}

		@Override
		public boolean isUnguarded(String name) {
			return false;
		}

	}

}
