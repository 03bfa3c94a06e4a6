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

package io.github.zklock.benchmarks.lock;

/**
 * How long several JVMs run.
 *
 * @param hurryMillis how long they warm up without holding the lock and without a pause
 * @param warmUpMillis how long they warm up with the very task
 * @param millis how long they are measured
 */
record FleetTimes(long hurryMillis, long warmUpMillis, long millis) {

	double seconds() {
		return (this.hurryMillis + this.warmUpMillis + this.millis) / 1e3;
	}

	String description() {
		String hurry = (this.hurryMillis > 0) ? this.hurryMillis / 1000 + " s without hold time and pause, then " : "";
		return "Warmed up for " + hurry + this.warmUpMillis / 1000 + " s with the task itself, then measured for "
				+ this.millis / 1000 + " s.";
	}

}
