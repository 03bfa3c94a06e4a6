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

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class of a {@link JavaProcess}: runs another one, and ends with the process
 * that has started it, however that ends.
 */
public final class ChildMain {

	private ChildMain() {
	}

	/**
	 * Run a main class.
	 * @param arguments its name, and its arguments
	 * @throws ReflectiveOperationException if there is no such class, or it fails
	 */
	public static void main(String[] arguments) throws ReflectiveOperationException {
		Thread watcher = new Thread(ChildMain::endWithParent, "parent");
		watcher.setDaemon(true);
		watcher.start();
		try {
			Class.forName(arguments[0])
				.getMethod("main", String[].class)
				.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
		}
		catch (InvocationTargetException ex) {
			ex.getCause().printStackTrace();
			Runtime.getRuntime().halt(2);
		}
	}

	// No process writes to the standard input, so it ends when the parent does.
	private static void endWithParent() {
		try {
			while (System.in.read() >= 0) {
				Thread.onSpinWait();
			}
		}
		catch (IOException ex) {
			// The same.
		}
		Runtime.getRuntime().halt(1);
	}

}
