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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;

import io.github.zklock.zookeeper.tasks.Generation;
import org.jspecify.annotations.Nullable;

/**
 * Unique names for the contenders of this process: {@code z<process>-<number>-}. The name
 * finds a node whose creation was never confirmed. It begins with a letter after the
 * digits, so Curator's recipes sort no node of another kind before their own.
 * <p>
 * The process has a number for each session. Processes that go on from one snapshot have
 * the same memory, but each of them gets a session of its own.
 */
public final class ContenderNames {

	// No digit may be a letter of an infix, or a name could contain "lock-" by chance.
	private static final int RADIX = 16;

	private static final String MARK = "z";

	// A process that loses its sessions again and again forgets the numbers of the old
	// ones.
	private static final int MOST_SESSIONS = 100;

	private final LongUnaryOperator numbers;

	private final Map<Long, String> processes = new ConcurrentHashMap<>();

	private volatile Beginning latest = new Beginning(0, null);

	private final AtomicLong count = new AtomicLong();

	private volatile @Nullable Runnable whenNone;

	private final Map<String, Origin> known = new ConcurrentHashMap<>();

	/**
	 * Create the names of a process.
	 * @param numbers returns, for a session, what distinguishes the process from others
	 */
	public ContenderNames(LongUnaryOperator numbers) {
		this.numbers = numbers;
	}

	/**
	 * Return whether a node was created by zk-lock, and not by a plain Curator recipe.
	 */
	public static boolean isContender(String node) {
		return node.startsWith(MARK);
	}

	/**
	 * Return the unique beginning of the name of a node, which is the name itself if that
	 * has none.
	 */
	static String of(String node) {
		int number = isContender(node) ? node.indexOf('-') + 1 : 0;
		int end = (number > 0) ? node.indexOf('-', number) + 1 : 0;
		return (end > 0) ? node.substring(0, end) : node;
	}

	/**
	 * Return the hexadecimal digits that the names of this process begin with in a
	 * session, and no others.
	 */
	public String process(long session) {
		if (this.processes.size() >= MOST_SESSIONS && !this.processes.containsKey(session)) {
			this.processes.clear();
		}
		return this.processes.computeIfAbsent(session,
				(id) -> Long.toString((this.numbers.applyAsLong(id) & 0xFFFFFFFFFFL) | 0x8000000000L, RADIX));
	}

	/**
	 * Return whether these are the digits of this process in one of its sessions.
	 */
	public boolean isOwn(String process) {
		return this.processes.containsValue(process);
	}

	/**
	 * Return a new name for a session, known until it is {@linkplain #forget forgotten}.
	 * @param directory the directory of its node
	 * @param generation to which it belongs
	 */
	public String next(long session, String directory, Generation generation) {
		String name = beginning(session) + Long.toString(this.count.incrementAndGet(), RADIX) + "-";
		this.known.put(name, new Origin(directory, session, generation));
		return name;
	}

	// As a rule all names are for one session.
	private String beginning(long session) {
		Beginning known = this.latest;
		if (known.session() == session && known.text() != null) {
			return known.text();
		}
		String text = MARK + process(session) + "-";
		this.latest = new Beginning(session, text);
		return text;
	}

	/**
	 * Count a node without a session that has to be deleted, until it is
	 * {@linkplain #forget forgotten}.
	 */
	public void remember(String name, String directory, Generation generation) {
		this.known.put(name, new Origin(directory, 0, generation));
	}

	/**
	 * Take each name of a generation in which a step has failed, and where it is.
	 * @param present the generation to which it belongs from now on
	 */
	public void takeBroken(Generation present, BiConsumer<String, Origin> action) {
		this.known.forEach((name, origin) -> {
			Origin taken = new Origin(origin.directory(), origin.session(), present);
			if (origin.generation().isBroken() && this.known.replace(name, origin, taken)) {
				action.accept(name, origin);
			}
		});
	}

	/**
	 * Return whether this process has to delete the node, or may have to.
	 */
	public boolean isKnown(String name) {
		return this.known.containsKey(name);
	}

	public void forget(String name) {
		this.known.remove(name);
		Runnable action = this.whenNone;
		if (action != null && this.known.isEmpty()) {
			action.run();
		}
	}

	/**
	 * Run the action when no name is known any more; it may run more than once.
	 */
	public void whenNone(Runnable action) {
		this.whenNone = action;
		if (this.known.isEmpty()) {
			action.run();
		}
	}

	public int size() {
		return this.known.size();
	}

	/**
	 * Where a node is, if it exists.
	 *
	 * @param directory its directory
	 * @param session the session in which it lives, 0 for none
	 * @param generation to which it belongs
	 */
	public record Origin(String directory, long session, Generation generation) {

	}

	/**
	 * The beginning of all names of a session.
	 */
	private record Beginning(long session, @Nullable String text) {

	}

}
