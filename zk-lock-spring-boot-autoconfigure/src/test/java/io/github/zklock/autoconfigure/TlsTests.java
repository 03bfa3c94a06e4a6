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

import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.Certificates;
import io.github.zklock.support.SecureServer;
import io.github.zklock.support.Waited;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.client.ZKClientConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * TLS by an SSL bundle, against a real server, and each way in which it can go wrong:
 * told by one line in time, and over without a restart when it is mended.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class TlsTests {

	private static final Duration SHORT = Duration.ofSeconds(1);

	private static final Duration LONG = Duration.ofSeconds(30);

	@TempDir
	static Path directory;

	private static SecureServer server;

	private static Path trusted;

	private static Path otherTrusted;

	private static Path right;

	private static Path expired;

	private static Path elsewhere;

	private static Path client;

	@BeforeAll
	static void create() throws Exception {
		Certificates certificates = new Certificates(directory);
		trusted = certificates.authority("ca");
		otherTrusted = certificates.authority("other-ca");
		right = certificates.signed("ca", "right", "dns:localhost", "-1d");
		expired = certificates.signed("ca", "expired", "dns:localhost", "-20d");
		elsewhere = certificates.signed("ca", "elsewhere", "dns:zk.example.org", "-1d");
		client = certificates.signed("ca", "client", "dns:client", "-1d");
		server = new SecureServer();
	}

	@AfterAll
	static void close() {
		server.close();
	}

	@AfterEach
	void passwordsAreNowhereInTheOutput(CapturedOutput output) {
		assertThat(output.getAll()).doesNotContain(Certificates.PASSWORD);
	}

	@Test
	void storesAndTextsAreBundlesAlsoWithACertificateOfTheClient() {
		server.startTls(right, trusted, "need");
		runner("jks").run(TlsTests::assertLocks);
		runner("pem").run(TlsTests::assertLocks);
	}

	@Test
	void nodesBelongToTheCertificateOfTheClient() {
		server.startTls(right, trusted, "need");
		runner("jks").withPropertyValues("zk-lock.root=/of-certificate").run((context) -> {
			assertLocks(context);
			CuratorFramework curator = context.getBean(CuratorFramework.class);
			for (String path : List.of("/of-certificate", "/of-certificate/a")) {
				assertThat(curator.getACL().forPath(path)).singleElement().satisfies((acl) -> {
					assertThat(acl.getPerms()).isEqualTo(Perms.ALL);
					assertThat(acl.getId().getScheme()).isEqualTo("x509");
				});
			}
		});
	}

	@Test
	void serverThatDoesNotAskForTheCertificateStopsAnApplicationThatFailsFast() {
		server.startTls(right, trusted, "none");
		runner("jks").withPropertyValues("zk-lock.fail-fast=true", "zk-lock.startup-timeout=30s").run((context) -> {
			assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("not with the scheme x509, with which it had to authenticate");
			assertThat(FailureAnalyses.of(context.getStartupFailure()).getAction()).contains("ssl.clientAuth");
		});
	}

	@Test
	void certificateOfAnUnknownAuthorityIsToldAndHealedByAnUpdateOfTheBundle(CapturedOutput output) {
		server.startTls(right, trusted, "want");
		runner("wrong").run((context) -> {
			assertTold(context, output,
					"the certificate of " + connectString() + " is not one that zk-lock.ssl.bundle trusts");
			context.getBean(SslBundleRegistry.class)
				.updateBundle("wrong", context.getBean(SslBundles.class).getBundle("jks"));
			assertLocks(context);
			assertToldOnce(output);
		});
	}

	@Test
	void expiredCertificateIsToldAndOverWhenTheServerHasAnother(CapturedOutput output) {
		server.startTls(expired, trusted, "want");
		runner("jks").run((context) -> {
			assertTold(context, output, "the certificate of " + connectString() + " has expired (NotAfter: ");
			server.startTls(right, trusted, "want");
			assertLocks(context);
			assertToldOnce(output);
		});
	}

	@Test
	void certificateOfAnotherHostIsToldAndOverWhenTheServerHasAnother(CapturedOutput output) {
		server.startTls(elsewhere, trusted, "want");
		runner("jks").run((context) -> {
			assertTold(context, output, "the certificate of " + connectString() + " is not for that host (");
			server.startTls(right, trusted, "want");
			assertLocks(context);
			assertToldOnce(output);
		});
	}

	@Test
	void tlsAgainstAPlainPortIsToldAndOverWhenTheServerSpeaksIt(CapturedOutput output) {
		server.startPlain();
		runner("jks").run((context) -> {
			assertTold(context, output, connectString() + " does not speak TLS, but zk-lock.ssl.bundle is set");
			server.startTls(right, trusted, "want");
			assertLocks(context);
			assertToldOnce(output);
		});
	}

	@Test
	void plainClientAtATlsPortIsToldAndOverWhenTheServerIsPlain(CapturedOutput output) {
		server.startTls(right, trusted, "need");
		runner("").run((context) -> {
			assertTold(context, output, connectString() + " speaks TLS, but zk-lock.ssl.bundle is not set");
			server.startPlain();
			assertLocks(context);
			assertToldOnce(output);
		});
	}

	@Test
	void missingCertificateOfTheClientIsTold(CapturedOutput output) {
		server.startTls(right, trusted, "need");
		runner("trust").run((context) -> assertTold(context, output,
				connectString() + " refuses the certificate of this client, or misses it ("));
	}

	@Test
	void failFastGivesTheCause() {
		server.startTls(expired, trusted, "want");
		ApplicationContextRunner runner = runner("jks").withPropertyValues("zk-lock.fail-fast=true",
				"zk-lock.startup-timeout=1s");
		runner.withInitializer((context) -> context.getBeanFactory().addBeanPostProcessor(new KnownProblem()))
			.run((context) -> {
				assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
					.contains("the certificate of " + connectString() + " has expired");
				assertThat(FailureAnalyses.of(context.getStartupFailure()).getAction()).contains("'zk-lock.ssl.*'");
			});
	}

	@Test
	void filesOfTheClientAreItsOwnersAloneAndEndWithIt() {
		server.startTls(right, trusted, "want");
		Path[] directory = new Path[1];
		runner("jks").run((context) -> {
			ZKClientConfig config = context.getBean(CuratorFramework.class)
				.getZookeeperClient()
				.getZooKeeper()
				.getClientConfig();
			Path keys = Path.of(config.getProperty("zookeeper.ssl.keyStore.location"));
			directory[0] = keys.getParent();
			Set<PosixFilePermission> owner = PosixFilePermissions.fromString("rw-------");
			if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
				assertThat(Files.getPosixFilePermissions(keys)).isEqualTo(owner);
				assertThat(Files.getPosixFilePermissions(directory[0]))
					.isEqualTo(PosixFilePermissions.fromString("rwx------"));
			}
			assertThat(directory[0]).isDirectoryContaining("glob:**trustStore.p12");
		});
		assertThat(directory[0]).doesNotExist();
	}

	@Test
	void customizerThatTakesTheTlsAwayStopsTheApplication() {
		runner("jks")
			.withBean(CuratorFrameworkBuilderCustomizer.class,
					() -> (builder) -> builder.zkClientConfig(new ZKClientConfig()))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("change the one that builder.getZkClientConfig() returns"));
	}

	@Test
	void bundleWithManagersOfItsOwnStopsTheApplication() {
		runner("own").withInitializer((context) -> context.getBeanFactory().addBeanPostProcessor(new OwnManagers()))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContainingAll("The SSL bundle of zk-lock.ssl.bundle has managers of its own",
						"Give it a bundle with a trust store"));
	}

	private static ApplicationContextRunner runner(String bundle) {
		String pem = "spring.ssl.bundle.pem.pem.";
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, SslAutoConfiguration.class))
			.withPropertyValues(jks("jks", "truststore", trusted))
			.withPropertyValues(jks("jks", "keystore", client))
			.withPropertyValues(jks("trust", "truststore", trusted))
			.withPropertyValues(jks("wrong", "truststore", otherTrusted))
			.withPropertyValues(pem + "truststore.certificate=" + Certificates.certificates(trusted, "ca"),
					pem + "keystore.certificate=" + Certificates.certificates(client, "client"),
					pem + "keystore.private-key=" + Certificates.key(client, "client"))
			.withPropertyValues("zk-lock.connect-string=" + connectString(), "zk-lock.ssl.bundle=" + bundle,
					"zk-lock.root=/" + UUID.randomUUID(), "zk-lock.connection-timeout=60s");
	}

	private static String[] jks(String bundle, String store, Path file) {
		String prefix = "spring.ssl.bundle.jks." + bundle + "." + store + ".";
		return new String[] { prefix + "location=" + file.toUri(), prefix + "password=" + Certificates.PASSWORD,
				prefix + "type=PKCS12" };
	}

	private static String connectString() {
		return server.connectString("localhost");
	}

	private static void assertLocks(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		String result = context.getBean(LockOperations.class)
			.execute(LockRequest.of("a").withWait(LONG), (handle) -> "locked");
		assertThat(result).isEqualTo("locked");
		assertThat(context.getBean(ZooKeeperLockProvider.class).status().server()).isEqualTo(connectString());
	}

	private static void assertTold(AssertableApplicationContext context, CapturedOutput output, String problem)
			throws Exception {
		assertThat(context).hasNotFailed();
		LockOperations locks = context.getBean(LockOperations.class);
		// On a busy machine, many handshakes take longer than the two seconds of a probe.
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> !told(output).isEmpty());
		Waited.atLeast(SHORT,
				() -> assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> locks.execute(LockRequest.of("a").withWait(SHORT), (handle) -> "locked"))
					.withMessageContaining(problem));
		assertThat(context.getBean(ZooKeeperLockProvider.class).status().problem()).startsWith(problem);
		assertThat(told(output)).singleElement()
			.asString()
			.contains("WARN", "There is no connection to ZooKeeper: " + problem);
	}

	// While the server starts again it is not reached for another reason.
	private static void assertToldOnce(CapturedOutput output) {
		assertThat(output).containsOnlyOnce("There is no connection to ZooKeeper: ");
	}

	// A line of ours, whatever ZooKeeper's client has to say.
	private static List<String> told(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> (line.contains("WARN") || line.contains("ERROR")) && line.contains(" i.g.z."))
			.filter((line) -> !line.contains("is interrupted"))
			.toList();
	}

	/**
	 * Lets the startup go on when the client knows why it has no connection.
	 */
	private static final class KnownProblem implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			if (bean instanceof CuratorFrameworkFactoryBean client) {
				// A probe gives a handshake two seconds, and tries again later and later.
				Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> client.problem() != null);
			}
			return bean;
		}

	}

	/**
	 * Adds a bundle whose managers no store can tell.
	 */
	private static final class OwnManagers implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			if (bean instanceof SslBundleRegistry registry) {
				registry.registerBundle("own", SslBundle.of(null, null, null, null, new Managers()));
			}
			return bean;
		}

	}

	private static final class Managers implements SslManagerBundle {

		private final SslManagerBundle system = SslManagerBundle.from(SslStoreBundle.NONE, SslBundleKey.NONE);

		@Override
		public KeyManagerFactory getKeyManagerFactory() {
			return this.system.getKeyManagerFactory();
		}

		@Override
		public TrustManagerFactory getTrustManagerFactory() {
			return this.system.getTrustManagerFactory();
		}

	}

}
