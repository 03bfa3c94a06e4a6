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

package io.github.zklock.benchmarks.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The work of an item: steps, each with a record.
 */
final class JobBody {

	static final int STEP_MILLIS = 50;

	private final JobPlan plan;

	private final FileChannel records;

	private final AtomicInteger runs = new AtomicInteger();

	JobBody(JobPlan plan) {
		this.plan = plan;
		try {
			this.records = FileChannel.open(plan.records(), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Work.
	 * @param item the number of the item
	 * @param tick the planned time, if the library says so
	 */
	void run(int item, String tick) {
		String run = item + " " + tick + " " + ProcessHandle.current().pid() + " " + this.runs.incrementAndGet() + " ";
		try {
			write("begin " + run);
			boolean isLong = isLong(item);
			for (long step = this.plan.work().toMillis() / STEP_MILLIS; step > 0 || isLong; step--) {
				TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
				write("step " + run);
				isLong = isLong && isLong(item);
			}
			write("end " + run);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private boolean isLong(int item) throws IOException {
		return Files.exists(this.plan.longItem())
				&& Files.readString(this.plan.longItem()).equals(Integer.toString(item));
	}

	// One write for a line, which the system adds as a whole.
	private void write(String line) throws IOException {
		this.records.write(ByteBuffer.wrap((line + System.nanoTime() + "\n").getBytes(StandardCharsets.US_ASCII)));
	}

}
