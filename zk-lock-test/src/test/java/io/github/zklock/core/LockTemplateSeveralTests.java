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

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What several requests become, and what only a provider in memory can show.
 */
class LockTemplateSeveralTests {

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	private final LockEvents events = new LockEvents();

	private final LockTemplate template = new LockTemplate(this.locks, List.of(this.events));

	@Test
	void callForTooManyKeysIsRefusedBeforeTheFirst() {
		LockTemplate limited = new LockTemplate(this.locks, List::of, LockLimits.DEFAULT.withKeysPerCall(2), null);
		List<LockRequest> three = Stream.of("a", "b", "c").map(LockRequest::of).toList();
		String message = "A call locks 3 keys, 'a' and more, which is more than the 2 that LockLimits.keysPerCall "
				+ "allows: lock what the keys have in common";
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> limited.acquire(three)).withMessage(message);
		assertThat(limited.acquireAsync(three)).failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withMessageContaining(message);
		limited.acquire(Stream.of("a", "b", "a").map(LockRequest::of).toList()).release();
		List<LockRequest> many = IntStream.rangeClosed(0, 100).mapToObj((i) -> LockRequest.of("many-" + i)).toList();
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.template.acquire(many))
			.withMessageContaining("A call locks 101 keys");
	}

	@Test
	void differentNumbersOfPermitsForOneKeyAreRefused() {
		List<LockRequest> requests = List.of(LockRequest.of("a").withPermits(2), LockRequest.of("a").withPermits(3));
		assertThatIllegalArgumentException().isThrownBy(() -> this.template.acquire(requests))
			.withMessage("Lock 'a' is requested with 2 and with 3 permits at once; use one number for a key");
		assertThatIllegalArgumentException().isThrownBy(() -> this.template.acquire(List.of()))
			.withMessage("There is no lock to acquire: give at least one request");
	}

	@Test
	void shortTimeToWaitIsEnoughForOneTry() {
		LockHandle joint = this.template.acquire(requests(Duration.ofNanos(1), "a", "a"));
		assertThat(joint.isHeld()).isTrue();
		joint.release();
	}

	@Test
	void listenersAreToldOfTheKeyForWhichNoTimeWasLeft() {
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.template.acquire(requests(Duration.ofNanos(1), "a", "b")));
		assertThat(this.events.acquired).containsExactly("a");
		assertThat(this.events.refused).containsExactly("b");
		assertThat(this.events.released).containsExactly("a");
	}

	@Test
	void lossOfOneIsTheLossOfAll() {
		LockHandle joint = this.template.acquire(requests(Duration.ZERO, "a", "b", "c"));
		this.locks.lose("b");
		assertThat(joint.state()).isEqualTo(LockState.LOST);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(joint::assertHeld)
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("b"));
		assertThat(joint.handles()).extracting(LockHandle::isHeld).containsExactly(true, false, true);
		joint.release();
		assertThat(this.locks.keysInUse()).isZero();
		assertThat(this.events.lost).containsExactly("b");
	}

	@Test
	void providerThatThrowsOnReleaseDoesNotKeepTheOthers() {
		LockProvider failing = (LockProvider) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockProvider.class }, (proxy, method, args) -> failing((LockRequest) args[0]));
		new LockTemplate(failing).acquire(requests(Duration.ZERO, "a", "b", "c")).releaseAsync().join();
		assertThat(this.locks.keysInUse()).isOne();
	}

	// Of a provider that answers on the thread that asks. Others change the thread for
	// each key.
	@Test
	void thousandsOfKeysDoNotFillTheStack() {
		List<LockRequest> requests = IntStream.range(0, 5_000)
			.mapToObj((i) -> LockRequest.of("key-" + i).withWait(LockRequest.FOREVER))
			.toList();
		LockTemplate template = new LockTemplate(new NoOpLockProvider(), List::of,
				LockLimits.DEFAULT.withKeysPerCall(requests.size()), null);
		CompletableFuture<LockHandle> acquiring = template.acquireAsync(requests);
		assertThat(acquiring).isCompleted();
		assertThat(acquiring.join().handles()).hasSize(requests.size());
		acquiring.join().release();
	}

	private Object failing(LockRequest request) {
		LockHandle handle = this.locks.acquire(request);
		return (LockHandle) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { LockHandle.class },
				(proxy, method, args) -> {
					if (method.getName().startsWith("release") && "b".equals(handle.key())) {
						throw new IllegalStateException("must not happen");
					}
					return method.invoke(handle, args);
				});
	}

	private static List<LockRequest> requests(Duration wait, String... keys) {
		return Stream.of(keys).map((key) -> LockRequest.of(key).withWait(wait)).toList();
	}

}
