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

import java.util.Set;

import org.objectweb.asm.Opcodes;

/**
 * A method of a class file, and what it calls on {@code this}.
 *
 * @param type the class that declares it
 * @param signature its name and descriptor
 * @param access its modifiers
 * @param calls what it calls, also from classes without a name inside of it
 */
record SelfCallingMethod(Class<?> type, String signature, int access, Set<Call> calls) {

	static String id(Class<?> type, String signature) {
		return type.getName() + "." + signature;
	}

	String id() {
		return id(this.type, this.signature);
	}

	String name() {
		return this.signature.substring(0, this.signature.indexOf('('));
	}

	String descriptor() {
		return this.signature.substring(this.signature.indexOf('('));
	}

	boolean has(int modifier) {
		return (this.access & modifier) != 0;
	}

	boolean isConstructor() {
		return name().equals("<init>");
	}

	/**
	 * Return whether the method is in the source, unlike the body of a lambda, or a
	 * bridge.
	 */
	boolean isVisible() {
		return !has(Opcodes.ACC_SYNTHETIC);
	}

	boolean isOverridable() {
		return !has(Opcodes.ACC_PRIVATE) && !isConstructor();
	}

	/**
	 * A method that is called on {@code this}.
	 *
	 * @param owner the internal name of the class that the call names
	 * @param signature its name and descriptor
	 * @param direct whether the method of that class is called, and not one that
	 * overrides it
	 */
	record Call(String owner, String signature, boolean direct) {

	}

}
