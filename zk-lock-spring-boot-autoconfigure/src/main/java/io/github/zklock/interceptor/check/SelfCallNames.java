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

package io.github.zklock.interceptor.check;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;

import org.springframework.util.ClassUtils;

/**
 * Tells whether the code of a class may call methods of certain names. Only the constant
 * pool of its class file is read, in which each method that is called has its name. Most
 * classes call none of their guarded methods, and an application with such classes only
 * does not load what follows the code of the others.
 */
final class SelfCallNames {

	// As the virtual machine counts them.
	private static final int CLASS = 7;

	private static final int NAME_AND_TYPE = 12;

	private final Set<String> names;

	SelfCallNames(Set<String> names) {
		this.names = names;
	}

	/**
	 * Return whether a class, or what it extends or implements, may call one of the
	 * methods.
	 * @param type the class
	 * @return {@code false} if it certainly does not
	 */
	boolean mayBeCalledIn(@Nullable Class<?> type) {
		return type != null && !SelfCallGraph.isJdk(type)
				&& (isReferredToIn(type) || mayBeCalledIn(type.getSuperclass())
						|| Arrays.stream(type.getInterfaces()).anyMatch(this::mayBeCalledIn));
	}

	private boolean isReferredToIn(Class<?> type) {
		try (InputStream code = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			return code != null && isReferredToIn(new ClassReader(code), Type.getInternalName(type) + "$");
		}
		catch (IOException | RuntimeException | LinkageError ex) {
			// Left to those who read the code.
			return true;
		}
	}

	// A class inside of it may be one without a name, whose code counts as its own.
	private boolean isReferredToIn(ClassReader file, String inside) {
		char[] buffer = new char[file.getMaxStringLength()];
		for (int i = 1; i < file.getItemCount(); i++) {
			int item = file.getItem(i);
			int tag = (item > 0) ? file.readByte(item - 1) : 0;
			if ((tag == NAME_AND_TYPE && this.names.contains(file.readUTF8(item, buffer)))
					|| (tag == CLASS && file.readUTF8(item, buffer).startsWith(inside))) {
				return true;
			}
		}
		return false;
	}

}
