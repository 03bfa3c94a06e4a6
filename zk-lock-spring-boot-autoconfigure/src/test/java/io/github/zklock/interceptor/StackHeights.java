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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the stack that {@link SelfCallVisitor} follows with the frames that the
 * compiler has noted, and with what a jump back or a return has to find.
 */
final class StackHeights extends ClassVisitor {

	// Below the stack, so that taking too much from it shows.
	private static final int BASE = 1000;

	private final AtomicInteger compared = new AtomicInteger();

	private StackHeights() {
		super(SpringAsmInfo.ASM_VERSION);
	}

	/**
	 * Compare all frames of a class.
	 * @param type the class
	 * @return how many frames there were
	 */
	static int check(Class<?> type) throws IOException {
		StackHeights heights = new StackHeights();
		try (InputStream code = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			new ClassReader(code).accept(heights, ClassReader.EXPAND_FRAMES);
		}
		return heights.compared.get();
	}

	@Override
	public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
			String[] exceptions) {
		SelfCallVisitor visitor = new SelfCallVisitor(true, null, (call) -> {
		});
		return new Heights(name, visitor, Type.getReturnType(descriptor).getSize());
	}

	private final class Heights extends MethodVisitor {

		private final String name;

		private final int returned;

		private final OperandStack stack;

		private final Map<Label, Integer> expected = new HashMap<>();

		private final List<Label> labels = new ArrayList<>();

		Heights(String name, SelfCallVisitor visitor, int returned) {
			super(SpringAsmInfo.ASM_VERSION, visitor);
			this.name = name;
			this.returned = returned;
			this.stack = (OperandStack) ReflectionTestUtils.getField(visitor, "stack");
			this.stack.push(BASE);
		}

		@Override
		public void visitFrame(int type, int localCount, Object[] locals, int stackCount, Object[] slots) {
			int height = stackCount;
			for (int i = 0; i < stackCount; i++) {
				boolean wide = slots[i] == Opcodes.LONG || slots[i] == Opcodes.DOUBLE;
				height += wide ? 1 : 0;
			}
			// What only an exception or a later jump leads to begins with an empty stack.
			assertThat(height()).as(this.name).isIn(height, height + BASE);
			this.stack.restore("-".repeat(height + BASE));
			for (Label label : this.labels) {
				this.expected.put(label, height);
			}
			this.labels.clear();
			StackHeights.this.compared.incrementAndGet();
		}

		@Override
		public void visitLabel(Label label) {
			super.visitLabel(label);
			this.labels.add(label);
		}

		@Override
		public void visitJumpInsn(int opcode, Label label) {
			super.visitJumpInsn(opcode, label);
			Integer back = this.expected.get(label);
			if (back != null) {
				assertThat(height()).as(this.name).isEqualTo(back + BASE);
			}
		}

		@Override
		public void visitInsn(int opcode) {
			if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
				assertThat(height()).as(this.name).isEqualTo(this.returned + BASE);
			}
			super.visitInsn(opcode);
		}

		private int height() {
			return this.stack.save().length();
		}

	}

}
