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

package io.github.zklock.benchmarks.server;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The time that server processes spend on a processor, as seen by a process that was
 * started by the same run as they were.
 *
 * @since 0.1.0
 */
public final class ServerCpu {

	// On the command line of a server, for others to find it.
	private static final String MARK = "benchmarks.server=";

	private final List<ProcessHandle> servers;

	/**
	 * Find the servers.
	 * @param connectStrings all of them, separated by commas; those that are not servers
	 * themselves, but stand before one, are left out
	 */
	public ServerCpu(String connectStrings) {
		this.servers = Arrays.stream(connectStrings.split(",")).flatMap((server) -> find("-D" + mark(server))).toList();
	}

	static String mark(String server) {
		return MARK + server;
	}

	/**
	 * Return how much it was so far.
	 * @return nanoseconds, in steps of the kernel's clock; zero if no server was found
	 */
	public long nanos() {
		return this.servers.stream()
			.flatMap((server) -> server.info().totalCpuDuration().stream())
			.mapToLong(Duration::toNanos)
			.sum();
	}

	private static Stream<ProcessHandle> find(String mark) {
		return ProcessHandle.current()
			.parent()
			.stream()
			.flatMap(ProcessHandle::children)
			.filter((process) -> Arrays.asList(process.info().arguments().orElse(new String[0])).contains(mark));
	}

}
