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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.support.RecordingLockProvider;
import io.github.zklock.support.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Of several keys all are held, or none.
 */
public abstract class AbstractSeveralLocksFailureTests extends AbstractSeveralLocksContract {

	@ParameterizedTest
	@EnumSource
	void allKeysShareOneTimeToWait(Way way) {
		Duration wait = Duration.ofSeconds(30);
		Duration spent = Duration.ofMillis(300);
		LockHandle holder = other(this.a, LockMode.EXCLUSIVE);
		RecordingLockProvider provider = new RecordingLockProvider(backend().first());
		Future<?> release = onOtherThread(() -> {
			eventually().until(() -> provider.requests().size() == 1);
			CompletableFuture
				.runAsync(holder::release, CompletableFuture.delayedExecutor(spent.toMillis(), TimeUnit.MILLISECONDS))
				.join();
			return null;
		});
		way.release(
				way.acquire(new LockTemplate(provider), List.of(of(this.b).withWait(wait), of(this.a).withWait(wait))));
		assertThat(release).succeedsWithin(wait);
		assertThat(provider.requests()).extracting(LockRequest::key).containsExactly(this.a, this.b);
		assertThat(provider.requests().get(0).waitTime()).isEqualTo(wait);
		assertThat(provider.requests().get(1).waitTime()).isLessThanOrEqualTo(wait.minus(spent));
	}

	@ParameterizedTest
	@EnumSource
	void refusalOfOneGivesTheOthersBack(Way way) {
		LockHandle holder = other(this.b, LockMode.EXCLUSIVE);
		RecordingLockProvider provider = new RecordingLockProvider(backend().first());
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> way.acquire(new LockTemplate(provider),
					Stream.of(this.a, this.b, this.c).map((key) -> of(key).withWait(Duration.ZERO)).toList()))
			.withMessageContaining("key 2 of 3")
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(this.b));
		assertThat(provider.events()).containsExactly("acquire " + this.a, "acquire " + this.b, "release " + this.a);
		eventually().untilAsserted(() -> assertThat(backend().left(this.a)).isEmpty());
		assertThat(backend().left(this.c)).isEmpty();
		holder.release();
	}

	@ParameterizedTest
	@EnumSource
	void keyThatIsGivenBackIsNotKept(Way way) {
		LockHandle holder = other(this.b, LockMode.EXCLUSIVE);
		Refusal.of(() -> way.acquire(template(),
				Stream.of(this.a, this.b)
					.map((key) -> of(key).withWait(Duration.ZERO).withLockAtLeastFor(Duration.ofMinutes(1)))
					.toList()));
		backend().second().acquire(of(this.a).withOwner("second")).release();
		holder.release();
	}

	@Test
	void interruptGivesTheOthersBack() throws Exception {
		LockHandle holder = other(this.b, LockMode.EXCLUSIVE);
		CompletableFuture<Thread> waiting = new CompletableFuture<>();
		Future<Boolean> interrupted = onOtherThread(() -> {
			waiting.complete(Thread.currentThread());
			assertThatExceptionOfType(LockInterruptedException.class)
				.isThrownBy(() -> template().acquire(List.of(of(this.a), of(this.b))));
			return Thread.interrupted();
		});
		eventually().until(() -> !backend().left(this.a).isEmpty());
		backend().awaitMembers(this.b, 2);
		waiting.join().interrupt();
		assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
		holder.release();
	}

	@Test
	void cancellationGivesTheOthersBack() {
		LockHandle holder = other(this.b, LockMode.EXCLUSIVE);
		CompletableFuture<LockHandle> acquiring = template().acquireAsync(List.of(of(this.a), of(this.b), of(this.c)));
		eventually().until(() -> !backend().left(this.a).isEmpty());
		backend().awaitMembers(this.b, 2);
		acquiring.cancel(false);
		eventually().untilAsserted(() -> assertThat(backend().left(this.a)).isEmpty());
		backend().awaitMembers(this.b, 1);
		assertThat(holder.isHeld()).isTrue();
		holder.release();
		assertThat(backend().left(this.c)).isEmpty();
	}

	@Test
	void lossIsToldOnceForAllAndToListenersForEach() {
		LockEvents events = new LockEvents();
		LockHandle joint = new LockTemplate(backend().first(), List.of(events))
			.acquire(List.of(of(this.a), of(this.b)));
		List<LockHandle> told = new CopyOnWriteArrayList<>();
		joint.onLost(told::add);
		backend().loseFirst();
		eventually().until(() -> events.lost.size() == 2);
		assertThat(events.lost).containsExactlyInAnyOrder(this.a, this.b);
		assertThat(told).containsExactly(joint);
		assertThat(joint.state()).isEqualTo(LockState.LOST);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(joint::assertHeld);
		joint.release();
		assertThat(joint.state()).isEqualTo(LockState.LOST);
		eventually().untilAsserted(() -> assertThat(events.released).containsExactlyInAnyOrder(this.a, this.b));
	}

	@ParameterizedTest
	@EnumSource
	void keyThatIsLostWhileOthersAreWaitedForIsTakenAgain(Way way) throws Exception {
		LockHandle holder = other(this.b, LockMode.EXCLUSIVE);
		LockEvents events = new LockEvents();
		LockTemplate template = new LockTemplate(backend().first(), List.of(events));
		CountDownLatch done = new CountDownLatch(1);
		Future<LockState> body = onOtherThread(() -> {
			LockHandle joint = way.acquire(template, List.of(of(this.a), of(this.b)));
			LockState state = joint.state();
			assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
			way.release(joint);
			return state;
		});
		// Only a lock that was handed out can be lost.
		eventually().until(() -> events.acquired.contains(this.a));
		backend().awaitMembers(this.b, 2);
		backend().loseFirst();
		eventually().until(() -> events.lost.contains(this.a));
		holder.release();
		eventually().until(() -> events.acquired.size() == 4);
		done.countDown();
		assertThat(body.get(30, TimeUnit.SECONDS)).isEqualTo(LockState.HELD);
		assertThat(events.acquired).containsExactly(this.a, this.b, this.a, this.b);
	}

}
