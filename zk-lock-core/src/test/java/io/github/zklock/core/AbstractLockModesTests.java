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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who excludes whom, in which order, with which token.
 */
public abstract class AbstractLockModesTests extends AbstractLockContract {

	static Stream<Arguments> cells() {
		return Stream.of(LockMode.values())
			.flatMap((held) -> Stream.of(LockMode.values()).map((asked) -> Arguments.of(held, asked)));
	}

	@ParameterizedTest(name = "{1} beside {0}")
	@MethodSource("cells")
	void modesExcludeEachOtherExceptReaders(LockMode held, LockMode asked) {
		LockHandle holder = first(held);
		if (held == LockMode.READ && asked == LockMode.READ) {
			second(asked, Duration.ZERO).release();
		}
		else {
			assertTaken(asked);
		}
		assertThat(holder.isHeld()).isTrue();
		holder.release();
		second(asked).release();
	}

	@ParameterizedTest(name = "{1} after {0}")
	@MethodSource("cells")
	void waiterGetsTheLockWhenItIsReleased(LockMode held, LockMode asked) {
		LockHandle holder = first(held);
		CompletableFuture<LockHandle> waiting = secondAsync(asked);
		if (!held.isCompatibleWith(asked)) {
			backend().awaitMembers(key(), 2);
			assertThat(waiting).isNotDone();
		}
		holder.release();
		LockHandle next = get(waiting);
		assertThat(next.mode()).isEqualTo(asked);
		assertThat(next.key()).isEqualTo(key());
		next.release();
	}

	@Test
	void keysDoNotExcludeEachOther() {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		LockRequest child = LockRequest.of(key() + "/0").withWait(Duration.ZERO);
		LockHandle other = backend().second().acquire(child);
		assertThat(other.isHeld()).isTrue();
		other.release();
		holder.release();
	}

	@Test
	void waitersOfOneProcessAreServedInTheOrderOfTheirArrival() {
		LockHandle holder = first(LockMode.EXCLUSIVE);
		List<Integer> order = new CopyOnWriteArrayList<>();
		List<Integer> expected = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			int number = i;
			backend().second().acquireAsync(request(LockMode.EXCLUSIVE, PATIENCE)).thenAccept((handle) -> {
				order.add(number);
				handle.releaseAsync();
			});
			backend().awaitMembers(key(), i + 2);
			expected.add(number);
		}
		holder.release();
		eventually().until(() -> order.size() == expected.size());
		assertThat(order).isEqualTo(expected);
	}

	@Test
	void readerDoesNotOvertakeWaitingWriter() {
		LockHandle reader = first(LockMode.READ);
		CompletableFuture<LockHandle> writer = secondAsync(LockMode.WRITE);
		backend().awaitMembers(key(), 2);
		assertTaken(LockMode.READ);
		assertThat(writer).isNotDone();
		reader.release();
		get(writer).release();
	}

	@Test
	void readersBehindWriterGetTheLockTogether() {
		LockHandle writer = first(LockMode.WRITE);
		CompletableFuture<LockHandle> one = secondAsync(LockMode.READ);
		CompletableFuture<LockHandle> two = secondAsync(LockMode.READ);
		backend().awaitMembers(key(), 3);
		writer.release();
		LockHandle reader = get(one);
		LockHandle other = get(two);
		assertThat(reader.isHeld()).isTrue();
		assertThat(other.isHeld()).isTrue();
		reader.release();
		other.release();
	}

	@Test
	void writerWaitsForAllReaders() {
		LockHandle one = first(LockMode.READ);
		LockHandle two = second(LockMode.READ);
		CompletableFuture<LockHandle> writer = secondAsync(LockMode.WRITE);
		backend().awaitMembers(key(), 3);
		one.release();
		backend().awaitMembers(key(), 2);
		assertThat(writer).isNotDone();
		two.release();
		get(writer).release();
	}

	@ParameterizedTest
	@EnumSource(LockMode.class)
	void tokensIncreaseStrictly(LockMode mode) {
		long last = 0;
		for (int i = 0; i < 5; i++) {
			LockHandle one = first(mode);
			assertThat(one.fencingToken()).isGreaterThan(last);
			one.release();
			LockHandle two = second(LockMode.EXCLUSIVE);
			assertThat(two.fencingToken()).isGreaterThan(one.fencingToken());
			last = two.fencingToken();
			two.release();
		}
	}

	@Test
	void writerHasGreaterTokenThanTheReadersBeforeIt() {
		LockHandle one = first(LockMode.READ);
		LockHandle two = second(LockMode.READ);
		CompletableFuture<LockHandle> waiting = secondAsync(LockMode.WRITE);
		two.release();
		one.release();
		LockHandle writer = get(waiting);
		assertThat(writer.fencingToken()).isGreaterThan(Math.max(one.fencingToken(), two.fencingToken()));
		writer.release();
	}

}
