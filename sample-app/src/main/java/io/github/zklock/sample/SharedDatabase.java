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
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * The database file that several processes of one user of this machine open. No other
 * user can open it: its directory and password are only for that user. Each of them holds
 * a shared lock on a file beside it, so the last one knows that it is the last, and
 * deletes both.
 */
final class SharedDatabase implements AutoCloseable {

	private static final String DATABASE = "shared";

	private static final String PASSWORD = "password";

	private static final long USERS = 0;

	private static final long SCHEMA = 1;

	private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private final Path directory;

	private final Path file;

	private final FileChannel locks;

	private final FileLock use;

	private final String password;

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
		this.password = createSchema();
	}

	private FileChannel open() throws IOException {
		createPrivately();
		return FileChannel.open(this.file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE);
	}

	// Another user could otherwise create it first, and read or replace what is in it.
	private void createPrivately() throws IOException {
		boolean posix = this.directory.getFileSystem().supportedFileAttributeViews().contains("posix");
		try {
			Files.createDirectory(this.directory,
					posix ? new FileAttribute<?>[] { OWNER_ONLY } : new FileAttribute<?>[0]);
		}
		catch (FileAlreadyExistsException ex) {
			if (posix && !isPrivate()) {
				throw new IOException(
						"The directory " + this.directory + " belongs to another user or is open to others; delete it",
						ex);
			}
		}
	}

	private boolean isPrivate() throws IOException {
		PosixFileAttributes found = Files.readAttributes(this.directory, PosixFileAttributes.class,
				LinkOption.NOFOLLOW_LINKS);
		UserPrincipal user = this.directory.getFileSystem()
			.getUserPrincipalLookupService()
			.lookupPrincipalByName(System.getProperty("user.name"));
		return found.isDirectory() && found.owner().equals(user) && found.permissions().equals(OWNER_ONLY.value());
	}

	/**
	 * Nodes that start together would otherwise do it at the same time. Each would see
	 * that a row is missing that another one is about to insert.
	 */
	private String createSchema() throws IOException {
		// Of the server by which the other processes reach the file.
		System.setProperty("h2.bindAddress", "127.0.0.1");
		try (FileLock alone = this.locks.lock(SCHEMA, 1, false)) {
			Path file = this.directory.resolve(PASSWORD);
			if (!Files.exists(file)) {
				Files.writeString(file, UUID.randomUUID().toString());
			}
			String password = Files.readString(file);
			new ResourceDatabasePopulator(new ClassPathResource("schema.sql"))
				.execute(new DriverManagerDataSource(url(), "sa", password));
			return password;
		}
	}

	String password() {
		return this.password;
	}

	String url() {
		return "jdbc:h2:file:" + this.directory.resolve(DATABASE).toAbsolutePath() + ";AUTO_SERVER=TRUE;WRITE_DELAY=0";
	}

	@Override
	public void close() throws IOException {
		try (this.locks) {
			this.use.release();
			if (this.locks.tryLock() != null) {
				deleteFiles();
			}
		}
	}

	// The directory may be one that the user has for other files as well.
	private void deleteFiles() throws IOException {
		List<Path> found;
		try (Stream<Path> files = Files.list(this.directory)) {
			found = files.toList();
		}
		for (Path each : found) {
			String name = each.getFileName().toString();
			if (each.equals(this.file) || name.equals(PASSWORD) || name.startsWith(DATABASE + ".")) {
				Files.deleteIfExists(each);
			}
		}
		try {
			Files.deleteIfExists(this.directory);
		}
		catch (DirectoryNotEmptyException ex) {
			// What is left is not of the database.
		}
	}

}
