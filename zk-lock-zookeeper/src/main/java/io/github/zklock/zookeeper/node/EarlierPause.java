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

package io.github.zklock.zookeeper.node;

import org.jspecify.annotations.Nullable;

/**
 * A pause of a job that is over.
 *
 * @param since when it began, by the clock of the leader
 * @param until when it ended, by the clock of the leader
 */
public record EarlierPause(long since, long until) {

	private static final int FIELDS = 2;

	EarlierPause until(long latest) {
		return new EarlierPause(Math.min(this.since, latest), Math.min(this.until, latest));
	}

	String line() {
		return "pause=" + JobText.instant(this.since) + " " + JobText.instant(this.until) + "\n";
	}

	static @Nullable EarlierPause parse(String value) {
		String[] fields = value.split(" ", FIELDS);
		long since = JobText.millis(fields[0]);
		long until = (fields.length == FIELDS) ? JobText.millis(fields[1]) : -1;
		return (since >= 0 && until >= since) ? new EarlierPause(since, until) : null;
	}

}
