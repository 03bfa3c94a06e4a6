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
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockSchedulingAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJobs;
import io.github.zklock.endpoint.ZkJobsEndpoint;
import io.github.zklock.endpoint.ZkJobsEndpointWebExtension;
import io.github.zklock.test.LockTesting;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint {@code zkjobs}, asked over HTTP and JMX.
 */
@ExtendWith(OutputCaptureExtension.class)
class ZkJobsEndpointTests {

	private static final AutoConfigurations LOCKS = AutoConfigurations.of(ZkLockAutoConfiguration.class,
			ZkLockAopAutoConfiguration.class, ZkLockSchedulingAutoConfiguration.class,
			ZkLockEndpointAutoConfiguration.class, TaskSchedulingAutoConfiguration.class);

	private static final String UNRESTRICTED = "management.endpoint.zkjobs.access=UNRESTRICTED";

	private static final String EXPOSED = "management.endpoints.web.exposure.include=zkjobs";

	private static final String PAUSE = "{\"action\":\"pause\"}";

	private static final String RESUME = "{\"action\":\"resume\"}";

	private static final String RUN = "{\"action\":\"run\"}";

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	private final WebApplicationContextRunner web = EndpointOverHttp.application(LOCKS)
		.withBean(InMemoryLockProvider.class, () -> this.locks)
		.withUserConfiguration(Jobs.class)
		.withPropertyValues(EXPOSED);

	@TempDir
	Path directory;

	@Test
	void jobsAreShownWithTheirPlans() {
		this.web.run((context) -> EndpointOverHttp.exchange(context, this.directory, "zkjobs", (http) -> {
			String all = http.get("");
			assertThat(JsonPath.<List<String>>read(all, "$.jobs[*].name")).containsExactly("jobs-clean", "jobs-report");
			assertThat(JsonPath.<Map<String, Object>>read(all, "$.jobs[0]")).containsEntry("period", "1h")
				.doesNotContainKeys("cron", "zone", "nextTime", "pausedSince");
			assertThat(JsonPath.<Map<String, Object>>read(all, "$.jobs[1]")).containsEntry("cron", "0 0 2 * * *")
				.containsEntry("zone", "Europe/Berlin")
				.containsEntry("method", Jobs.class.getName() + ".report")
				.containsEntry("runs", List.of())
				.containsKey("nextTime");
			String one = http.get("/jobs-report");
			assertThat(JsonPath.<String>read(one, "$.name")).isEqualTo("jobs-report");
			assertThat(http.get("/other")).startsWith("404").contains("There is no job 'other'");
		}));
	}

	@Test
	void jobIsNotChangedUnlessThatIsAllowed() {
		this.web.run((context) -> EndpointOverHttp.exchange(context, this.directory, "zkjobs", (http) -> {
			assertThat(http.post("/jobs-report", PAUSE)).startsWith("405");
			assertThat(context.getBean(LockJobs.class).get("jobs-report").pausedSince()).isNull();
		}));
	}

	@Test
	void jobIsPausedAndResumed() {
		this.web.withPropertyValues(UNRESTRICTED)
			.run((context) -> EndpointOverHttp.exchange(context, this.directory, "zkjobs", (http) -> {
				String paused = http.post("/jobs-report", PAUSE);
				assertThat(JsonPath.<Map<String, Object>>read(paused, "$")).containsKey("pausedSince")
					.doesNotContainKey("pausedBy");
				assertThat(http.get("/jobs-report")).isEqualTo(paused);
				assertThat(http.post("/jobs-report", RESUME)).doesNotContain("pausedSince");
				assertThat(http.post("/other", PAUSE)).startsWith("404");
				assertThat(http.post("/jobs-report", "{\"action\":\"stop\"}")).startsWith("400")
					.contains("There is no action 'stop', but these: pause, resume, run");
				for (String body : List.of("", "{}", "{\"Action\":\"pause\"}")) {
					assertThat(http.post("/jobs-report", body)).startsWith("400")
						.contains(
								"The body names no action: send {\\\"action\\\":\\\"pause\\\"}, or one of these: pause, "
										+ "resume, run");
				}
			}));
	}

