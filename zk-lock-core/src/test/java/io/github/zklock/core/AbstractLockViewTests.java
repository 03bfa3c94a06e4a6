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

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

import io.github.zklock.support.Waited;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The JDK's views of a key. The cases are those of the JSR-166 tests of
 * {@code ReentrantLock} and {@code ReentrantReadWriteLock} that a lock without conditions
 * and without a look into its queue can have, named in
 * {@code docs/internals/reliability/bridges.md}; those on the way back, the loss and the
 * outage are our own.
 */
public abstract class AbstractLockViewTests extends AbstractLockContract {

	private LockOperations operations;

	private final Queue<LockHandle> granted = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void begin() {
		this.operations = new FirstClient();
	}

	// A test that has failed is to leave nothing to the next one.
	@AfterEach
	void releaseAll() {
		List<LockHandle> left = this.granted.stream().filter((handle) -> handle.state() == LockState.HELD).toList();
		this.granted.forEach(LockHandle::release);
		assertThat(left).isEmpty();
	}

	@Test
	void unlockedLockCanBeLockedInEachWay() throws Exception {
		for (Lock lock : locks().toList()) {
			lock.lock();
			lock.unlock();
			lock.lockInterruptibly();
			lock.unlock();
			assertThat(lock.tryLock()).isTrue();
			lock.unlock();
			assertThat(lock.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
			lock.unlock();
			assertFree();
		}
	}

	@Test
	void unlockWithoutALockIsRefused() {
		assertThat(locks())
			.allSatisfy((lock) -> assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock)
				.withMessageContaining(key()));
	}

	@Test
	void unlockByAnotherThreadIsRefusedAndLeavesTheLock() throws Exception {
		Lock lock = exclusive();
		lock.lock();
		assertThatThrownBy(() -> resultOf(onOtherThread(() -> {
			lock.unlock();
			return null;
		}))).hasCauseInstanceOf(IllegalMonitorStateException.class);
		assertTaken(LockMode.EXCLUSIVE);
		lock.unlock();
		assertFree();
	}

	@Test
	void threadLocksAsOftenAsItWantsAndIsFreeAfterTheLastUnlock() {
		for (Lock lock : locks().toList()) {
			for (int i = 0; i < 20; i++) {
				assertThat((i % 2 == 0) ? lock.tryLock() : locked(lock)).isTrue();
			}
			for (int i = 0; i < 20; i++) {
				assertTaken(LockMode.EXCLUSIVE);
				lock.unlock();
			}
			assertFree();
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		}
	}

	@Test
	void tryLockOfALockedKeyFails() throws Exception {
		Lock writer = this.operations.asReadWriteLock(key()).writeLock();
		writer.lock();
		for (Lock lock : locks().toList()) {
			assertThat(resultOf(onOtherThread(() -> lock.tryLock()))).isFalse();
		}
		writer.unlock();
	}

	@Test
	void timedTryLockOfALockedKeyFailsWhenTheTimeIsOver() throws Exception {
		exclusive().lock();
		Waited.atLeast(Duration.ofMillis(300),
				() -> assertThat(resultOf(onOtherThread(() -> exclusive().tryLock(300, TimeUnit.MILLISECONDS))))
					.isFalse());
		assertThat(resultOf(onOtherThread(() -> exclusive().tryLock(-1, TimeUnit.DAYS)))).isFalse();
		exclusive().unlock();
	}

