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

package io.github.zklock.core.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.PlainLockHandle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedHold}, with a loss that has happened but is not told yet.
 */
class SharedHoldTests {

	private static final LockRequest REQUEST = LockRequest.of("key").withOwner("owner");

	private final Root root = new Root();

	private final LockHandle handle = new SharedHold(this.root, REQUEST, "owner", new Object(), (left) -> {
	}).first();

	private final List<LockHandle> told = new ArrayList<>();

	@Test
	void listenerThatComesWhileTheLossIsToldIsToldOnce() {
		this.root.changeTo(LockState.LOST);
		this.handle.onLost(this.told::add);
		this.root.tell();
		assertThat(this.told).containsExactly(this.handle);
	}

	@Test
	void handleThatIsReleasedWhileTheLossIsToldIsToldToo() {
		this.handle.onLost(this.told::add);
		this.root.changeTo(LockState.LOST);
		this.handle.release();
		this.root.tell();
		assertThat(this.told).containsExactly(this.handle);
	}

	@Test
	void handleThatWasReleasedBeforeIsNotTold() {
		SharedHold hold = new SharedHold(this.root, REQUEST, "owner", new Object(), (left) -> {
		});
		LockHandle last = hold.first();
		LockHandle before = hold.nest(REQUEST, false);
		before.onLost(this.told::add);
		last.onLost(this.told::add);
		before.release();
		this.root.changeTo(LockState.LOST);
		this.root.tell();
		assertThat(this.told).containsExactly(last);
	}

	// Only a node that is gone shows it then.
	@Test
	void lossThatTheReleaseFindsIsTold() {
		this.handle.onLost(this.told::add);
		this.handle.release();
		this.root.changeTo(LockState.LOST);
		this.root.tell();
		assertThat(this.told).containsExactly(this.handle);
	}

	@Test
	void listenerOfAHandleThatIsReleasedIsNotTold() {
		this.handle.release();
		this.handle.onLost(this.told::add);
		this.root.changeTo(LockState.LOST);
		this.root.tell();
		assertThat(this.told).isEmpty();
	}

	@Test
	void listenersOfAllHandlesAreTold() {
		SharedHold hold = new SharedHold(this.root, REQUEST, "owner", new Object(), (left) -> {
		});
		LockHandle first = hold.first();
		LockHandle nested = hold.nest(REQUEST.withMode(LockMode.READ), false);
		nested.onLost(this.told::add);
		first.onLost(this.told::add);
		first.onLost(this.told::add);
		this.root.tell();
		assertThat(this.told).containsExactlyInAnyOrder(nested, first, first);
	}

	@Test
	void nobodyReentersAfterTheLastEntryHasLeft() {
		List<LockHandle> late = new ArrayList<>();
		AtomicReference<SharedHold> hold = new AtomicReference<>();
		hold.set(new SharedHold(this.root, REQUEST, "owner", new Object(),
				(left) -> late.add(hold.get().nest(REQUEST, false))));
		hold.get().first().release();
		// By such a handle the owner would hold the key, and have to wait for itself.
		assertThat(late).containsExactly((LockHandle) null);
	}

	private static final class Root extends PlainLockHandle {

		private final List<Consumer<? super LockHandle>> listeners = new ArrayList<>();

		Root() {
			super(REQUEST, 1);
		}

		void tell() {
			this.listeners.forEach((listener) -> listener.accept(this));
		}

		@Override
		public void onLost(Consumer<? super LockHandle> listener) {
			this.listeners.add(listener);
		}

	}

}
