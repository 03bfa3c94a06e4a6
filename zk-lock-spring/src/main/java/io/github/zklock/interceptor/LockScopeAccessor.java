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

import io.github.zklock.core.internal.LockScope;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Carries the locks of a guarded publisher to the threads of its operators, where the
 * application propagates contexts automatically. Micrometer's context propagation finds
 * it as a service.
 *
 * @since 0.1.0
 */
public final class LockScopeAccessor implements ThreadLocalAccessor<LockScope> {

	static final String KEY = "io.github.zklock.scope";

	@Override
	public Object key() {
		return KEY;
	}

	@Override
	public @Nullable LockScope getValue() {
		return LockScope.ofThread();
	}

	// Another thread does not run under the lock of a thread, which is released without
	// regard to it.
	@Override
	public void setValue(LockScope scope) {
		LockScope.enter(scope.isOpenToThread() ? scope : null);
	}

	@Override
	public void setValue() {
		LockScope.enter(null);
	}

	@Override
	public void restore(LockScope before) {
		LockScope.enter(before);
	}

}