	@Test
	void waitsThatMayBeInterruptedEndWithAnInterrupt() throws Exception {
		LockHandle other = second(LockMode.EXCLUSIVE);
		this.granted.add(other);
		for (Lock lock : locks().toList()) {
			assertInterrupted(() -> {
				lock.lockInterruptibly();
				return null;
			});
			assertInterrupted(() -> lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS));
		}
		other.release();
		assertFree();
	}

	@Test
	void interruptedThreadIsRefusedByWaitsThatMayBeInterrupted() throws Exception {
		exclusive().lock();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(exclusive()::lockInterruptibly);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> exclusive().tryLock(0, TimeUnit.DAYS));
		assertThat(Thread.interrupted()).isFalse();
		exclusive().unlock();
	}

	@Test
	void lockWaitsThroughAnInterruptAndKeepsTheFlag() throws Exception {
		LockHandle other = second(LockMode.EXCLUSIVE);
		this.granted.add(other);
		FutureTask<Boolean> task = new FutureTask<>(() -> {
			exclusive().lock();
			boolean interrupted = Thread.currentThread().isInterrupted();
			exclusive().unlock();
			return interrupted;
		});
		Thread thread = new Thread(task);
		thread.start();
		eventually().until(() -> isParked(thread));
		thread.interrupt();
		other.release();
		assertThat(resultOf(task)).isTrue();
	}

	@Test
	void tryLockHasNoRegardForAnInterruptAndKeepsTheFlag() {
		Thread.currentThread().interrupt();
		assertThat(exclusive().tryLock()).isTrue();
		assertThat(Thread.interrupted()).isTrue();
		exclusive().unlock();
	}

	@Test
	void readersShareAndKeepWritersOut() throws Exception {
		LockView.ReadWrite lock = this.operations.asReadWriteLock(key());
		lock.readLock().lock();
		assertThat(resultOf(onOtherThread(() -> {
			lock.readLock().lock();
			lock.readLock().unlock();
			return lock.readLock().tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS) && unlocked(lock.readLock());
		}))).isTrue();
		assertTaken(LockMode.WRITE);
		assertThat(resultOf(onOtherThread(() -> lock.writeLock().tryLock()))).isFalse();
		lock.readLock().unlock();
	}

	@Test
	void writerWaitsForAllReaders() throws Exception {
		LockView.ReadWrite lock = this.operations.asReadWriteLock(key());
		lock.readLock().lock();
		lock.readLock().lock();
		Future<Boolean> writer = onOtherThread(() -> locked(lock.writeLock()) && unlocked(lock.writeLock()));
		backend().awaitMembers(key(), 2);
		lock.readLock().unlock();
		assertThat(writer.isDone()).isFalse();
		lock.readLock().unlock();
		assertThat(resultOf(writer)).isTrue();
	}

	@Test
	void readersWaitForAWriterWhoMayReadMeanwhile() throws Exception {
		LockView.ReadWrite lock = this.operations.asReadWriteLock(key());
		lock.writeLock().lock();
		Future<Boolean> first = onOtherThread(() -> locked(lock.readLock()) && unlocked(lock.readLock()));
		Future<Boolean> second = onOtherThread(() -> locked(lock.writeLock()) && unlocked(lock.writeLock()));
		assertThat(lock.readLock().tryLock()).isTrue();
		lock.readLock().unlock();
		lock.writeLock().lock();
		lock.writeLock().unlock();
		assertThat(first.isDone() || second.isDone()).isFalse();
		lock.writeLock().unlock();
		assertThat(resultOf(first) && resultOf(second)).isTrue();
	}

	@Test
	void readerIsNotMadeAWriter() {
		LockView.ReadWrite lock = this.operations.asReadWriteLock(key());
		lock.readLock().lock();
		assertThatExceptionOfType(LockUpgradeException.class).isThrownBy(lock.writeLock()::tryLock);
		assertThatExceptionOfType(LockUpgradeException.class).isThrownBy(lock.writeLock()::lock);
		lock.readLock().unlock();
	}

	@Test
	void viewsOfOneKeyAreOneLock() {
		assertThat(exclusive()).isEqualTo(exclusive())
			.hasSameHashCodeAs(exclusive())
			.isNotEqualTo(this.operations.asReadWriteLock(key()).writeLock())
			.isNotEqualTo(new FirstClient().asLock(key()))
			.hasToString("Lock '" + key() + "' (EXCLUSIVE)");
		exclusive().lock();
		exclusive().unlock();
		assertFree();
	}

	@Test
	void lockIsThatOfTheBodyAround() {
		this.operations.execute(request(LockMode.EXCLUSIVE, PATIENCE), (handle) -> {
			assertThat(exclusive().tryLock()).isTrue();
			assertThat(exclusive().handle().fencingToken()).isEqualTo(handle.fencingToken());
			exclusive().unlock();
			return null;
		});
	}

	@Test
	void lockIsThatOfTheAsynchronousBodyAroundWhoeverOwnsIt() throws Exception {
		for (Object owner : Arrays.asList(null, "job-7")) {
			LockRequest request = request(LockMode.EXCLUSIVE, PATIENCE).withOwner(owner);
			Future<Boolean> reentered = this.operations.executeAsync(request,
					(handle) -> CompletableFuture.completedFuture(exclusive().tryLock() && unlocked(exclusive())));
			assertThat(resultOf(reentered)).as("owner %s", owner).isTrue();
		}
	}

	@Test
	void lockIsThatOfABodyWhoseKeysHaveDifferentOwners() {
		List<LockRequest> requests = List.of(request(LockMode.EXCLUSIVE, PATIENCE).withOwner("job-7"),
				LockRequest.of(key() + "/other").withOwner("job-8"), LockRequest.of(key() + "/third"));
		this.operations.execute(requests, (handle) -> {
			for (LockRequest request : requests) {
				LockView view = this.operations.asLock(request.key());
				assertThat(view.tryLock()).as(request.key()).isTrue();
				view.unlock();
			}
			return null;
		});
	}

	@Test
	void lossIsToldByEachUseUntilUnlockGivesTheLockBack() {
		LockView lock = exclusive();
		lock.lock();
		LockHandle handle = lock.handle();
		backend().loseFirst();
		eventually().until(() -> handle.state() == LockState.LOST);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::lock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::tryLock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		lock.lock();
		lock.unlock();
	}

	@Test
	void conditionsAreRefused() {
		assertThat(locks()).allSatisfy((lock) -> assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(lock::newCondition));
	}

	private LockView exclusive() {
		return this.operations.asLock(key());
	}

	private Stream<LockView> locks() {
		LockView.ReadWrite both = this.operations.asReadWriteLock(key());
		return Stream.of(exclusive(), both.readLock(), both.writeLock());
	}

	private void assertInterrupted(Callable<?> waiting) throws Exception {
		FutureTask<?> task = new FutureTask<>(waiting);
		Thread thread = new Thread(task);
		thread.start();
		eventually().until(() -> isParked(thread));
		thread.interrupt();
		assertThatThrownBy(() -> resultOf(task)).hasCauseInstanceOf(InterruptedException.class);
	}

	private static boolean isParked(Thread thread) {
		return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
	}

	private static boolean locked(Lock lock) {
		lock.lock();
		return true;
	}

	private static boolean unlocked(Lock lock) {
		lock.unlock();
		return true;
	}

	private final class FirstClient extends LockTemplate {

		FirstClient() {
			super(backend().first());
		}

		@Override
		public LockHandle acquire(Collection<LockRequest> requests) {
			LockHandle handle = super.acquire(requests);
			AbstractLockViewTests.this.granted.add(handle);
			return handle;
		}

	}

}
