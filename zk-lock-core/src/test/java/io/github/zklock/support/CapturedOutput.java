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

package io.github.zklock.support;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What a test has printed so far, on both streams. It is still printed.
 */
public final class CapturedOutput {

	private final ByteArrayOutputStream all = new ByteArrayOutputStream();

	private final PrintStream out = System.out;

	private final PrintStream err = System.err;

	CapturedOutput() {
		System.setOut(copied(this.out));
		System.setErr(copied(this.err));
	}

	private PrintStream copied(PrintStream stream) {
		return new PrintStream(new OutputStream() {

			@Override
			public void write(int value) {
				CapturedOutput.this.all.write(value);
				stream.write(value);
			}

			@Override
			public void write(byte[] values, int offset, int length) {
				CapturedOutput.this.all.write(values, offset, length);
				stream.write(values, offset, length);
			}

			@Override
			public void flush() {
				stream.flush();
			}

		}, true, StandardCharsets.UTF_8);
	}

	void end() {
		System.setOut(this.out);
		System.setErr(this.err);
	}

	@Override
	public String toString() {
		return this.all.toString(StandardCharsets.UTF_8);
	}

}
