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

/**
 * What happens to a body when its lock is lost while it runs. In every case
 * {@link LockHandle#isHeld()} is {@code false} from then on and the listeners of
 * {@link LockHandle#onLost} are notified.
 *
 * @since 0.1.0
 */
public enum LossPolicy {

	/**
	 * Let the body run; when it returns normally, throw {@link LockLostException}
	 * instead. An exception of the body stays what the caller sees, with the loss as
	 * suppressed exception.
	 */
	FAIL_AT_EXIT,

	/**
	 * The same as {@link #FAIL_AT_EXIT}, and interrupt the thread of the body as long as
	 * it is inside. Its interrupt flag is cleared when it leaves. Only for bodies that
	 * know what an interrupt does to them: it closes NIO channels, for example.
	 * <p>
	 * A body that continues after it has returned, such as a body of
	 * {@link LockOperations#executeAsync executeAsync}, has no thread of its own to
	 * interrupt. Its stage, if it is a {@link java.util.concurrent.Future}, or its
	 * publisher is cancelled instead, and the caller gets the {@link LockLostException}
	 * without waiting for the end.
	 */
	INTERRUPT,

	/**
	 * Let the body run and return what it returns.
	 */
	IGNORE

}
