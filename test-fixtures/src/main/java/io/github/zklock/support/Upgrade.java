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

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two versions in one cluster. The system property {@code upgrade.earlier} is a directory
 * with the jars of an earlier version. The property {@code upgrade} is {@code out} if the
 * earlier version comes first, or {@code back} if it comes last. Without an earlier
 * version all processes are of this one.
 */
public final class Upgrade {

	/** The name of the property without which there is no upgrade. */
	public static final String PROPERTY = "upgrade.earlier";

	private static final String CURRENT = System.getProperty("java.class.path");

	// What is published of this version, as classes or as a jar. Tests stay.
	private static final Pattern PUBLISHED = Pattern
		.compile(".*[/\\\\]zk-lock-[a-z-]+[/\\\\]target[/\\\\](classes|zk-lock-.*(?<!-tests)\\.jar)[/\\\\]?");

	private Upgrade() {
	}

	/**
	 * Return whether there are two versions.
	 * @return whether there is an earlier one
	 */
	public static boolean isWanted() {
		return System.getProperty(PROPERTY) != null;
	}

	/**
	 * Return the class path of processes before the upgrade.
	 * @return the class path
	 */
	public static String before() {
		return isBack() ? CURRENT : earlier();
	}

	/**
	 * Return the class path of processes after the upgrade.
	 * @return the class path
	 */
	public static String after() {
		return isBack() ? earlier() : CURRENT;
	}

	private static boolean isBack() {
		return switch (System.getProperty("upgrade", "out")) {
			case "out" -> false;
			case "back" -> true;
			default -> throw new IllegalArgumentException("The property upgrade is neither 'out' nor 'back'");
		};
	}

	private static String earlier() {
		if (!isWanted()) {
			return CURRENT;
		}
		Stream<String> others = Arrays.stream(CURRENT.split(Pattern.quote(File.pathSeparator)))
			.filter((entry) -> !PUBLISHED.matcher(entry).matches());
		return Stream.concat(jars(), others).collect(Collectors.joining(File.pathSeparator));
	}

	private static Stream<String> jars() {
		try (Stream<Path> files = Files.list(Path.of(System.getProperty(PROPERTY)))) {
			return files.map((file) -> file.toAbsolutePath().toString())
				.filter((file) -> file.endsWith(".jar"))
				.sorted()
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
