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

import org.springframework.asm.Opcodes;

/**
 * By how many slots the instructions without operands change the height of the stack.
 */
final class StackEffect {

	private StackEffect() {
	}

	static int of(int opcode) {
		if (opcode >= Opcodes.IADD && opcode <= Opcodes.LXOR) {
			return ofArithmetic(opcode);
		}
		if (opcode >= Opcodes.I2L && opcode <= Opcodes.DCMPG) {
			return ofConversion(opcode);
		}
		return switch (opcode) {
			case Opcodes.LCONST_0, Opcodes.LCONST_1, Opcodes.DCONST_0, Opcodes.DCONST_1 -> 2;
			case Opcodes.NOP, Opcodes.LALOAD, Opcodes.DALOAD, Opcodes.ARRAYLENGTH -> 0;
			case Opcodes.IALOAD, Opcodes.FALOAD, Opcodes.AALOAD, Opcodes.BALOAD, Opcodes.CALOAD, Opcodes.SALOAD,
					Opcodes.POP, Opcodes.MONITORENTER, Opcodes.MONITOREXIT ->
				-1;
			case Opcodes.POP2 -> -2;
			case Opcodes.IASTORE, Opcodes.FASTORE, Opcodes.AASTORE, Opcodes.BASTORE, Opcodes.CASTORE, Opcodes.SASTORE ->
				-3;
			case Opcodes.LASTORE, Opcodes.DASTORE -> -4;
			default -> 1;
		};
	}

	// In groups of int, long, float and double, without the latter two at the end.
	private static int ofArithmetic(int opcode) {
		if (opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG) {
			return 0;
		}
		if (opcode >= Opcodes.ISHL && opcode <= Opcodes.LUSHR) {
			return -1;
		}
		return ((opcode - Opcodes.IADD) % 2 != 0) ? -2 : -1;
	}

	private static int ofConversion(int opcode) {
		return switch (opcode) {
			case Opcodes.I2L, Opcodes.I2D, Opcodes.F2L, Opcodes.F2D -> 1;
			case Opcodes.L2I, Opcodes.L2F, Opcodes.D2I, Opcodes.D2F, Opcodes.FCMPL, Opcodes.FCMPG -> -1;
			case Opcodes.LCMP, Opcodes.DCMPL, Opcodes.DCMPG -> -3;
			default -> 0;
		};
	}

}
