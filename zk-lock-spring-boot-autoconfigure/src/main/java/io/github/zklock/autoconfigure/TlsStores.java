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

package io.github.zklock.autoconfigure;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Collections;
import java.util.UUID;

import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.util.FileSystemUtils;

/**
 * An SSL bundle as files, since that is all that ZooKeeper's client takes. Only the owner
 * of the process can read them, and they end with the client. The client reads them for
 * each connection, so an update of the bundle reaches the next one.
 */
final class TlsStores implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(TlsStores.class);

	private static final String SOCKET = "org.apache.zookeeper.ClientCnxnSocketNetty";

	private static final String TYPE = "PKCS12";

	private final String password = UUID.randomUUID().toString();

	private final ZKClientConfig config;

	private final Path directory;

	/**
	 * Write the files of a bundle and let a client use them.
	 * @param bundle the bundle
	 * @param config the configuration of that client
	 */
	TlsStores(SslBundle bundle, ZKClientConfig config) {
		this.config = config;
		config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
		config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, SOCKET);
		config.setProperty("zookeeper.ssl.hostnameVerification", "true");
		config.setProperty("zookeeper.ssl.allowReverseDnsLookup", "false");
		try {
			// Only its owner may open it.
			this.directory = Files.createTempDirectory("zk-lock-tls-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No directory for the key and trust store of the ZooKeeper client", ex);
		}
		try {
			write(bundle);
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/**
	 * Take over a new version of the bundle.
	 */
	void update(SslBundle bundle) {
		if (!Files.exists(this.directory)) {
			// Its client is closed, but there is no way to unsubscribe.
			return;
		}
		try {
			write(bundle);
			logger.info("The SSL bundle of the ZooKeeper client was updated: its next connection uses it");
		}
		catch (RuntimeException ex) {
			logger.error("The update of the SSL bundle cannot be used for ZooKeeper, which goes on with the old one",
					ex);
		}
	}

	private synchronized void write(SslBundle bundle) {
		SslStoreBundle stores = bundle.getStores();
		requireManagersOfStores(bundle);
		try {
			KeyStore keys = keys(stores, bundle.getKey());
			KeyStore trusted = trusted(stores.getTrustStore());
			write("keyStore", keys);
			write("trustStore", trusted);
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(
					"The SSL bundle of zk-lock.ssl.bundle"
							+ " cannot be used for ZooKeeper, whose client needs its keys and certificates as files",
					ex);
		}
		String[] protocols = bundle.getOptions().getEnabledProtocols();
		this.config.setProperty("zookeeper.ssl.enabledProtocols",
				(protocols != null) ? String.join(",", protocols) : null);
		String[] ciphers = bundle.getOptions().getCiphers();
		this.config.setProperty("zookeeper.ssl.ciphersuites", (ciphers != null) ? String.join(",", ciphers) : null);
	}

	// ZooKeeper's client takes no managers, and would trust what the JVM trusts.
	private void requireManagersOfStores(SslBundle bundle) {
		Class<?> ofStores = SslManagerBundle.from(bundle.getStores(), bundle.getKey()).getClass();
		if (bundle.getManagers().getClass() != ofStores) {
			throw new IllegalStateException("The SSL bundle of zk-lock.ssl.bundle" + " has managers of its own ("
					+ bundle.getManagers().getClass().getName()
					+ "), which cannot be used for ZooKeeper: its client needs keys and certificates as stores, and "
					+ "would trust other servers than these managers do. Give it a bundle with a trust store and, if "
					+ "the servers ask for a certificate, a key store");
		}
	}

	private void write(String name, @Nullable KeyStore store) throws IOException, GeneralSecurityException {
		String property = "zookeeper.ssl." + name;
		// An empty value does not select the store of the JVM.
		String location = "";
		if (store != null) {
			Path file = this.directory.resolve(name + ".p12");
			Path fresh = Files.createTempFile(this.directory, name, ".tmp");
			try (OutputStream stream = Files.newOutputStream(fresh)) {
				store.store(stream, this.password.toCharArray());
			}
			Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
			location = file.toString();
		}
		this.config.setProperty(property + ".type", TYPE);
		this.config.setProperty(property + ".password", this.password);
		this.config.setProperty(property + ".location", location);
	}

	private @Nullable KeyStore keys(SslStoreBundle stores, SslBundleKey key)
			throws GeneralSecurityException, IOException {
		KeyStore source = stores.getKeyStore();
		if (source == null) {
			return null;
		}
		key.assertContainsAlias(source);
		String secret = (key.getPassword() != null) ? key.getPassword() : stores.getKeyStorePassword();
		char[] characters = (secret != null) ? secret.toCharArray() : null;
		KeyStore copy = empty();
		for (String alias : Collections.list(source.aliases())) {
			if (source.isKeyEntry(alias) && (key.getAlias() == null || key.getAlias().equalsIgnoreCase(alias))) {
				Key own = source.getKey(alias, characters);
				copy.setKeyEntry(alias, own, this.password.toCharArray(), source.getCertificateChain(alias));
			}
		}
		return copy;
	}

	private static @Nullable KeyStore trusted(@Nullable KeyStore source) throws GeneralSecurityException, IOException {
		if (source == null) {
			return null;
		}
		KeyStore copy = empty();
		for (String alias : Collections.list(source.aliases())) {
			copy.setCertificateEntry(alias, source.getCertificate(alias));
		}
		return copy;
	}

	private static KeyStore empty() throws GeneralSecurityException, IOException {
		KeyStore store = KeyStore.getInstance(TYPE);
		store.load(null, null);
		return store;
	}

	@Override
	public void close() {
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			logger.warn("The files of the SSL bundle of the ZooKeeper client are left at {}", this.directory, ex);
		}
	}

}
