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

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A contender's node in the queue of a key: {@code <prefix><infix><sequence>}. The
 * infixes are the infixes of Curator's recipes, so that both see each other. Before them
 * stands the number of permits, unless it is 1, or a mark. The mark says that the node
 * may be kept without a holder, or that its contender may leave a stamp behind.
 *
 * @param name the name of the node
 * @param mode the mode of the contender
 * @param permits how many may hold the key at once, in the eyes of the contender
 * @param sequence the number that ZooKeeper gave it
 */
public record QueueNode(String name, LockMode mode, int permits, long sequence) {

	/**
	 * The numbers are 32 bits wide and wrap: no lock is granted beyond this one.
	 */
	public static final long MAX_SEQUENCE = (1L << 31) - (1L << 20);

	private static final LockMode[] MODES = LockMode.values();

	private static final int SEQUENCE_DIGITS = 10;

	// Not a hexadecimal digit, so no unique prefix contains it by chance.
	private static final String PERMITS = "p";

	private static final String CACHEABLE = "k-";

	private static final String STAMPING = "s-";

	/**
	 * Return what follows the unique beginning of the name of a request's node.
	 */
	public static String infix(LockRequest request) {
		return mark(request) + infix(request.mode());
	}

	private static String infix(LockMode mode) {
		return switch (mode) {
			case EXCLUSIVE -> "lock-";
			case READ -> "__READ__";
			case WRITE -> "__WRIT__";
		};
	}

	// No request has more than one of these.
	private static String mark(LockRequest request) {
		if (request.permits() > 1) {
			return PERMITS + request.permits() + "-";
		}
		if (request.cache()) {
			return CACHEABLE;
		}
		return request.lockAtLeastFor().isZero() ? "" : STAMPING;
	}

	/**
	 * Return the node of a name, or {@code null} if the name is not exactly the name of a
	 * contender. That is {@code z<process>-<number>-<mark><infix><sequence>}, or a name
	 * with the client of Curator's recipes before the infix.
	 */
	public static @Nullable QueueNode parse(String name) {
		NameReader reader = NameReader.of(name);
		if (reader == null) {
			return null;
		}
		long allowed = 1;
		if (ContenderNames.isContender(name)) {
			allowed = reader.contender() ? permits(reader) : -1;
		}
		else if (!reader.curatorClient()) {
			return null;
		}
		LockMode mode = mode(reader);
		if (mode == null || allowed < 1 || (allowed > 1 && mode != LockMode.EXCLUSIVE)) {
			return null;
		}
		long sequence = reader.number(SEQUENCE_DIGITS, SEQUENCE_DIGITS, Integer.MAX_VALUE);
		return (sequence >= 0 && reader.isAtEnd()) ? new QueueNode(name, mode, (int) allowed, sequence) : null;
	}

	// Without a mark, or with one of the others, there is one permit.
	private static long permits(NameReader reader) {
		if (reader.text(CACHEABLE) || reader.text(STAMPING) || !reader.text(PERMITS)) {
			return 1;
		}
		long permits = reader.number(1, SEQUENCE_DIGITS, Integer.MAX_VALUE);
		return (permits > 1 && reader.text("-")) ? permits : -1;
	}

	private static @Nullable LockMode mode(NameReader reader) {
		for (LockMode mode : MODES) {
			if (reader.text(infix(mode))) {
				return mode;
			}
		}
		return null;
	}

	/**
	 * Return whether the node of a path may be kept by its process without a holder.
	 */
	public static boolean isCacheable(@Nullable String path) {
		int begin = (path != null) ? path.lastIndexOf('/') + 1 : 0;
		// Most names have no mark, and are not read any further.
		if (path == null || !path.startsWith(CACHEABLE, path.indexOf('-', path.indexOf('-', begin) + 1) + 1)) {
			return false;
		}
		String name = path.substring(begin);
		return parse(name) != null && isMarked(name, CACHEABLE);
	}

	// Only for the name of a contender.
	private static boolean isMarked(String name, String mark) {
		return ContenderNames.isContender(name) && name.startsWith(mark, ContenderNames.of(name).length());
	}

	/**
	 * Return whether a node of this process has a number beyond the limit. A negative one
	 * makes a name of another form.
	 * @param listed the node as it was found in a listing
	 * @param name its name
	 */
	public static boolean isBeyondLimit(@Nullable QueueNode listed, String name) {
		QueueNode node = (listed != null) ? listed : parse(name);
		return node == null || node.sequence > MAX_SEQUENCE;
	}

	/**
	 * Return whether its contender, once it was first, leaves a stamp that keeps the key.
	 */
	boolean leavesStamp() {
		return isMarked(this.name, STAMPING);
	}

	boolean isCompatibleWith(QueueNode other) {
		return this.permits == other.permits && this.mode.isCompatibleWith(other.mode);
	}

}
