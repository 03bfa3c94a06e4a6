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
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Authorities and the certificates that they sign, made by the JDK's own tool.
 */
public final class Certificates {

	/** The password of every store and key. */
	public static final String PASSWORD = Secrets.password();

	private final Path directory;

	/**
	 * Create none so far.
	 * @param directory where the stores go
	 */
	public Certificates(Path directory) {
		this.directory = directory;
	}

	/**
	 * Create an authority.
	 * @param name its name
	 * @return a store that holds its certificate only, for clients and servers that trust
	 * it
	 */
	public Path authority(String name) {
		generate(name, "-alias", name, "-dname", "CN=" + name, "-ext", "bc:c", "-validity", "30");
		Path trust = store(name + "-trust");
		save(trust, (keys) -> keys.setCertificateEntry(name, load(store(name)).getCertificate(name)));
		return trust;
	}

	/**
	 * Create a certificate.
	 * @param authority the name of the authority that signs it
	 * @param name its name
	 * @param host for which host it is, like {@code dns:localhost}
	 * @param start when it begins to be valid for ten days, like {@code -1d}
	 * @return a store that holds it and its key
	 */
	public Path signed(String authority, String name, String host, String start) {
		generate(authority, "-alias", name, "-dname", "CN=" + name, "-signer", authority, "-ext", "san=" + host,
				"-startdate", start, "-validity", "10");
		Path store = store(name);
		save(store, (keys) -> {
			KeyStore all = load(store(authority));
			keys.setKeyEntry(name, all.getKey(name, PASSWORD.toCharArray()), PASSWORD.toCharArray(),
					all.getCertificateChain(name));
		});
		return store;
	}

	/**
	 * Return the certificates of an entry as PEM.
	 * @param store the store
	 * @param alias the entry
	 * @return the text
	 */
	public static String certificates(Path store, String alias) {
		try {
			KeyStore keys = load(store);
			Certificate[] chain = keys.isKeyEntry(alias) ? keys.getCertificateChain(alias)
					: new Certificate[] { keys.getCertificate(alias) };
			StringBuilder text = new StringBuilder();
			for (Certificate certificate : chain) {
				text.append(pem("CERTIFICATE", certificate.getEncoded()));
			}
			return text.toString();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the key of an entry as PEM.
	 * @param store the store
	 * @param alias the entry
	 * @return the text
	 */
	public static String key(Path store, String alias) {
		try {
			Key key = load(store).getKey(alias, PASSWORD.toCharArray());
			return pem("PRIVATE KEY", key.getEncoded());
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static KeyStore load(Path store) {
		try {
			return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String pem(String type, byte[] content) {
		String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
		return "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n";
	}

	private Path store(String name) {
		return this.directory.resolve(name + ".p12");
	}

	private static void save(Path store, Content content) {
		try (OutputStream out = Files.newOutputStream(store)) {
			KeyStore keys = KeyStore.getInstance("PKCS12");
			keys.load(null, null);
			content.addTo(keys);
			keys.store(out, PASSWORD.toCharArray());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	// A signer must be in the same store. Each call starts a JVM, so there is one for a
	// key.
	private void generate(String store, String... arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
						"-J-XX:TieredStopAtLevel=1", "-genkeypair", "-keyalg", "EC", "-keystore",
						store(store).toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
		command.addAll(List.of(arguments));
		try {
			Path log = Files.createTempFile("keytool", ".log");
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start();
			if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
				throw new AssertionError(command + " has failed: " + Files.readString(log));
			}
			Files.delete(log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private interface Content {

		void addTo(KeyStore keys) throws GeneralSecurityException;

	}

}
