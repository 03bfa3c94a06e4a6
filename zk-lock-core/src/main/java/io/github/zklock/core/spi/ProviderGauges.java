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

package io.github.zklock.core.spi;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a backend knows of its connection and of its nodes. A {@link LockProvider} that
 * implements it has meters for that. Each method is called often, so it must neither
 * block nor ask the backend.
 *
 * @since 0.1.0
 */
public interface ProviderGauges {

	/**
	 * Return whether there is a connection to the backend.
	 * @return whether there is one
	 */
	boolean isConnected();

	/**
	 * Return how long locks are certain to be held if the backend does not answer.
	 * @return the time, or {@code null} if that is not known or no lock is held
	 */
	@Nullable Duration leaseLeft();

	/**
	 * Return how many nodes are not needed any more but not yet known to be deleted.
	 * @return the number of nodes, by default 0
	 */
	default int pendingDeletes() {
		return 0;
	}

	/**
	 * Return how many requests have lost their place in a queue, with its node or
	 * session, and had to queue again.
	 * @return the number of requests since the provider was built, by default 0
	 */
	default long requeuedRequests() {
		return 0;
	}

	/**
	 * Return how often the node of a job was read, and did not hold the record of a run.
	 * Another client has then written to it.
	 * @return the number since the provider was built, by default 0
	 */
	default long unreadableJobs() {
		return 0;
	}

}
