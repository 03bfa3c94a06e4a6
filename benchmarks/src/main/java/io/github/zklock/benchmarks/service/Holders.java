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

package io.github.zklock.benchmarks.service;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many holders each key has now, in a file that all processes map.
 */
final class Holders {

	private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private final ByteBuffer counts;

	private final LongAdder overlaps = new LongAdder();

	Holders(Path file, int keys) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			this.counts = channel.map(FileChannel.MapMode.READ_WRITE, 0, keys * (long) Long.BYTES);
		}
	}

	/**
	 * Enter and leave, as a body does.
	 * @param key the number of the key
	 */
	void visit(int key) {
		if ((long) LONGS.getAndAdd(this.counts, key * Long.BYTES, 1L) != 0) {
			this.overlaps.increment();
		}
		LONGS.getAndAdd(this.counts, key * Long.BYTES, -1L);
	}

	long overlaps() {
		return this.overlaps.sum();
	}

}
