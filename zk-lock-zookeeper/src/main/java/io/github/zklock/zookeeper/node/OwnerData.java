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

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data of a contender's node, which describe it in lines of {@code name=value}. The
 * time is the time of the node itself, given by the server.
 */
public final class OwnerData {

	private static final Logger logger = LoggerFactory.getLogger(OwnerData.class);

	/** The names of all lines. */
	static final Set<String> NAMES = Set.of("application", "instance", "host", "pid", "thread", "name", "trace");

	/** Longer data are not read as a whole: they may cut the connection. */
	public static final int MAX_LENGTH = 4096;

	// As W3C Trace Context has it: other forms cannot be distinguished.
	private static final Pattern TRACE_ID = Pattern.compile("(?!0{32})[0-9a-f]{32}");

	private final boolean full;

	private final Supplier<@Nullable String> traceId;

	private final String process;

	/**
	 * Create the data of a process.
	 * @param full whether they tell more than the application
	 */
	public OwnerData(String application, String instance, boolean full, Supplier<@Nullable String> traceId) {
		this.full = full;
		this.traceId = traceId;
		this.process = line("application", application) + (full ? line("instance", instance) + line("host", hostName())
				+ line("pid", Long.toString(ProcessHandle.current().pid())) : "");
	}

	/**
	 * Return what makes the data of a request of the calling thread.
	 */
	public Supplier<byte[]> of(LockRequest request) {
		if (!this.full) {
			return () -> this.process.getBytes(StandardCharsets.UTF_8);
		}
		String thread = Thread.currentThread().getName();
		String trace = traceId();
		return () -> text(thread, request.name(), trace).getBytes(StandardCharsets.UTF_8);
	}

	// In one piece, since it is made for each node.
	private String text(String thread, String name, @Nullable String trace) {
		String shownThread = ForeignText.value(thread);
		String shownName = ForeignText.value(name);
		return (trace != null)
				? this.process + "thread=" + shownThread + "\nname=" + shownName + "\ntrace=" + trace + "\n"
				: this.process + "thread=" + shownThread + "\nname=" + shownName + "\n";
	}

	// A trace that is not known is no reason to refuse a lock.
	private @Nullable String traceId() {
		try {
			return traceId(this.traceId.get());
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The trace of a lock is not known", ex);
			return null;
		}
	}

	private static @Nullable String traceId(@Nullable String value) {
		return (value != null && TRACE_ID.matcher(value).matches()) ? value : null;
	}

	/**
	 * Read the data of any contender, even of a plain Curator client. What another client
	 * wrote is bounded: its first 4,096 bytes are read, and each value is cut and cleaned
	 * as when it is written.
	 */
	public static LockHolder read(byte @Nullable [] data, @Nullable Duration queuedFor) {
		return read((data != null) ? ForeignText.unparsed(data, MAX_LENGTH) : "", queuedFor);
	}

	/**
	 * Read lines that are bounded already.
	 */
	public static LockHolder read(String text, @Nullable Duration queuedFor) {
		Map<String, String> values = new HashMap<>();
		for (String line : text.split("\n")) {
			int equals = line.indexOf('=');
			if (equals > 0) {
				values.put(line.substring(0, equals), ForeignText.value(line.substring(equals + 1)));
			}
		}
		return LockHolder.of(values.getOrDefault("application", "another client"))
			.instance(values.get("instance"))
			.host(values.get("host"))
			.pid(pid(values.get("pid")))
			.thread(values.get("thread"))
			.name(values.get("name"))
			.queuedFor(queuedFor)
			.traceId(traceId(values.get("trace")))
			.build();
	}

	private static long pid(@Nullable String text) {
		try {
			return (text != null) ? Long.parseLong(text) : 0;
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	static String line(String name, String value) {
		return name + "=" + ForeignText.value(value) + "\n";
	}

	public static String hostName() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown-host";
		}
	}

}
