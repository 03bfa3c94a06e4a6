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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.zklock.zookeeper.client.ConnectStrings;
import io.github.zklock.zookeeper.client.SaslSections;
import io.github.zklock.zookeeper.client.ServerProbe;
import io.github.zklock.zookeeper.client.ZooKeeperStartupException;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.Version;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The authentication of our client, and its checks of the servers.
 */
final class ClientSecurity implements AutoCloseable {

	private static final String NETTY = "io.netty.channel.epoll.Epoll";

	private static final Logger logger = LoggerFactory.getLogger(ClientSecurity.class);

	private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})");

	private static final int[] FIRST_SAFE = { 3, 9, 5 };

	private final ZkLockProperties.Auth.Digest digest;

	// Only if there is something that a builder cannot do.
	private final @Nullable ZKClientConfig config;

	private final @Nullable TlsStores tls;

	private final ServerProbe probe;

	// Of the JAAS configuration, if it is there for us only.
	private final @Nullable String section;

	ClientSecurity(ZkLockProperties properties, Supplier<SslBundles> bundles) {
		ZkLockProperties.Auth.Sasl sasl = properties.auth().sasl();
		String bundle = properties.ssl().bundle();
		this.digest = properties.auth().digest();
		this.config = (sasl.isSet() || StringUtils.hasText(bundle)) ? new ZKClientConfig() : null;
		this.section = (this.config != null && sasl.isSet()) ? authenticate(sasl, this.config) : null;
		if (this.config == null || !StringUtils.hasText(bundle)) {
			this.tls = null;
			this.probe = new ServerProbe("zk-lock.ssl.bundle", null);
			return;
		}
		try {
			this.tls = encrypt(bundle, bundles.get(), this.config);
		}
		catch (RuntimeException ex) {
			removeSection();
			throw ex;
		}
		this.probe = new ServerProbe("zk-lock.ssl.bundle", () -> tls(bundle(bundles.get(), bundle)));
	}

	static SslBundle bundle(SslBundles bundles, String name) {
		try {
			return bundles.getBundle(name);
		}
		catch (NoSuchSslBundleException ex) {
			throw ZooKeeperStartupException.unknownBundle(name);
		}
	}

	private static ServerProbe.Tls tls(SslBundle bundle) {
		return new ServerProbe.Tls(bundle.createSslContext(), bundle.getOptions().getEnabledProtocols(),
				bundle.getOptions().getCiphers());
	}

	private TlsStores encrypt(String bundle, SslBundles bundles, ZKClientConfig config) {
		if (!ClassUtils.isPresent(NETTY, null)) {
			throw new IllegalStateException("zk-lock.ssl.bundle needs io.netty:netty-transport-classes-epoll on the "
					+ "class path: without it ZooKeeper's client would try to connect for ever");
		}
		requireSafeTls(Version.getVersion());
		TlsStores stores = new TlsStores(bundle(bundles, bundle), config);
		bundles.addBundleUpdateHandler(bundle, stores::update);
		return stores;
	}

	// ZooKeeper's client would go on without authentication. This refuses to start.
	private @Nullable String authenticate(ZkLockProperties.Auth.Sasl sasl, ZKClientConfig config) {
		String entry = sasl.jaasEntry();
		String module = sasl.loginModule();
		if (StringUtils.hasText(entry)) {
			module = SaslSections.loginModule(entry);
			Assert.state(module != null,
					() -> "The JAAS configuration of this JVM has no section '" + entry + "', which "
							+ "zk-lock.auth.sasl.jaas-entry"
							+ " names: correct it, or the file that the system property "
							+ "java.security.auth.login.config names");
		}
		String checked = module;
		Assert.state(ClassUtils.isPresent(module, Thread.currentThread().getContextClassLoader()),
				() -> "The login module " + checked + " of zk-lock.auth.sasl"
						+ " is not on the class path, as the context class loader of this thread sees it");
		String section = StringUtils.hasText(entry) ? null : SaslSections.add(module, sasl.options());
		config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "true");
		config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, (section != null) ? section : entry);
		if (module.equals(ZkLockProperties.Auth.Sasl.DIGEST_MODULE)) {
			// Its MD5 is not allowed otherwise.
			config.setProperty("zookeeper.fips-mode", "false");
		}
		return section;
	}

	private void removeSection() {
		if (this.section != null) {
			SaslSections.remove(this.section);
		}
	}

	/**
	 * Apply the security to the builder of a client.
	 */
	void apply(CuratorFrameworkFactory.Builder builder) {
		if (this.digest.isSet()) {
			builder.authorization("digest",
					(this.digest.username() + ":" + this.digest.password()).getBytes(StandardCharsets.UTF_8));
		}
		if (this.config != null) {
			builder.zkClientConfig(this.config);
		}
	}

	/**
	 * Warn if the password goes through a network in the clear.
	 * @param servers the servers, as in the connect string
	 */
	void warnIfReadable(String servers) {
		if (this.digest.isSet() && this.tls == null && !ConnectStrings.areLoopback(servers)) {
			logger.warn(
					"The password of zk-lock.auth.digest is sent to ZooKeeper at '{}' without encryption, so every host "
							+ "on the way can read it: set zk-lock.ssl.bundle to use TLS",
					servers);
		}
	}

	/**
	 * Refuse a version of ZooKeeper's client whose TLS is not safe.
	 * @param version the version, like {@code 3.9.5}
	 */
	void requireSafeTls(String version) {
		Matcher matcher = VERSION.matcher(version);
		if (!matcher.lookingAt()) {
			return;
		}
		int[] numbers = IntStream.rangeClosed(1, 3).map((i) -> Integer.parseInt(matcher.group(i))).toArray();
		Assert.state(Arrays.compare(numbers, FIRST_SAFE) >= 0,
				() -> "zk-lock.ssl.bundle needs org.apache.zookeeper:zookeeper 3.9.5 or later, but " + version
						+ " is on the class path: older clients may log the passwords of key stores, and "
						+ "accept the certificate of another host by a reverse look-up of its address");
	}

	/**
	 * Check that no customizer has removed it again.
	 */
	void check(CuratorFrameworkFactory.Builder builder) {
		if (this.config != null && builder.getZkClientConfig() != this.config) {
			throw new IllegalStateException(
					"A CuratorFrameworkBuilderCustomizer bean replaces the ZKClientConfig with which "
							+ "zk-lock.ssl.* and zk-lock.auth.sasl.*"
							+ " work: change the one that builder.getZkClientConfig() returns");
		}
	}

	/**
	 * Return a probe that finds why a connection to a server fails.
	 */
	ServerProbe probe() {
		return this.probe;
	}

	@Override
	public void close() {
		removeSection();
		if (this.tls != null) {
			this.tls.close();
		}
	}

}
