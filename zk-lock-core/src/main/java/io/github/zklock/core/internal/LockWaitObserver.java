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

import io.github.zklock.core.LockRequest;

/**
 * A {@link LockObserver} that is notified when a request begins to wait. Internal: only
 * zk-lock itself uses it, and it may change at any time.
 *
 * @since 0.1.0
 */
public interface LockWaitObserver extends LockObserver {

	/**
	 * Called when a request was not answered at once: others hold the lock, or there is
	 * no connection to the backend. Called at most once for each request, on a thread of
	 * the provider, and only by a provider that knows. After a short wait, the call may
	 * come only when the request has its answer.
	 * @param request the request
	 */
	void waits(LockRequest request);

}
