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

package io.github.zklock.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An application that holds up the one thread by which the JVM completes its futures in
 * time.
 */
public final class HeldUpTimer implements AutoCloseable {

	private final CountDownLatch end = new CountDownLatch(1);

	/**
	 * Hold it up, until this is closed.
	 * @throws InterruptedException if the thread is interrupted
	 */
	public HeldUpTimer() throws InterruptedException {
		CountDownLatch heldUp = new CountDownLatch(1);
		CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run).execute(() -> {
			heldUp.countDown();
			try {
				this.end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		heldUp.await();
	}

	@Override
	public void close() {
		this.end.countDown();
	}

}
