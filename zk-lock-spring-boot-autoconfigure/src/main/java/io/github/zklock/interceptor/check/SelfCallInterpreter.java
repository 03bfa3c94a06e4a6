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

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * Follows one object through the code of a method: {@code this}, or the object around an
 * anonymous or local class. All other values are told apart by their size only.
 */
final class SelfCallInterpreter extends BasicInterpreter {

	/**
	 * The object. Its type is that of no other value, so where ways meet it is the object
	 * only if it is on each of them.
	 */
	static final BasicValue TARGET = new BasicValue(Type.getObjectType("this"));

	private final boolean onThis;

	private final @Nullable String outerDescriptor;

	/**
	 * Create the interpreter of one class.
	 * @param onThis whether the object is {@code this}
	 * @param outerDescriptor the type of the object around it, or {@code null}
	 */
	SelfCallInterpreter(boolean onThis, @Nullable String outerDescriptor) {
		super(ASM9);
		this.onThis = onThis;
		this.outerDescriptor = outerDescriptor;
	}

	@Override
	public BasicValue newParameterValue(boolean isInstanceMethod, int local, Type type) {
		return (this.onThis && isInstanceMethod && local == 0) ? TARGET
				: super.newParameterValue(isInstanceMethod, local, type);
	}

	@Override
	public BasicValue unaryOperation(AbstractInsnNode instruction, BasicValue value) throws AnalyzerException {
		boolean kept = instruction.getOpcode() == Opcodes.CHECKCAST && value == TARGET;
		return (kept || readsOuter(instruction)) ? TARGET : super.unaryOperation(instruction, value);
	}

	private boolean readsOuter(AbstractInsnNode instruction) {
		return instruction.getOpcode() == Opcodes.GETFIELD && instruction instanceof FieldInsnNode field
				&& field.desc.equals(this.outerDescriptor) && field.name.startsWith("this$");
	}

}
