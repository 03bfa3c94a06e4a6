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

/**
 * A pattern for keys, in which {@code *} stands for any text and all else for itself.
 */
public final class KeyPattern {

	private KeyPattern() {
	}

	/**
	 * Return whether a text matches. Takes the product of both lengths at most, whatever
	 * the pattern is.
	 */
	public static boolean matches(String pattern, String text) {
		int at = 0;
		int star = -1;
		int retry = 0;
		for (int i = 0; i < text.length();) {
			if (at < pattern.length() && pattern.charAt(at) == '*') {
				star = at++;
				retry = i;
			}
			else if (at < pattern.length() && pattern.charAt(at) == text.charAt(i)) {
				at++;
				i++;
			}
			else if (star >= 0) {
				// The last star stands for one character more.
				at = star + 1;
				i = ++retry;
			}
			else {
				return false;
			}
		}
		return pattern.substring(at).chars().allMatch((rest) -> rest == '*');
	}

}
