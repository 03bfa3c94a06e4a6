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
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the stack that {@link SelfCallVisitor} follows with the frames that the
 * compiler has noted.
 */
final class StackHeights extends ClassVisitor {

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
		OperandStack stack = (OperandStack) ReflectionTestUtils.getField(visitor, "stack");
		return new MethodVisitor(SpringAsmInfo.ASM_VERSION, visitor) {

			@Override
			public void visitFrame(int type, int localCount, Object[] locals, int stackCount, Object[] slots) {
				int height = stackCount;
				for (int i = 0; i < stackCount; i++) {
					boolean wide = slots[i] == Opcodes.LONG || slots[i] == Opcodes.DOUBLE;
					height += wide ? 1 : 0;
				}
				assertThat(stack.save()).as(name).hasSize(height);
				StackHeights.this.compared.incrementAndGet();
			}

		};
	}

}
