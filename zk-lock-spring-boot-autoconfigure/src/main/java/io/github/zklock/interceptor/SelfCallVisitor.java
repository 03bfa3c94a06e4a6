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

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Finds the calls on {@code this} in the code of a method, by following it over the
 * operand stack. A call on another object of the same class, as the proxy that a bean got
 * injected, is none of them.
 */
final class SelfCallVisitor extends MethodVisitor {

	private final boolean onThis;

	private final @Nullable String outerDescriptor;

	private final Consumer<SelfCall> calls;

	private final OperandStack stack = new OperandStack();

	private final Map<Label, String> jumps = new HashMap<>();

	private boolean reachable = true;

	/**
	 * Create the visitor of one method.
	 * @param onThis whether the first local variable is what calls are looked for on
	 * @param outerDescriptor the type of the enclosing object on which calls are looked
	 * for, or {@code null}
	 * @param calls what to tell
	 */
	SelfCallVisitor(boolean onThis, @Nullable String outerDescriptor, Consumer<SelfCall> calls) {
		super(SpringAsmInfo.ASM_VERSION);
		this.onThis = onThis;
		this.outerDescriptor = outerDescriptor;
		this.calls = calls;
	}

	@Override
	public void visitInsn(int opcode) {
		switch (opcode) {
			case Opcodes.DUP -> this.stack.duplicate(1, 0);
			case Opcodes.DUP_X1 -> this.stack.duplicate(1, 1);
			case Opcodes.DUP_X2 -> this.stack.duplicate(1, 2);
			case Opcodes.DUP2 -> this.stack.duplicate(2, 0);
			case Opcodes.DUP2_X1 -> this.stack.duplicate(2, 1);
			case Opcodes.DUP2_X2 -> this.stack.duplicate(2, 2);
			case Opcodes.SWAP -> this.stack.swap();
			case Opcodes.IRETURN, Opcodes.LRETURN, Opcodes.FRETURN, Opcodes.DRETURN, Opcodes.ARETURN, Opcodes.RETURN,
					Opcodes.ATHROW ->
				leave();
			default -> this.stack.change(StackEffect.of(opcode));
		}
	}

	@Override
	public void visitIntInsn(int opcode, int operand) {
		replace((opcode != Opcodes.NEWARRAY) ? 0 : 1, 1);
	}

	@Override
	public void visitVarInsn(int opcode, int variable) {
		switch (opcode) {
			case Opcodes.ILOAD, Opcodes.FLOAD -> this.stack.push(1);
			case Opcodes.LLOAD, Opcodes.DLOAD -> this.stack.push(2);
			case Opcodes.ISTORE, Opcodes.FSTORE, Opcodes.ASTORE -> this.stack.pop(1);
			case Opcodes.LSTORE, Opcodes.DSTORE -> this.stack.pop(2);
			case Opcodes.ALOAD -> load(this.onThis && variable == 0);
			default -> {
			}
		}
	}

	@Override
	public void visitTypeInsn(int opcode, String type) {
		if (opcode != Opcodes.CHECKCAST) {
			replace((opcode != Opcodes.NEW) ? 1 : 0, 1);
		}
	}

	@Override
	public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
		int size = Type.getType(descriptor).getSize();
		switch (opcode) {
			case Opcodes.GETSTATIC -> this.stack.push(size);
			case Opcodes.PUTSTATIC -> this.stack.pop(size);
			case Opcodes.PUTFIELD -> this.stack.pop(size + 1);
			default -> {
				this.stack.pop(1);
				if (descriptor.equals(this.outerDescriptor) && name.startsWith("this$")) {
					this.stack.pushTarget();
				}
				else {
					this.stack.push(size);
				}
			}
		}
	}

	@Override
	public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean onInterface) {
		int sizes = Type.getArgumentsAndReturnSizes(descriptor);
		int arguments = (sizes >> 2) - 1;
		boolean onObject = opcode != Opcodes.INVOKESTATIC;
		if (onObject && this.stack.isTarget(arguments)) {
			this.calls.accept(new SelfCall(owner, name + descriptor, opcode == Opcodes.INVOKESPECIAL));
		}
		replace(onObject ? arguments + 1 : arguments, sizes & 3);
	}

	// The body of a lambda, or the method of a reference, that has caught this.
	@Override
	public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
		int sizes = Type.getArgumentsAndReturnSizes(descriptor);
		int caught = (sizes >> 2) - 1;
		if (caught > 0 && this.stack.isTarget(caught - 1)) {
			for (Object argument : arguments) {
				if (argument instanceof Handle handle) {
					this.calls.accept(new SelfCall(handle.getOwner(), handle.getName() + handle.getDesc(),
							handle.getTag() == Opcodes.H_INVOKESPECIAL));
				}
			}
		}
		replace(caught, sizes & 3);
	}

	@Override
	public void visitLdcInsn(Object value) {
		boolean wide = value instanceof Long || value instanceof Double
				|| (value instanceof ConstantDynamic dynamic && dynamic.getSize() == 2);
		this.stack.push(wide ? 2 : 1);
	}

	@Override
	public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
		replace(dimensions, 1);
	}

	@Override
	public void visitJumpInsn(int opcode, Label label) {
		switch (opcode) {
			case Opcodes.GOTO -> {
			}
			case Opcodes.IFEQ, Opcodes.IFNE, Opcodes.IFLT, Opcodes.IFGE, Opcodes.IFGT, Opcodes.IFLE, Opcodes.IFNULL,
					Opcodes.IFNONNULL ->
				this.stack.pop(1);
			default -> this.stack.pop(2);
		}
		jump(label);
		this.reachable = opcode != Opcodes.GOTO;
	}

	@Override
	public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
		visitLookupSwitchInsn(other, new int[0], labels);
	}

	@Override
	public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
		this.stack.pop(1);
		jump(other);
		for (Label label : labels) {
			jump(label);
		}
		leave();
	}

	@Override
	public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
		OperandStack caught = new OperandStack();
		caught.push(1);
		this.jumps.put(handler, caught.save());
	}

	@Override
	public void visitLabel(Label label) {
		String arriving = this.jumps.get(label);
		if (!this.reachable) {
			this.stack.restore((arriving != null) ? arriving : "");
		}
		else if (arriving != null) {
			this.stack.merge(arriving);
		}
		this.reachable = true;
	}

	private void leave() {
		this.reachable = false;
	}

	private void load(boolean target) {
		if (target) {
			this.stack.pushTarget();
		}
		else {
			this.stack.push(1);
		}
	}

	private void replace(int popped, int pushed) {
		this.stack.pop(popped);
		this.stack.push(pushed);
	}

	private void jump(Label label) {
		this.jumps.merge(label, this.stack.save(), (earlier, now) -> {
			OperandStack merged = new OperandStack();
			merged.restore(earlier);
			merged.merge(now);
			return merged.save();
		});
	}

}
