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

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/**
 * What a guarded method returns before anything has happened.
 */
final class GuardedFlux extends Flux<Object> {

	private final ReactiveExecution execution;

	private final LockCall call;

	GuardedFlux(ReactiveExecution execution, LockCall call) {
		this.execution = execution;
		this.call = call;
	}

	@Override
	public void subscribe(CoreSubscriber<? super Object> actual) {
		LockCall planned = this.call.withTick(LockTicks.ofSubscription(this.call));
		GuardedSubscription subscription = new GuardedSubscription(this.execution, planned.detach(), actual);
		actual.onSubscribe(subscription);
		subscription.start();
	}

}
