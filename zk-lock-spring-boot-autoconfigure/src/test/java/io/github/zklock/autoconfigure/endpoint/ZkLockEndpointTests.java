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

package io.github.zklock.autoconfigure.endpoint;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.endpoint.ZkLockEndpoint;
import io.github.zklock.support.WorkerProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The endpoint {@code zklocks}, asked over HTTP and JMX.
 */
@Tag("server")
class ZkLockEndpointTests {

	private static final AutoConfigurations LOCKS = AutoConfigurations.of(ZkLockAutoConfiguration.class,
			ZkLockAopAutoConfiguration.class, ZkLockEndpointAutoConfiguration.class);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TempDir
	Path directory;

	private final WebApplicationContextRunner web = EndpointOverHttp.application(LOCKS)
		.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.try-timeout=30s",
				"spring.application.name=here", "management.endpoints.web.exposure.include=zklocks");

	@Test
	void guardedMethodsAreShownWithTheirSettings() {
		this.web.withUserConfiguration(Jobs.class)
			.withPropertyValues("app.region=eu", "zk-lock.default-wait=7s", "zk-lock.locks.invoices.wait=3s",
					"zk-lock.locks.invoices.cache=true", "zk-lock.locks.jobs-report.unguarded=true")
			.run((context) -> overHttp(context, (http) -> {
				String answer = http.get("");
				assertThat(JsonPath.<List<String>>read(answer, "$.methods[*].method")).hasSize(4);
				assertThat(setting(answer, "ship", "key")).isEqualTo("eu:order:#{#id} annotation");
				assertThat(setting(answer, "ship", "name")).isEqualTo("jobs-ship default");
				assertThat(setting(answer, "ship", "mode")).isEqualTo("WRITE annotation");
				assertThat(setting(answer, "ship", "wait")).isEqualTo("5s annotation");
				assertThat(setting(answer, "ship", "lockAtLeastFor")).isEqualTo("1m annotation");
				assertThat(setting(answer, "plain", "wait")).isEqualTo("7s zk-lock.default-wait");
				assertThat(setting(answer, "plain", "unguarded")).isEqualTo("false default");
				assertThat(setting(answer, "invoice", "wait")).isEqualTo("3s zk-lock.locks.invoices.wait");
				assertThat(setting(answer, "invoice", "cache")).isEqualTo("true zk-lock.locks.invoices.cache");
				assertThat(setting(answer, "invoice", "name")).isEqualTo("invoices annotation");
				assertThat(setting(answer, "report", "wait")).isEqualTo("0ms @Scheduled");
				assertThat(setting(answer, "report", "unguarded"))
					.isEqualTo("true zk-lock.locks.jobs-report.unguarded");
				assertThat(callSetting(answer, "report", "onNotAcquired")).isEqualTo("SKIP @Scheduled");
				assertThat(callSetting(answer, "report", "oncePerTick")).isEqualTo("true @Scheduled");
				assertThat(callSetting(answer, "invoice", "onNotAcquired")).isEqualTo("SKIP annotation");
				assertThat(callSetting(answer, "plain", "onNotAcquired")).isEqualTo("fallbackMethod annotation");
				assertThat(callSetting(answer, "plain", "fallbackMethod")).isEqualTo("instead annotation");
				assertThat(callSetting(answer, "ship", "onUnavailable")).isEqualTo("THROW default");
			}));
	}

	@Test
	void holderOfALockIsShownHereAndInTheCluster() {
		this.web.run((context) -> overHttp(context, (http) -> {
			LockHandle handle = context.getBean(LockProvider.class)
				.acquire(LockRequest.of("order/42:a b").withName("orders"));
			String token = Long.toString(handle.fencingToken());
			String here = http.get("");
			assertThat(JsonPath.<Integer>read(here, "$.heldLocks")).isEqualTo(1);
			assertThat(JsonPath.<Map<String, Object>>read(here, "$.held[0]")).containsEntry("key", "order/42:a b")
				.containsEntry("mode", "EXCLUSIVE")
				.containsEntry("name", "orders")
				.containsEntry("state", "HELD")
				.containsEntry("token", token)
				.containsKey("heldFor");
			assertThat(JsonPath.<List<?>>read(here, "$.waiting")).isEmpty();
			String queue = http.getQueue("key", "order/42:a b", 1);
			assertThat(JsonPath.<Map<String, Object>>read(queue, "$.queue[0]")).containsEntry("holds", true)
				.containsEntry("application", "here")
				.containsEntry("pid", (int) ProcessHandle.current().pid())
				.containsEntry("token", token)
				.containsKeys("host", "since", "age", "session", "node");
			String page = Awaitility.await()
				.until(() -> http.get("?pattern=order%2F*&size=5"), (answer) -> answer.contains("\"queues\":[{"));
			assertThat(JsonPath.<String>read(page, "$.queues[0].queue[0].token")).isEqualTo(token);
			assertThat(JsonPath.<Integer>read(page, "$.matching")).isEqualTo(1);
			handle.release();
		}));
	}

	@Test
	void parametersThatCannotBeAreRefused() {
		this.web.run((context) -> overHttp(context, (http) -> {
			assertThat(http.get("?key=a&pattern=b")).startsWith("400");
			assertThat(http.get("?page=1")).startsWith("400");
			assertThat(http.get("?pattern=*&size=101")).startsWith("400");
			assertThat(http.get("?pattern=*&size=many")).startsWith("400");
			assertThat(http.get("?key=a&provider=unknown")).startsWith("400");
			assertThat(http.get("?key=%20")).startsWith("400");
		}));
	}

	@Test
	void lockIsRevokedOnlyIfThatIsAllowed() {
		this.web
			.run((context) -> overHttp(context, (http) -> assertThat(http.delete("?key=a&token=1")).startsWith("405")));
		this.web.withPropertyValues("zk-lock.endpoint.revoke=true")
			.run((context) -> overHttp(context, (http) -> assertThat(http.delete("?key=a&token=1")).startsWith("405")));
		this.web.withPropertyValues("management.endpoint.zklocks.access=UNRESTRICTED")
			.run((context) -> overHttp(context, (http) -> assertThat(http.delete("?key=a&token=1")).startsWith("400")));
		this.web.withPropertyValues("management.endpoint.zklocks.access=UNRESTRICTED", "zk-lock.endpoint.revoke=true")
			.run((context) -> overHttp(context, (http) -> {
				long token = context.getBean(LockProvider.class).acquire(LockRequest.of("revoked")).fencingToken();
				assertThat(http.delete("?key=revoked&token=x")).startsWith("400");
				assertThat(http.delete("?key=revoked")).startsWith("400");
				assertThat(http.delete("?key=revoked&token=1")).contains("no contender of this key has this token");
				Awaitility.await()
					.until(() -> http.delete("?key=revoked&token=" + token),
							(answer) -> answer.contains("\"revoked\":true") && answer.contains("LockLostException")
									&& JsonPath.<Boolean>read(answer, "$.contender.holds"));
				assertThat(http.getQueue("key", "revoked", 0)).contains("\"contenders\":0");
			}));
	}

	@Test
	void holderAndQueueOfThreeProcessesAreRightWhileOneIsKilled() {
		this.web.run((context) -> overHttp(context, (http) -> {
			// A busy machine must not end a session before the kill.
			Duration timeout = Duration.ofSeconds(8);
			try (WorkerProcess first = WorkerProcess.start(server.connectString(), timeout);
					WorkerProcess second = WorkerProcess.start(server.connectString(), timeout);
					WorkerProcess third = WorkerProcess.start(server.connectString(), timeout)) {
				String token = first.ask("acquire contended 60000").substring("acquired ".length());
				second.tell("acquire contended 60000");
				http.getQueue("key", "contended", 2);
				third.tell("acquire contended 60000");
				String queue = http.getQueue("key", "contended", 3);
				assertThat(pids(queue)).containsExactly(first.pid(), second.pid(), third.pid());
				assertThat(JsonPath.<List<Boolean>>read(queue, "$.queue[*].holds")).containsExactly(true, false, false);
				assertThat(JsonPath.<String>read(queue, "$.queue[0].token")).isEqualTo(token);
				first.kill();
				second.expect("acquired");
				queue = http.getQueue("key", "contended", 2);
				assertThat(pids(queue)).containsExactly(second.pid(), third.pid());
				assertThat(JsonPath.<List<Boolean>>read(queue, "$.queue[*].holds")).containsExactly(true, false);
			}
		}));
	}

	@Test
	void locksAreShownByJmx() {
		new ApplicationContextRunner().withConfiguration(LOCKS)
			.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, EndpointAutoConfiguration.class,
					JmxEndpointAutoConfiguration.class))
			.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.try-timeout=30s",
					"spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=zklocks",
					"management.endpoints.jmx.domain=" + getClass().getName())
			.run((context) -> {
				LockHandle handle = context.getBean(LockProvider.class).acquire(LockRequest.of("by-jmx"));
				MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
				ObjectName name = new ObjectName(getClass().getName() + ":type=Endpoint,name=Zklocks");
				assertThat(beans.getMBeanInfo(name).getOperations()).extracting(MBeanOperationInfo::getName)
					.containsExactly("locks");
				Object here = beans.invoke(name, "locks", new Object[5], null);
				assertThat(here).asString().contains("by-jmx", Long.toString(handle.fencingToken()));
				Awaitility.await()
					.until(() -> beans.invoke(name, "locks", new Object[] { "by-jmx", null, null, null, null }, null),
							(answer) -> answer instanceof Map<?, ?> queue && queue.get("contenders").equals(1));
				handle.release();
			});
	}

	@Test
	void otherLocksCannotBeInspectedEvenWithoutCurator() {
		new ApplicationContextRunner().withConfiguration(LOCKS)
			.withBean(InMemoryLockProvider.class)
			.withPropertyValues("management.endpoints.web.exposure.include=zklocks")
			.withClassLoader(new FilteredClassLoader(CuratorFramework.class.getPackageName()))
			.run((context) -> assertThat(context.getBean(ZkLockEndpoint.class).locks(null, null, null, null, null))
				.containsEntry("problem",
						"the locks are not in ZooKeeper, but come from " + InMemoryLockProvider.class.getName()));
	}

	@Test
	void endpointIsThereOnlyIfItIsExposed() {
		ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(LOCKS)
			.withBean(InMemoryLockProvider.class);
		runner.run((context) -> assertThat(context).doesNotHaveBean(ZkLockEndpoint.class));
		runner
			.withPropertyValues("management.endpoints.web.exposure.include=zklocks",
					"management.endpoint.zklocks.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(ZkLockEndpoint.class));
	}

	@Test
	void severalProvidersAreShownByName() {
		ZkLockEndpoint endpoint = new ZkLockEndpoint(
				Map.of("default", new InMemoryLockProvider(), "orders", new InMemoryLockProvider()), List::of, List::of,
				ZkLockEndpoint.BOUND, (event) -> {
				});
		assertThat(endpoint.locks(null, null, null, null, null)).hasEntrySatisfying("providers",
				(providers) -> assertThat(providers).asInstanceOf(InstanceOfAssertFactories.MAP)
					.containsOnlyKeys("default", "orders"));
		assertThat(endpoint.locks(null, null, null, null, "orders")).containsKey("problem")
			.doesNotContainKey("providers");
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> endpoint.revoke("a", "1", null))
			.withMessageContaining("Give provider as well");
	}

	private static List<Long> pids(String queue) {
		return JsonPath.<List<Number>>read(queue, "$.queue[*].pid").stream().map(Number::longValue).toList();
	}

	private static String setting(String answer, String method, String attribute) {
		return text(answer, method, "locks[0]." + attribute);
	}

	private static String callSetting(String answer, String method, String attribute) {
		return text(answer, method, "settings." + attribute);
	}

	private static String text(String answer, String method, String path) {
		String setting = "$.methods[?(@.method =~ /.*[.]" + method + "[(].*/)]." + path;
		return JsonPath.<List<String>>read(answer, setting + ".value").get(0) + " "
				+ JsonPath.<List<String>>read(answer, setting + ".source").get(0);
	}

	private void overHttp(ApplicationContext context, EndpointOverHttp.Exchange exchange) throws Exception {
		EndpointOverHttp.exchange(context, this.directory, "zklocks", exchange);
	}

	static class Jobs {

		@DistributedLock(key = "${app.region}:order:#{#id}", mode = LockMode.WRITE, waitMs = 5000,
				lockAtLeastFor = "60s")
		void ship(String id) {
		}

		@DistributedLock(key = "plain", fallbackMethod = "instead")
		void plain() {
		}

		void instead() {
		}

		@DistributedLock(key = "invoice", name = "invoices", waitTime = "1s", onNotAcquired = NotAcquiredPolicy.SKIP)
		void invoice() {
		}

		@Scheduled(cron = "0 0 2 * * *")
		@DistributedLock("report")
		void report() {
		}

	}

}
