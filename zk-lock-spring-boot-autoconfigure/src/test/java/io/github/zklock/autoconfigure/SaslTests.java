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

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.security.auth.Subject;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginException;
import javax.security.auth.spi.LoginModule;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.Certificates;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.SecureServer;
import io.github.zklock.zookeeper.client.SaslSections;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Authentication by SASL, against a real server, and the ways in which it can fail.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class SaslTests {

	private static final Duration SHORT = Duration.ofSeconds(1);

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final String RIGHT = Secrets.password();

	private static final String OTHER = Secrets.password();

	private static SecureServer server;

	private final String root = "/" + UUID.randomUUID();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, SslAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=" + server.connectString("localhost"), "zk-lock.root=" + this.root,
				"zk-lock.connection-timeout=60s");

	private final ApplicationContextRunner inline = this.contextRunner
		.withPropertyValues("zk-lock.auth.sasl.options.username=app", "zk-lock.auth.sasl.options.password=" + RIGHT);

	@BeforeAll
	static void create() {
		server = new SecureServer();
	}

	@AfterAll
	static void close() {
		server.close();
	}

	@AfterEach
	void passwordsAreNowhereInTheOutput(CapturedOutput output) {
		assertThat(output.getAll()).doesNotContain(RIGHT, OTHER);
	}

	@AfterEach
	void nothingOfOursIsLeftInTheConfigurationOfTheJvm() {
		assertThat(present()).isNotInstanceOf(SaslSections.class);
	}

	@Test
	void everyClientOfTheJvmHasItsOwnUser() {
		server.startSasl(Map.of("app", RIGHT, "batch", OTHER));
		this.inline.run(
				(first) -> this.contextRunner
					.withPropertyValues("zk-lock.root=" + this.root + "-batch",
							"zk-lock.auth.sasl.options.username=batch", "zk-lock.auth.sasl.options.password=" + OTHER)
					.run((second) -> {
						lock(first);
						lock(second);
						assertThat(owner(first, this.root)).isEqualTo("app");
						assertThat(owner(second, this.root + "-batch")).isEqualTo("batch");
					}));
	}

	@Test
	void sectionOfTheJvmIsUsed() {
		server.startSasl(Map.of("app", RIGHT));
		withSection(DigestLoginModule.class, () -> {
			this.contextRunner.withPropertyValues("zk-lock.auth.sasl.jaas-entry=OwnClient").run((context) -> {
				lock(context);
				assertThat(owner(context, this.root)).isEqualTo("app");
			});
			this.inline.run((context) -> {
				lock(context);
				assertThat(present().getAppConfigurationEntry("OwnClient")).as("that of others").isNotEmpty();
			});
			assertThat(present()).isInstanceOf(OwnSections.class);
		});
	}

	@Test
	void sectionOrModuleThatDoesNotExistStopsTheApplication() {
		this.contextRunner.withPropertyValues("zk-lock.auth.sasl.jaas-entry=Nowhere")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("has no section 'Nowhere', which zk-lock.auth.sasl.jaas-entry names"));
		this.inline.withPropertyValues("zk-lock.auth.sasl.login-module=com.ibm.security.auth.module.Krb5LoginModule")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("The login module com.ibm.security.auth.module.Krb5LoginModule of "
						+ "zk-lock.auth.sasl is not on the class path"));
	}

	@Test
	void moduleThatIsNotExpectedIsRefusedUnlessTheJvmNamesIt() {
		String jndi = "com.sun.security.auth.module.JndiLoginModule";
		this.inline.withPropertyValues("zk-lock.auth.sasl.login-module=" + jndi)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains(jndi, "JAAS configuration of the JVM", "zk-lock.auth.sasl.jaas-entry"));
	}

	@Test
	void wrongPasswordIsToldByOneLineAndOverWhenTheServerKnowsIt(CapturedOutput output) {
		server.startSasl(Map.of("app", OTHER));
		this.inline.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			Awaitility.await().until(() -> !told(output).isEmpty());
			// While the client connects once more, its refusal is not known yet.
			Awaitility.await()
				.untilAsserted(() -> assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> locks.execute(LockRequest.of("a").withWait(SHORT), (handle) -> "locked"))
					.withMessageContaining(
							"ZooKeeper has refused the authentication of its client; check the " + "credentials"));
			assertThat(told(output)).singleElement()
				.asString()
				.contains("ERROR", "ZooKeeper has refused the authentication of its client");
			server.startSasl(Map.of("app", RIGHT));
			lock(context);
			assertThat(output).containsOnlyOnce("has refused the authentication");
		});
	}

	@Test
	void wrongPasswordStopsAnApplicationThatFailsFast() {
		server.startSasl(Map.of("app", OTHER));
		this.inline.withPropertyValues("zk-lock.fail-fast=true", "zk-lock.startup-timeout=30s")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("ZooKeeper has refused the authentication of this client"));
	}

	@Test
	void clientThatConnectsWithoutAuthenticationIsFoundOut(CapturedOutput output) {
		server.startSasl(Map.of("app", RIGHT));
		ApplicationContextRunner silent = this.contextRunner.withBean(ACLProvider.class, DefaultACLProvider::new)
			.withPropertyValues("zk-lock.auth.sasl.jaas-entry=OwnClient");
		withSection(FailingLoginModule.class, () -> {
			silent.run((context) -> {
				Awaitility.await().until(() -> !told(output).isEmpty());
				assertThat(told(output)).singleElement()
					.asString()
					.contains("WARN", "ZooKeeper knows this client as [ip:127.0.0.1], but not with the scheme sasl");
			});
			silent.withPropertyValues("zk-lock.fail-fast=true", "zk-lock.startup-timeout=30s")
				.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
					.contains("but not with the scheme sasl"));
		});
	}

	@Test
	void userAuthenticatesThroughTls(@TempDir Path directory) {
		Certificates certificates = new Certificates(directory);
		Path trusted = certificates.authority("ca");
		server.startTlsAndSasl(certificates.signed("ca", "right", "dns:localhost", "-1d"), trusted,
				Map.of("app", RIGHT));
		this.inline
			.withPropertyValues("zk-lock.ssl.bundle=zk",
					"spring.ssl.bundle.jks.zk.truststore.location=" + trusted.toUri(),
					"spring.ssl.bundle.jks.zk.truststore.type=PKCS12",
					"spring.ssl.bundle.jks.zk.truststore.password=" + Certificates.PASSWORD)
			.run((context) -> {
				lock(context);
				assertThat(owner(context, this.root)).isEqualTo("app");
			});
	}

	private static void withSection(Class<? extends LoginModule> module, Runnable code) {
		Configuration before = present();
		Configuration.setConfiguration(new OwnSections(Map.of("OwnClient", new AppConfigurationEntry(module.getName(),
				LoginModuleControlFlag.REQUIRED, Map.of("username", "app", "password", RIGHT)))));
		try {
			code.run();
		}
		finally {
			Configuration.setConfiguration(before);
		}
	}

	private static void lock(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		String result = context.getBean(LockOperations.class)
			.execute(LockRequest.of("a").withWait(LONG), (handle) -> "locked");
		assertThat(result).isEqualTo("locked");
	}

	private static String owner(AssertableApplicationContext context, String path) throws Exception {
		List<ACL> acl = context.getBean(CuratorFramework.class).getACL().forPath(path);
		Id id = acl.get(0).getId();
		assertThat(acl).containsExactly(new ACL(Perms.ALL, new Id("sasl", id.getId())));
		return id.getId();
	}

	private static List<String> told(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> (line.contains("WARN") || line.contains("ERROR")) && line.contains(" i.g.z"))
			.toList();
	}

	private static Configuration present() {
		try {
			return Configuration.getConfiguration();
		}
		catch (SecurityException ex) {
			return null;
		}
	}

	private static final class OwnSections extends Configuration {

		private final Map<String, AppConfigurationEntry> sections;

		OwnSections(Map<String, AppConfigurationEntry> sections) {
			this.sections = sections;
		}

		@Override
		public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
			AppConfigurationEntry section = this.sections.get(name);
			return (section != null) ? new AppConfigurationEntry[] { section } : null;
		}

	}

	/**
	 * Like one whose server of tickets cannot be reached.
	 */
	public static final class FailingLoginModule implements LoginModule {

		@Override
		public void initialize(Subject subject, CallbackHandler handler, Map<String, ?> shared,
				Map<String, ?> options) {
		}

		@Override
		public boolean login() throws LoginException {
			throw new LoginException("no ticket");
		}

		@Override
		public boolean commit() {
			return false;
		}

		@Override
		public boolean abort() {
			return true;
		}

		@Override
		public boolean logout() {
			return true;
		}

	}

}
