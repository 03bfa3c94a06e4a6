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

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the tests with several keys share.
 */
public abstract class AbstractSeveralLocksContract extends AbstractLockContract {

	final String a = key() + "/a";

	final String b = key() + "/b";

	final String c = key() + "/c";

	@AfterEach
	void leaveNoKeyBehind() {
		eventually().untilAsserted(() -> assertThat(Stream.of(this.a, this.b, this.c))
			.allSatisfy((each) -> assertThat(backend().left(each)).isEmpty()));
	}

	LockTemplate template() {
		return new LockTemplate(backend().first());
	}

	LockRequest of(String key) {
		return LockRequest.of(key).withWait(PATIENCE);
	}

	LockHandle other(String key, LockMode mode) {
		return backend().second()
			.acquire(LockRequest.of(key).withMode(mode).withOwner("second").withWait(Duration.ZERO));
	}

	enum Way {

		BLOCKING, ASYNC;

		LockHandle acquire(LockTemplate template, List<LockRequest> requests) {
			return (this == BLOCKING) ? template.acquire(requests) : get(template.acquireAsync(requests));
		}

		void release(LockHandle handle) {
			if (this == BLOCKING) {
				handle.release();
			}
			else {
				handle.releaseAsync().join();
			}
		}

	}

}
