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

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

/**
 * A process in an experiment: it holds a lock and works under it, or wants the lock. All
 * processes of a machine share {@link System#nanoTime()}.
 *
 * @since 0.1.0
 */
public final class FailureWorker {

	private static final long STEP_MILLIS = 5;

	private final Locks locks;

	private final BufferedReader in;

	private FailureWorker(Locks locks, BufferedReader in) {
		this.locks = locks;
		this.in = in;
	}

	/**
	 * Connect, and do what the lines of the input say.
	 * @param args library, address, milliseconds after which the lock of a dead process
	 * is free
	 * @throws Exception if a lock fails
	 * @throws IllegalArgumentException if a line is unknown
	 */
	public static void main(String[] args) throws Exception {
		try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
			Locks locks = Library.valueOf(args[0]).open(args[1], Duration.ofMillis(Long.parseLong(args[2])));
			// The first lock of a connection may do more.
			locks.lock("warm-up-" + ProcessHandle.current().pid()).unlock();
			System.out.println("ready");
			FailureWorker worker = new FailureWorker(locks, in);
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				String[] words = line.split(" ");
				switch (words[0]) {
					case "hold" -> worker.hold(words[1]);
					case "want" -> worker.want(words[1]);
					case "try" -> worker.attempt(words[1], Long.parseLong(words[2]));
					default -> throw new IllegalArgumentException(line);
				}
			}
		}
		System.exit(0);
	}

	// Works until the next line, "report <since>", and says what happened since then.
	private void hold(String key) throws Exception {
		Locks.Held held = this.locks.lock(key);
		System.out.println("held " + held.token());
		LongStream.Builder steps = LongStream.builder();
		long told = Long.MAX_VALUE;
		while (!this.in.ready()) {
			if (told == Long.MAX_VALUE) {
				if (held.seemsHeld()) {
					steps.add(System.nanoTime());
				}
				else {
					told = System.nanoTime();
				}
			}
			TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
		}
		long since = Long.parseLong(this.in.readLine().split(" ")[1]);
		long late = steps.build().filter((step) -> step - since >= 0).count();
		System.out.println("report " + late + " " + ((told != Long.MAX_VALUE) ? (told - since) / 1_000_000 : "never")
				+ " " + unlock(held));
	}

	private void want(String key) throws Exception {
		Locks.Held held = this.locks.lock(key);
		System.out.println("got " + System.nanoTime() + " " + held.token());
		this.in.readLine();
		unlock(held);
	}

	private void attempt(String key, long waitMillis) throws Exception {
		long start = System.nanoTime();
		String outcome;
		Locks.@Nullable Held held = null;
		try {
			held = this.locks.tryLock(key, Duration.ofMillis(waitMillis));
			outcome = (held != null) ? "got " + held.token() : "no -";
		}
		catch (Exception ex) {
			outcome = ex.getClass().getSimpleName() + " -";
		}
		System.out.println("ended " + (System.nanoTime() - start) / 1_000_000 + " " + outcome);
		if (held != null) {
			this.in.readLine();
			unlock(held);
		}
	}

	private static String unlock(Locks.Held held) {
		try {
			held.unlock();
			return "nothing";
		}
		catch (Exception ex) {
			return ex.getClass().getSimpleName();
		}
	}

}