	@Test
	void jobRunsByHandUnlessItsKeyIsTaken() {
		this.web.withPropertyValues(UNRESTRICTED)
			.run((context) -> EndpointOverHttp.exchange(context, this.directory, "zkjobs", (http) -> {
				assertThat(http.post("/jobs-report", RUN)).contains("\"begun\":true");
				String shown = Awaitility.await()
					.until(() -> http.get("/jobs-report"), (answer) -> answer.contains("DONE"));
				assertThat(JsonPath.<Map<String, Object>>read(shown, "$.runs[0]")).containsEntry("byHand", true)
					.containsEntry("attempt", 1)
					.containsKeys("began", "took", "node")
					.doesNotContainKey("time");
				LockHandle other = new LockTesting(this.locks).hold("report");
				assertThat(http.post("/jobs-report", RUN)).startsWith("409").contains("'report'");
				other.release();
			}));
	}

	@Test
	void shardRunsByHandAndIsShown() {
		this.web.withUserConfiguration(Sharded.class)
			.withPropertyValues(UNRESTRICTED)
			.run((context) -> EndpointOverHttp.exchange(context, this.directory, "zkjobs", (http) -> {
				assertThat(http.post("/reindex", "{\"action\":\"run\",\"shard\":3}")).contains("\"begun\":true");
				String shown = Awaitility.await()
					.until(() -> http.get("/reindex"), (answer) -> answer.contains("DONE"));
				assertThat(JsonPath.<Integer>read(shown, "$.shards")).isEqualTo(4);
				assertThat(JsonPath.<List<Integer>>read(shown, "$.runs[*].shard")).containsExactly(3);
				assertThat(http.post("/reindex", "{\"action\":\"run\",\"shard\":4}")).startsWith("404")
					.contains("the shards 0 to 3");
				assertThat(http.post("/jobs-report", "{\"action\":\"run\",\"shard\":0}")).startsWith("404")
					.contains("it has no shards");
				assertThat(http.post("/reindex", "{\"action\":\"pause\",\"shard\":3}")).startsWith("400");
				assertThat(http.get("/jobs-report")).doesNotContain("shard");
			}));
	}

