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

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.LockHandle;
import org.jspecify.annotations.Nullable;

/**
 * Methods with parameters that are filled in with their lock, and some that cannot be.
 */
final class LockParameterBeans {

	private LockParameterBeans() {
	}

	interface Root {

		void inherited(@FencingToken long token);

	}

	interface Store<T> extends Root {

		void handle(String id, @Nullable LockHandle handle);

		void token(@FencingToken long token);

		void boxed(@FencingToken @Nullable Long token);

		void markedByInterface(String id, @FencingToken long token);

		void generic(@Nullable T value, @FencingToken long token);

		void both(@Nullable LockHandle handle, @FencingToken long token, String... rest);

		void keys(List<String> ids, @Nullable LockHandle handle);

		void tokenOfKeys(String ids, @FencingToken long token);

		void loop(LockHandle handle);

		@Override
		void inherited(long token);

	}

	abstract static class Base<T> implements Store<T> {

		final List<@Nullable Object> seen = new ArrayList<>();

		@Override
		@DistributedLock("k")
		public void inherited(long token) {
			this.seen.add(token);
		}

		protected void see(@Nullable Object value) {
			this.seen.add(value);
		}

	}

	static class StoreBean extends Base<LockHandle> {

		private Runnable step = () -> {
		};

		@Override
		@DistributedLock("#id")
		public void handle(String id, @Nullable LockHandle handle) {
			see(handle);
		}

		@Override
		@DistributedLock("k")
		public void token(@FencingToken long token) {
			see(token);
		}

		@Override
		@DistributedLock("k")
		public void boxed(@Nullable Long token) {
			see(token);
		}

		@Override
		@DistributedLock("#id")
		public void markedByInterface(String id, long token) {
			see(token);
		}

		@Override
		@DistributedLock("k")
		public void generic(@Nullable LockHandle value, long token) {
			see(value);
			see(token);
		}

		@Override
		@DistributedLock("k")
		public void both(@Nullable LockHandle handle, @FencingToken long token, String... rest) {
			see(handle);
			see(token);
			see(List.of(rest));
		}

		@Override
		@DistributedLock("#ids")
		public void keys(List<String> ids, @Nullable LockHandle handle) {
			see(handle);
		}

		@Override
		@DistributedLock("#ids.split(',')")
		public void tokenOfKeys(String ids, long token) {
			see(token);
		}

		@Override
		@DistributedLock("k")
		public void loop(LockHandle handle) {
			for (int i = 0; i < 5; i++) {
				handle.assertHeld();
				see(i);
				this.step.run();
			}
		}

		void onStep(Runnable step) {
			this.step = step;
		}

		List<@Nullable Object> seen() {
			return this.seen;
		}

	}

	static class TextToken {

		@DistributedLock("k")
		void run(@FencingToken String token) {
		}

	}

	static class HandleToken {

		@DistributedLock("k")
		void run(@FencingToken LockHandle token) {
		}

	}

	static class TwoLocks {

		@DistributedLock("a")
		@DistributedLock("b")
		void run(@FencingToken long token) {
		}

	}

	static class KeyPerElement {

		@DistributedLock("#ids")
		void run(Set<Long> ids, @FencingToken long token) {
		}

	}

	static class KeyPerArgument {

		@DistributedLock("#p0")
		void run(Long[] ids, @FencingToken long token) {
		}

	}

	static class NoLock {

		@DistributedLock("k")
		void locked(long token) {
		}

		void run(@FencingToken long token) {
		}

	}

}
