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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Reads from a class file what the methods of the class call on {@code this}, directly or
 * through their anonymous and local classes. A call on another object of the same class
 * does not count, such as a call on an injected proxy.
 */
final class SelfCallReader {

	// A flag of no method.
	private static final int INNER = Opcodes.ACC_RECORD | Opcodes.ACC_PRIVATE;

	private final Class<?> type;

	private final String internalName;

	private final Map<String, CallingMethod> methods = new LinkedHashMap<>();

	private SelfCallReader(Class<?> type) {
		this.type = type;
		this.internalName = Type.getInternalName(type);
	}

	/**
	 * Return the methods of a class with their name and descriptor, none if there is no
	 * class file. It fails if the file has a later version of Java.
	 */
	static Map<String, CallingMethod> read(Class<?> type) throws IOException {
		SelfCallReader reader = new SelfCallReader(type);
		ClassNode own = reader.parse(reader.internalName);
		if (own != null) {
			reader.readOwn(own);
			for (InnerClassNode inner : own.innerClasses) {
				if (inner.outerName == null && inner.name.startsWith(reader.internalName + "$")) {
					reader.readInner(reader.parse(inner.name));
				}
				else if (reader.internalName.equals(inner.outerName) && (inner.access & Opcodes.ACC_STATIC) == 0) {
					reader.readNamed(reader.parse(inner.name), inner.innerName);
				}
			}
		}
		return reader.methods;
	}

	private @Nullable ClassNode parse(String name) throws IOException {
		try (InputStream code = this.type.getResourceAsStream(name.substring(name.lastIndexOf('/') + 1) + ".class")) {
			if (code == null) {
				return null;
			}
			ClassNode node = new ClassNode();
			new ClassReader(code).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			return node;
		}
	}

	private void readOwn(ClassNode own) {
		Interpreter interpreter = new Interpreter(null);
		for (MethodNode node : own.methods) {
			CallingMethod method = new CallingMethod(this.type, node.name + node.desc, node.access,
					new LinkedHashSet<>());
			this.methods.put(method.signature(), method);
			addCalls(own, node, interpreter, method.calls());
		}
	}

	// Its code counts as code of the method around it.
	private void readInner(@Nullable ClassNode inner) {
		if (inner == null || !this.internalName.equals(inner.outerClass)) {
			return;
		}
		CallingMethod around = (inner.outerMethod != null) ? this.methods.get(inner.outerMethod + inner.outerMethodDesc)
				: this.methods.values().stream().filter(CallingMethod::isConstructor).findFirst().orElse(null);
		if (around != null) {
			Interpreter interpreter = new Interpreter(Type.getDescriptor(this.type));
			inner.methods.forEach((method) -> addCalls(inner, method, interpreter, around.calls()));
		}
	}

	// It is not known which method of this class runs its code.
	private void readNamed(@Nullable ClassNode inner, String name) {
		if (inner == null) {
			return;
		}
		Interpreter interpreter = new Interpreter(Type.getDescriptor(this.type));
		for (MethodNode node : inner.methods) {
			CallingMethod method = new CallingMethod(this.type, name + "." + node.name + node.desc, INNER,
					new LinkedHashSet<>());
			addCalls(inner, node, interpreter, method.calls());
			this.methods.put(method.signature(), method);
		}
	}

	private static void addCalls(ClassNode owner, MethodNode method, Interpreter interpreter, Set<Call> calls) {
		try {
			Frame<BasicValue>[] frames = new Analyzer<>(interpreter).analyze(owner.name, method);
			for (int i = 0; i < frames.length; i++) {
				// Unreachable code has no frame.
				if (frames[i] != null) {
					addCalls(method.instructions.get(i), frames[i], calls);
				}
			}
		}
		catch (AnalyzerException ex) {
			throw new IllegalStateException("The code of " + owner.name + "." + method.name + " is not understood", ex);
		}
	}

	private static void addCalls(AbstractInsnNode instruction, Frame<BasicValue> frame, Set<Call> calls) {
		if (instruction instanceof MethodInsnNode call && call.getOpcode() != Opcodes.INVOKESTATIC
				&& isTarget(frame, Type.getArgumentCount(call.desc) + 1)) {
			calls.add(new Call(call.owner, call.name + call.desc, call.getOpcode() == Opcodes.INVOKESPECIAL));
		}
		// The body of a lambda, or the method of a reference, that has caught this.
		else if (instruction instanceof InvokeDynamicInsnNode dynamic
				&& isTarget(frame, Type.getArgumentCount(dynamic.desc))) {
			for (Object argument : dynamic.bsmArgs) {
				if (argument instanceof Handle handle) {
					calls.add(new Call(handle.getOwner(), handle.getName() + handle.getDesc(),
							handle.getTag() == Opcodes.H_INVOKESPECIAL));
				}
			}
		}
	}

	// The object is the first of what an instruction takes from the stack.
	private static boolean isTarget(Frame<BasicValue> frame, int taken) {
		return taken > 0 && frame.getStack(frame.getStackSize() - taken) == Interpreter.TARGET;
	}

	/**
	 * Follows one object through the code of a method: {@code this}, or, if its type is
	 * given, the object around an anonymous or local class. All other values differ by
	 * their size only.
	 */
	private static final class Interpreter extends BasicInterpreter {

		// No other value has its type. So where paths meet, the value is the object
		// only if it is the object on each path.
		static final BasicValue TARGET = new BasicValue(Type.getObjectType("this"));

		private final @Nullable String outerDescriptor;

		Interpreter(@Nullable String outerDescriptor) {
			super(ASM9);
			this.outerDescriptor = outerDescriptor;
		}

		@Override
		public BasicValue newParameterValue(boolean isInstanceMethod, int local, Type type) {
			return (this.outerDescriptor == null && isInstanceMethod && local == 0) ? TARGET
					: super.newParameterValue(isInstanceMethod, local, type);
		}

		@Override
		public BasicValue unaryOperation(AbstractInsnNode instruction, BasicValue value) throws AnalyzerException {
			boolean cast = instruction.getOpcode() == Opcodes.CHECKCAST && value == TARGET;
			boolean outer = instruction.getOpcode() == Opcodes.GETFIELD && instruction instanceof FieldInsnNode field
					&& field.desc.equals(this.outerDescriptor) && field.name.startsWith("this$");
			return (cast || outer) ? TARGET : super.unaryOperation(instruction, value);
		}

	}

	/**
	 * A method of a class file with its name and descriptor, and its calls on
	 * {@code this}. Calls from its anonymous and local classes are included.
	 */
	record CallingMethod(Class<?> type, String signature, int access, Set<Call> calls) {

		static String id(Class<?> type, String signature) {
			return type.getName() + "." + signature;
		}

		String id() {
			return id(this.type, this.signature);
		}

		boolean has(int modifier) {
			return (this.access & modifier) != 0;
		}

		// A method of a named class inside the type.
		boolean isInner() {
			return has(Opcodes.ACC_RECORD);
		}

		boolean isConstructor() {
			return this.signature.startsWith("<init>");
		}

		// The body of a lambda is not in the source, and neither is a bridge.
		boolean isVisible() {
			return !has(Opcodes.ACC_SYNTHETIC);
		}

		boolean isOverridable() {
			return !has(Opcodes.ACC_PRIVATE) && !isConstructor();
		}

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
