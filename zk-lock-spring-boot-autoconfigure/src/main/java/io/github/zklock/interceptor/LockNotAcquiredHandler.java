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

package io.github.zklock.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Decides for a whole application what happens when the lock of a guarded method was not
 * acquired. A bean of this type is asked for methods that say nothing themselves:
 * {@code onNotAcquired} is {@link io.github.zklock.annotation.NotAcquired#AUTO AUTO},
 * there is no {@code fallbackMethod}, and the method is not {@code @Scheduled}. It is
 * asked about an outage of ZooKeeper only for methods that say
 * {@link io.github.zklock.annotation.Unavailable#AS_NOT_ACQUIRED AS_NOT_ACQUIRED}. The
 * default is to have no such bean: {@link LockRefusal#exception() the exception} is
 * thrown.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockNotAcquiredHandler {

	/**
	 * Handle a call that was refused its lock. The guarded method is not called.
	 * @param refusal the call and why it was refused
	 * @return what the method returns instead, of its own return type; ignored for
	 * {@code void}
	 * @throws Throwable what the caller gets instead, for example
	 * {@link LockRefusal#exception()}
	 */
	@Nullable Object handle(LockRefusal refusal) throws Throwable;

}
