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

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Reads from a class file what the methods of the class call on {@code this}, also by way
 * of the anonymous and local classes in them.
 */
final class SelfCallReader {

	private final Class<?> type;

	private final String internalName;

	private final Map<String, SelfCallingMethod> methods = new LinkedHashMap<>();

	private final Set<String> inner = new LinkedHashSet<>();

	private SelfCallReader(Class<?> type) {
		this.type = type;
		this.internalName = Type.getInternalName(type);
	}

	/**
	 * Read the methods of a class.
	 * @param type the class
	 * @return the methods by name and descriptor, none if there is no class file
	 * @throws IOException if it cannot be read
	 * @throws RuntimeException if it is not understood, for example because it is of a
	 * later version of Java
	 */
	static Map<String, SelfCallingMethod> read(Class<?> type) throws IOException {
		SelfCallReader reader = new SelfCallReader(type);
		reader.accept(reader.internalName, reader.new OwnClass());
		for (String name : reader.inner) {
			reader.accept(name, reader.new InnerClass());
		}
		return reader.methods;
	}

	private void accept(String name, ClassVisitor visitor) throws IOException {
		String file = name.substring(name.lastIndexOf('/') + 1) + ".class";
		try (InputStream code = this.type.getResourceAsStream(file)) {
			if (code != null) {
				new ClassReader(code).accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
	}

	/**
	 * The class itself.
	 */
	private final class OwnClass extends ClassVisitor {

		OwnClass() {
			super(SpringAsmInfo.ASM_VERSION);
		}

		@Override
		public void visitInnerClass(String name, @Nullable String outerName, @Nullable String innerName, int access) {
			if (outerName == null && name.startsWith(SelfCallReader.this.internalName + "$")) {
				SelfCallReader.this.inner.add(name);
			}
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
				String @Nullable [] exceptions) {
			SelfCallingMethod method = new SelfCallingMethod(SelfCallReader.this.type, name, descriptor, access);
			SelfCallReader.this.methods.put(method.signature(), method);
			return new SelfCallVisitor(!method.has(Opcodes.ACC_STATIC), null, method.calls()::add);
		}

	}

	/**
	 * An anonymous or local class, whose code counts as that of the method around it.
	 */
	private final class InnerClass extends ClassVisitor {

		private @Nullable SelfCallingMethod around;

		InnerClass() {
			super(SpringAsmInfo.ASM_VERSION);
		}

		@Override
		public void visitOuterClass(String owner, @Nullable String name, @Nullable String descriptor) {
			if (owner.equals(SelfCallReader.this.internalName)) {
				this.around = (name != null) ? SelfCallReader.this.methods.get(name + descriptor) : initializer();
			}
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
				@Nullable String signature, String @Nullable [] exceptions) {
			return (this.around != null)
					? new SelfCallVisitor(false, Type.getDescriptor(SelfCallReader.this.type), this.around.calls()::add)
					: null;
		}

		private @Nullable SelfCallingMethod initializer() {
			return SelfCallReader.this.methods.values()
				.stream()
				.filter(SelfCallingMethod::isConstructor)
				.findFirst()
				.orElse(null);
		}

	}

}