	@Test
	void runThatItsSchedulerHasNotBegunIsAccepted() {
		this.web.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			LockJobs known = context.getBean(LockJobs.class);
			jobs.mayEnd().acquire();
			// The scheduler has one thread.
			known.run("jobs-report").join();
			ZkJobsEndpoint endpoint = new ZkJobsEndpoint(known, Duration.ofMillis(1), (event) -> {
			});
			WebEndpointResponse<?> response = new ZkJobsEndpointWebExtension(endpoint).change(new User("alice"),
					"jobs-clean", "run", null);
			jobs.mayEnd().release();
			assertThat(response.getStatus()).isEqualTo(202);
			assertThat(response.getBody()).asString().contains("has not begun it within 1ms");
		});
	}

	@Test
	void nameOfAJobForgesNoLine(CapturedOutput output) {
		this.web.run((context) -> {
			List<AuditEvent> events = new ArrayList<>();
			ZkJobsEndpoint endpoint = new ZkJobsEndpoint(context.getBean(LockJobs.class), Duration.ofMillis(1),
					events::add);
			String name = "x\n2026 ERROR forged" + "y".repeat(5000);
			WebEndpointResponse<?> response = new ZkJobsEndpointWebExtension(endpoint).change(new User("alice"), name,
					"run", null);
			assertThat(response.getStatus()).isEqualTo(404);
			assertThat(events).singleElement()
				.satisfies((event) -> assertThat(event.getData().toString())
					.contains("There is no job 'x\\u000A2026 ERROR forged")
					.doesNotContain("\n", "y".repeat(200)));
		});
		assertThat(output.getAll().lines()).noneMatch((line) -> line.startsWith("2026 ERROR forged"));
	}

	@Test
	void nameOfAUserForgesNoLine(CapturedOutput output) {
		this.web.withPropertyValues(UNRESTRICTED).withBean(Auditor.class).run((context) -> {
			User user = new User("x\n2026 ERROR forged\u001b" + "y".repeat(5000));
			assertThat(context.getBean(ZkJobsEndpointWebExtension.class)
				.change(user, "jobs-report", "PAUSE", null)
				.getBody()).extracting("pausedBy").asString().doesNotContain("\n", "\u001b", "y".repeat(200));
			assertThat(context.getBean(Auditor.class).events).singleElement()
				.satisfies((event) -> assertThat(event.getPrincipal()).startsWith("x\\u000A2026 ERROR forged\\u001By")
					.doesNotContain("\n", "\u001b", "y".repeat(200)));
			assertThat(output.getAll()).contains("by 'x\\u000A2026 ERROR forged").doesNotContain("y".repeat(200));
		});
	}

	@Test
	void actionIsLoggedAndAuditedWithItsUser(CapturedOutput output) {
		this.web.withPropertyValues(UNRESTRICTED).withBean(Auditor.class).run((context) -> {
			ZkJobsEndpointWebExtension endpoint = context.getBean(ZkJobsEndpointWebExtension.class);
			assertThat(endpoint.change(new User("alice"), "jobs-report", "PAUSE", null).getBody())
				.containsEntry("pausedBy", "alice");
			endpoint.change(new User("alice"), "other", "run", null);
			assertThat(context.getBean(Auditor.class).events).satisfiesExactly((event) -> {
				assertThat(event.getType()).isEqualTo(ZkJobsEndpoint.AUDIT_TYPE);
				assertThat(event.getPrincipal()).isEqualTo("alice");
				assertThat(event.getData()).containsOnly(Map.entry("job", "jobs-report"), Map.entry("action", "pause"),
						Map.entry("outcome", "done"));
			}, (event) -> assertThat(event.getData().get("outcome")).asString().startsWith("There is no job 'other'"));
			assertThat(output).contains("Action 'pause' on the job 'jobs-report' by 'alice': done");
		});
	}

	@Test
	void jobsAreShownAndChangedByJmx() {
		ApplicationContextRunner jmx = new ApplicationContextRunner().withConfiguration(LOCKS)
			.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, EndpointAutoConfiguration.class,
					JmxEndpointAutoConfiguration.class))
			.withBean(InMemoryLockProvider.class, () -> this.locks)
			.withUserConfiguration(Jobs.class)
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=zkjobs",
					"management.endpoints.jmx.domain=" + getClass().getName());
		jmx.run((context) -> assertThat(operations()).containsExactlyInAnyOrder("jobs", "job"));
		jmx.withPropertyValues(UNRESTRICTED).run((context) -> {
			assertThat(operations()).containsExactlyInAnyOrder("jobs", "job", "change");
			assertThat(invoke("jobs")).asString().contains("jobs-report");
			assertThat(invoke("change", "jobs-report", "pause")).asString().contains("pausedSince");
			assertThat(invoke("job", "jobs-report")).asString().contains("pausedSince");
			assertThat(invoke("change", "other", "pause")).asString().contains("There is no job 'other'");
		});
	}

	@Test
	void endpointIsThereOnlyIfItIsExposed() {
		ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(LOCKS)
			.withBean(InMemoryLockProvider.class);
		runner.run((context) -> assertThat(context).doesNotHaveBean(ZkJobsEndpoint.class));
		runner.withPropertyValues(EXPOSED, "management.endpoint.zkjobs.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(ZkJobsEndpoint.class));
	}

	private List<String> operations() throws Exception {
		return List.of(ManagementFactory.getPlatformMBeanServer().getMBeanInfo(bean()).getOperations())
			.stream()
			.map(MBeanOperationInfo::getName)
			.toList();
	}

	private Object invoke(String operation, Object... parameters) throws Exception {
		MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
		return beans.invoke(bean(), operation, parameters, null);
	}

	private ObjectName bean() throws Exception {
		return new ObjectName(getClass().getName() + ":type=Endpoint,name=Zkjobs");
	}

	@EnableScheduling
	static class Jobs {

		private final Semaphore mayEnd = new Semaphore(1);

		@Scheduled(cron = "0 0 2 * * *", zone = "Europe/Berlin")
		@DistributedLock("report")
		void report() throws InterruptedException {
			this.mayEnd.acquire();
			this.mayEnd.release();
		}

		@Scheduled(fixedRate = 3_600_000, initialDelay = 3_600_000)
		@DistributedLock("clean")
		void clean() {
		}

		Semaphore mayEnd() {
			return this.mayEnd;
		}

	}

	static class Sharded {

		@Scheduled(cron = "0 0 2 * * *", zone = "Europe/Berlin")
		@OncePerTick(shards = "4")
		@DistributedLock(key = "reindex", name = "reindex")
		void reindex() {
		}

	}

	static class Auditor {

		private final Queue<AuditEvent> events = new ConcurrentLinkedQueue<>();

		@EventListener
		void audited(AuditApplicationEvent event) {
			this.events.add(event.getAuditEvent());
		}

	}

	private record User(String name) implements SecurityContext {

		@Override
		public Principal getPrincipal() {
			return () -> this.name;
		}

		@Override
		public boolean isUserInRole(String role) {
			return true;
		}

	}

}
