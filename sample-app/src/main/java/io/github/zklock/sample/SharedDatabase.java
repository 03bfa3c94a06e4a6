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

package io.github.zklock.sample;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.util.FileSystemUtils;

/**
 * The database file that several processes of this machine open. Each of them holds a
 * shared lock on a file beside it, so the last one knows that it is the last, and deletes
 * both.
 */
final class SharedDatabase implements AutoCloseable {

	private static final long USERS = 0;

	private static final long SCHEMA = 1;

	private final Path directory;

	private final Path file;

	private final FileChannel locks;

	private final FileLock use;

	SharedDatabase(Path directory) throws IOException {
		this.directory = directory;
		this.file = directory.resolve("locks");
		FileChannel locks = open();
		FileLock use = locks.lock(USERS, 1, true);
		while (!Files.exists(this.file)) {
			// The last one before us has just deleted it.
			locks.close();
			locks = open();
			use = locks.lock(USERS, 1, true);
		}
		this.locks = locks;
		this.use = use;
		createSchema();
	}

	private FileChannel open() throws IOException {
		Files.createDirectories(this.directory);
		return FileChannel.open(this.file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE);
	}

	/**
	 * Nodes that start together would otherwise do it at the same time, each seeing that
	 * a row is missing that another one is about to insert.
	 */
	private void createSchema() throws IOException {
		try (FileLock alone = this.locks.lock(SCHEMA, 1, false)) {
			new ResourceDatabasePopulator(new ClassPathResource("schema.sql"))
				.execute(new DriverManagerDataSource(url()));
		}
	}

	String url() {
		return "jdbc:h2:file:" + this.directory.resolve("shared").toAbsolutePath() + ";AUTO_SERVER=TRUE;WRITE_DELAY=0";
	}

	@Override
	public void close() throws IOException {
		try (this.locks) {
			this.use.release();
			if (this.locks.tryLock() != null) {
				FileSystemUtils.deleteRecursively(this.directory);
			}
		}
	}

}
