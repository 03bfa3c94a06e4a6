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

package io.github.zklock.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;

/**
 * Notes each method of this library that is entered, in classes of its own loader.
 */
public final class MethodEntries {

	private static final Queue<Entry> entries = new ConcurrentLinkedQueue<>();

	private static volatile boolean noting;

	private MethodEntries() {
	}

	/** Called by each method. */
	public static void enter(String type) {
		if (noting) {
			entries.add(new Entry(type, Thread.currentThread().getName()));
		}
	}

	/** Note all entries from now on. */
	public static void begin() {
		entries.clear();
		noting = true;
	}

	/** Return the entries since the begin. */
	public static List<Entry> end() {
		noting = false;
		return List.copyOf(entries);
	}

	/**
	 * The entry of a method.
	 *
	 * @param type the outermost class
	 * @param thread the name of the thread
	 */
	public record Entry(String type, String thread) {

		boolean isOnEventThread() {
			return this.thread.endsWith("-EventThread");
		}

	}

	/**
	 * Loads the classes of this library once more, so that their methods note themselves.
	 */
	static final class Loader extends ClassLoader {

		private static final String LIBRARY = "io.github.zklock.";

		Loader() {
			super(MethodEntries.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith(LIBRARY) || name.startsWith(MethodEntries.class.getName())) {
				return super.loadClass(name, resolve);
			}
			synchronized (getClassLoadingLock(name)) {
				Class<?> known = findLoadedClass(name);
				return (known != null) ? known : define(name);
			}
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			try (InputStream source = getResourceAsStream(name.replace('.', '/') + ".class")) {
				if (source == null) {
					throw new ClassNotFoundException(name);
				}
				ClassReader reader = new ClassReader(source);
				ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
				reader.accept(noting(writer, name), 0);
				byte[] code = writer.toByteArray();
				return defineClass(name, code, 0, code.length);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static ClassVisitor noting(ClassWriter writer, String name) {
			String type = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
			return new ClassVisitor(Opcodes.ASM9, writer) {

				@Override
				public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
						String[] exceptions) {
					MethodVisitor visitor = super.visitMethod(access, method, descriptor, signature, exceptions);
					if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_BRIDGE)) != 0) {
						return visitor;
					}
					return new MethodVisitor(Opcodes.ASM9, visitor) {

						@Override
						public void visitCode() {
							super.visitCode();
							visitLdcInsn(type);
							visitMethodInsn(Opcodes.INVOKESTATIC, Type.getInternalName(MethodEntries.class), "enter",
									"(Ljava/lang/String;)V", false);
						}

					};
				}

			};
		}

	}

}
