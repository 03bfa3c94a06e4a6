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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.RecordingLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Several keys are one lock.
 */
public abstract class AbstractSeveralLocksTests extends AbstractSeveralLocksContract {

	private int unguarded;

	@ParameterizedTest
	@EnumSource
	void keysAreTakenOnceInOrderAndGivenBackInReverse(Way way) {
		RecordingLockProvider provider = new RecordingLockProvider(backend().first());
		List<LockRequest> requests = List.of(of(this.c), of(this.a), of(this.b), of(this.a));
		LockHandle joint = way.acquire(new LockTemplate(provider), requests);
		assertThat(joint.handles()).extracting(LockHandle::key).containsExactly(this.a, this.b, this.c);
		assertThat(joint.key()).isEqualTo(this.a + ", " + this.b + ", " + this.c);
		assertThat(joint.isHeld()).isTrue();
		way.release(joint);
		assertThat(joint.state()).isEqualTo(LockState.RELEASED);
		assertThat(provider.events()).containsExactly("acquire " + this.a, "acquire " + this.b, "acquire " + this.c,
				"release " + this.c, "release " + this.b, "release " + this.a);
	}

	@Test
	void eachKeyHasItsFencingToken() {
		LockHandle joint = template().acquire(List.of(of(this.a), of(this.b)));
		assertThat(joint.handles()).extracting(LockHandle::fencingToken).allMatch((token) -> token > 0);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(joint::fencingToken)
			.withMessageContaining("'" + this.a + ", " + this.b + "'")
			.withMessageContaining("handles()");
		joint.release();
	}

	@ParameterizedTest
	@EnumSource
	void keyThatIsAskedForTwiceIsOneLockOfTheStrongerMode(Way way) {
		LockHandle handle = way.acquire(template(),
				List.of(of(this.a).withMode(LockMode.READ), of(this.a).withMode(LockMode.WRITE)));
		assertThat(handle.mode()).isEqualTo(LockMode.WRITE);
		assertThat(handle.fencingToken()).isPositive();
		assertThat(backend().left(this.a)).hasSize(1);
		way.release(handle);
	}

	@Test
	void modesOfTheKeysDiffer() {
		LockHandle joint = template()
			.acquire(List.of(of(this.a).withMode(LockMode.READ), of(this.b).withMode(LockMode.WRITE)));
		assertThat(joint.mode()).isEqualTo(LockMode.WRITE);
		try {
			other(this.a, LockMode.READ).release();
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> other(this.a, LockMode.WRITE));
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> other(this.b, LockMode.READ));
		}
		finally {
			joint.release();
		}
	}

	@ParameterizedTest
	@EnumSource
	void callersWithOppositeOrdersDoNotWaitForEachOther(Way way) throws Exception {
		Future<Integer> there = onOtherThread(
				() -> rounds(way, backend().second(), List.of(of(this.b), of(this.a), of(this.c))));
		int here = rounds(way, backend().first(), List.of(of(this.a), of(this.c), of(this.b)));
		assertThat(here + there.get(60, TimeUnit.SECONDS)).isEqualTo(400);
		assertThat(this.unguarded).isEqualTo(400);
	}

	private int rounds(Way way, LockProvider provider, List<LockRequest> requests) {
		LockTemplate template = new LockTemplate(provider);
		for (int i = 0; i < 200; i++) {
			LockHandle joint = way.acquire(template,
					requests.stream().map((each) -> each.withWait(Duration.ofSeconds(20))).toList());
			this.unguarded++;
			way.release(joint);
		}
		return 200;
	}

	@Test
	void releaseFreesAllKeysBeforeItReturns() {
		for (int i = 0; i < 20; i++) {
			template().acquire(List.of(of(this.a), of(this.b), of(this.c))).release();
			for (String key : List.of(this.c, this.b, this.a)) {
				other(key, LockMode.EXCLUSIVE).release();
			}
		}
	}

	@Test
	void bodyRunsUnderAllAndFailsWhenTheyAreLost() {
		List<LockRequest> requests = List.of(of(this.b), of(this.a));
		assertThat(template().<String, RuntimeException>execute(requests,
				(joint) -> LockHandle.current().key().replace(key(), "")))
			.isEqualTo("/a, /b");
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> template().<Boolean, RuntimeException>execute(requests, (joint) -> {
				backend().loseFirst();
				eventually().until(() -> joint.state() == LockState.LOST);
				return true;
			}))
			.withMessageContaining("'" + this.a + "'");
	}

	@ParameterizedTest
	@EnumSource
	void everyKeyStaysTakenForItsTime(Way way) {
		long start = System.nanoTime();
		Duration atLeast = Duration.ofMillis(600);
		LockHandle joint = way.acquire(template(),
				List.of(of(this.a).withLockAtLeastFor(atLeast), of(this.b).withLockAtLeastFor(atLeast), of(this.c)));
		way.release(joint);
		assertThat(joint.state()).isEqualTo(LockState.RELEASED);
		other(this.c, LockMode.EXCLUSIVE).release();
		for (String key : List.of(this.a, this.b)) {
			backend().second().acquire(of(key).withOwner("second")).release();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(atLeast);
		}
	}

}
