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

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.Opcodes;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SelfCallVisitor} and its {@link OperandStack} with code that the
 * compiler of Java does not make, though other compilers may.
 */
class SelfCallVisitorTests {

	private final List<SelfCall> calls = new ArrayList<>();

	private final SelfCallVisitor visitor = new SelfCallVisitor(true, null, this.calls::add);

	private final OperandStack stack = (OperandStack) ReflectionTestUtils.getField(this.visitor, "stack");

	@ParameterizedTest
	@CsvSource({ "DUP, -t, -tt", "DUP_X1, -t, t-t", "DUP_X2, --t, t--t", "DUP2, t-, t-t-", "DUP2_X1, -t-, t--t-",
			"DUP2_X2, --t-, t---t-", "SWAP, -t, t-", "SWAP, t-, -t", "DUP, '', --", "DUP2_X2, t, -t---t",
			"POP2, t--, t", "IADD, '', ''" })
	void targetIsFollowedOverTheStack(String instruction, String before, String after) throws Exception {
		this.stack.restore(before);
		this.visitor.visitInsn(Opcodes.class.getField(instruction).getInt(null));
		assertThat(this.stack.save()).isEqualTo(after);
	}

	@Test
	void stackThatWasNotUnderstoodHoldsNoTarget() {
		assertThat(this.stack.isTarget(2)).isFalse();
		this.stack.restore("tt");
		this.stack.merge("t");
		assertThat(this.stack.save()).isEqualTo("t-");
		this.stack.pop(5);
		assertThat(this.stack.save()).isEmpty();
	}

	@Test
	void nothingIsKnownWhereNoJumpHasLedYet() {
		this.visitor.visitVarInsn(Opcodes.ALOAD, 0);
		this.visitor.visitJumpInsn(Opcodes.GOTO, new Label());
		this.visitor.visitLabel(new Label());
		call();
		assertThat(this.calls).isEmpty();
		this.visitor.visitVarInsn(Opcodes.ALOAD, 0);
		call();
		assertThat(this.calls).containsExactly(new SelfCall("Bean", "run()V", false));
	}

	@Test
	void targetIsLostWhereOneOfSeveralJumpsBringsAnother() {
		Label label = new Label();
		for (int variable : new int[] { 0, 1 }) {
			this.visitor.visitVarInsn(Opcodes.ALOAD, variable);
			this.visitor.visitInsn(Opcodes.ICONST_0);
			this.visitor.visitJumpInsn(Opcodes.IFEQ, label);
			this.visitor.visitInsn(Opcodes.POP);
		}
		this.visitor.visitVarInsn(Opcodes.ALOAD, 0);
		this.visitor.visitLabel(label);
		call();
		assertThat(this.calls).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { Opcodes.H_INVOKEVIRTUAL, Opcodes.H_INVOKESPECIAL })
	void referenceMayNameTheMethodOfASuperclass(int tag) {
		Handle handle = new Handle(tag, "Bean", "run", "()V", false);
		this.visitor.visitVarInsn(Opcodes.ALOAD, 0);
		this.visitor.visitInvokeDynamicInsn("run", "(LBean;)Ljava/lang/Runnable;", handle, "text", handle);
		assertThat(this.calls).containsExactly(new SelfCall("Bean", "run()V", tag == Opcodes.H_INVOKESPECIAL));
		assertThat(this.stack.save()).isEqualTo("-");
	}

	@ParameterizedTest
	@CsvSource({ "J, --", "D, --", "I, -", "Ljava/lang/Object;, -" })
	void computedConstantTakesTheSlotsOfItsType(String type, String after) {
		Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, "Bean", "constant", "()V", false);
		this.visitor.visitLdcInsn(new ConstantDynamic("constant", type, bootstrap));
		assertThat(this.stack.save()).isEqualTo(after);
	}

	private void call() {
		this.visitor.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "Bean", "run", "()V", false);
	}

}
