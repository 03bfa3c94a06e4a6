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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * What a node does when the experiment says so. It ends with the experiment.
 */
final class JobCommands {

	private JobCommands() {
	}

	static void obey(Runnable pause, Runnable resume) throws IOException {
		System.out.println("ready");
		try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				(line.equals("pause") ? pause : resume).run();
				System.out.println("done " + line);
			}
		}
		Runtime.getRuntime().halt(0);
	}

}
