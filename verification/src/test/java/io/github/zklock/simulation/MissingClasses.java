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

package io.github.zklock.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.asm.ClassReader;

/**
 * The classes of the project that a test of another module needs, itself or through other
 * tests, and that are not on the class path here.
 */
final class MissingClasses {

	private static final String PROJECT = "io/github/zklock/";

	private static final byte CLASS = 7;

	private final Set<String> seen = new HashSet<>();

	private final Set<String> missing = new TreeSet<>();

	private final ClassLoader classes;

	private MissingClasses(ClassLoader classes) {
		this.classes = classes;
	}

	static Set<String> of(String test, ClassLoader classes) throws IOException {
		MissingClasses found = new MissingClasses(classes);
		found.look(test.replace('.', '/'));
		return found.missing;
	}

	private void look(String name) throws IOException {
		if (!name.startsWith(PROJECT) || !this.seen.add(name)) {
			return;
		}
		URL url = this.classes.getResource(name + ".class");
		if (url == null) {
			this.missing.add(name);
		}
		else if (url.getPath().contains("/test-classes/")) {
			try (InputStream content = url.openStream()) {
				lookAtReferences(new ClassReader(content));
			}
		}
	}

	private void lookAtReferences(ClassReader reader) throws IOException {
		char[] buffer = new char[reader.getMaxStringLength()];
		for (int i = 1; i < reader.getItemCount(); i++) {
			int item = reader.getItem(i);
			if (item > 0 && reader.readByte(item - 1) == CLASS) {
				look(reader.readUTF8(item, buffer));
			}
		}
	}

}
