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

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.zklock.test.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is kept to watch the order of locks.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockOrderMemoryTests {

	private static final String WARNING = "different orders";

	private final LockTemplate template = new LockTemplate(new InMemoryLockProvider());

	@Test
	void fewOfTheHandlesOfAThreadAreLookedAt(CapturedOutput output) {
		List<LockHandle> held = new ArrayList<>();
		for (int i = 0; i < LockOrder.MAX_HELD; i++) {
			held.add(acquire("first"));
		}
		held.add(acquire("late"));
		acquire("inner").release();
		held.forEach(LockHandle::release);
		nest("inner", "late");
		assertThat(output).doesNotContain(WARNING);
		nest("inner", "first");
		assertThat(output).contains(WARNING);
	}

	@Test
	void placeOfAReleasedHandleIsFree(CapturedOutput output) {
		for (int i = 0; i < LockOrder.MAX_HELD * 2; i++) {
			acquire("first").release();
		}
		nest("outer", "inner");
		nest("inner", "outer");
		assertThat(output).contains(WARNING);
	}

	@Test
	void deepChainIsLookedAtFromTheInside(CapturedOutput output) {
		nest(LockOrder.MAX_HELD * 4);
		nest("last", "step0");
		assertThat(output).doesNotContain(WARNING);
		nest("last", "step" + (LockOrder.MAX_HELD * 4 - 1));
		assertThat(output).contains(WARNING);
	}

	@Test
	void handleIsNotKeptByTheThread() {
		WeakReference<LockHandle> handle = new WeakReference<>(acquire("left"));
		handle.get().release();
		Awaitility.await().until(() -> {
			System.gc();
			return handle.get() == null;
		});
		assertThat(handle.get()).isNull();
	}

	// Each but the last is a single try, which is of no order.
	private void nest(int depth) {
		LockRequest step = request("step" + (LockOrder.MAX_HELD * 4 - depth)).withWait(Duration.ZERO);
		this.template.execute(step, (handle) -> {
			if (depth > 1) {
				nest(depth - 1);
			}
			else {
				acquire("last").release();
			}
			return "done";
		});
	}

	private void nest(String outer, String inner) {
		LockHandle handle = acquire(outer);
		acquire(inner).release();
		handle.release();
	}

	private LockHandle acquire(String name) {
		return this.template.acquire(List.of(request(name)));
	}

	private static LockRequest request(String name) {
		return LockRequest.of(name + ":" + System.nanoTime()).withName(name);
	}

}
