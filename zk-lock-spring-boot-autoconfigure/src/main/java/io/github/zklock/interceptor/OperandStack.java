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

/**
 * The operand stack of a method, of which only one thing is known: which slots hold the
 * object that is looked for.
 */
final class OperandStack {

	private static final char TARGET = 't';

	private static final char OTHER = '-';

	private final StringBuilder slots = new StringBuilder();

	void push(int count) {
		this.slots.append(String.valueOf(OTHER).repeat(count));
	}

	void pushTarget() {
		this.slots.append(TARGET);
	}

	void pop(int count) {
		require(count);
		this.slots.setLength(this.slots.length() - count);
	}

	/**
	 * Change the height as an instruction does that cannot leave the target behind.
	 * @param delta how many slots more, or less if negative
	 */
	void change(int delta) {
		if (delta > 0) {
			push(delta);
		}
		else {
			pop(-delta);
		}
	}

	/**
	 * Return whether a slot holds the target.
	 * @param depth the slots above it
	 * @return whether it does
	 */
	boolean isTarget(int depth) {
		require(depth + 1);
		return this.slots.charAt(this.slots.length() - 1 - depth) == TARGET;
	}

	/**
	 * Insert a copy of the topmost slots.
	 * @param count how many to copy
	 * @param below how many slots lie between them and the copy
	 */
	void duplicate(int count, int below) {
		require(count + below);
		int top = this.slots.length();
		this.slots.insert(top - count - below, this.slots.substring(top - count));
	}

	void swap() {
		duplicate(1, 1);
		pop(1);
	}

	String save() {
		return this.slots.toString();
	}

	void restore(String saved) {
		this.slots.setLength(0);
		this.slots.append(saved);
	}

	/**
	 * Keep as the target only what is so on both of two ways that meet.
	 * @param other the stack of the other way
	 */
	void merge(String other) {
		for (int i = 0; i < this.slots.length(); i++) {
			if (i >= other.length() || other.charAt(i) != TARGET) {
				this.slots.setCharAt(i, OTHER);
			}
		}
	}

	// A stack that was not understood is taken for one that does not hold the target.
	private void require(int count) {
		int missing = count - this.slots.length();
		if (missing > 0) {
			this.slots.insert(0, String.valueOf(OTHER).repeat(missing));
		}
	}

}
