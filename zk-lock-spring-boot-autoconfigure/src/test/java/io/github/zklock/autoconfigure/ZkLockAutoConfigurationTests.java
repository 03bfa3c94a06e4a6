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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.transaction.FencedTransactions;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ExtendWith(OutputCaptureExtension.class)
class ZkLockAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=localhost:1");

	@Test
	void providesLocksAndStartsAClientOfItsOwn() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(ZooKeeperLockProvider.class);
			assertThat(context).hasSingleBean(LockTemplate.class);
			assertThat(context).hasSingleBean(ZkLockConnectionDetails.class);
			assertThat(context.getBean(CuratorFramework.class).getState()).isEqualTo(CuratorFrameworkState.STARTED);
		});
	}

	@Test
	void whenDisabledProvidesLocksThatExcludeNobody(CapturedOutput output) {
		this.contextRunner.withPropertyValues("zk-lock.enabled=false").run((context) -> {
			assertThat(context).getBean(LockProvider.class).isInstanceOf(NoOpLockProvider.class);
			assertThat(context).doesNotHaveBean(CuratorFramework.class);
			LockRequest request = LockRequest.of("a").withReentrant(false).withWait(Duration.ZERO);
			LockOperations operations = context.getBean(LockOperations.class);
			List<Long> tokens = operations.execute(request, (outer) -> operations.execute(request, (inner) -> {
				LockHandle.current().assertHeld();
				LockScope.assertHeld();
				assertThat(outer.state()).isEqualTo(LockState.HELD);
				return List.of(outer.fencingToken(), inner.fencingToken());
			}));
			assertThat(tokens).containsExactly(1L, 2L);
			assertThat(operations.executeAsync(request, (handle) -> CompletableFuture.completedFuture(handle.state())))
				.succeedsWithin(Duration.ofSeconds(30))
				.isEqualTo(LockState.HELD);
		});
		assertThat(output.getAll().lines().filter((line) -> line.contains("turned off by zk-lock.enabled=false")))
			.singleElement()
			.asString()
			.contains("WARN");
	}

	// An application that injects both starts with locks and without.
	@Test
	void whenDisabledProvidesWhatApplicationsInject() {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class, ZkLockFencingAutoConfiguration.class))
			.withPropertyValues("zk-lock.enabled=false")
			.run((context) -> {
				LockJobs jobs = context.getBean(LockJobs.class);
				assertThat(jobs.list()).isEmpty();
				assertThatIllegalStateException().isThrownBy(() -> jobs.pause("report", null))
					.withMessageContaining("zk-lock.enabled=false");
				assertThat(jobs.run("report")).failsWithin(Duration.ofSeconds(30))
					.withThrowableOfType(ExecutionException.class)
					.withCauseInstanceOf(IllegalStateException.class);
				FencedTransactions fences = context.getBean(FencedTransactions.class);
				context.getBean(LockOperations.class).executeWithoutResult("a", (handle) -> fences.raise(handle));
			});
	}

	@Test
	void withoutCuratorUsesTheProviderOfTheApplication() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.apache.curator", "org.apache.zookeeper"))
			.withBean(InMemoryLockProvider.class)
			.run((context) -> assertThat(context).hasSingleBean(LockTemplate.class));
	}

	@Test
	void providerOfTheApplicationWinsAndNeedsNoClient() {
		this.contextRunner.withBean(InMemoryLockProvider.class).run((context) -> {
			assertThat(context).hasSingleBean(LockProvider.class);
			assertThat(context).doesNotHaveBean(CuratorFramework.class);
			assertThat(context).doesNotHaveBean(ZooKeeperLockLifecycle.class);
			String result = context.getBean(LockOperations.class).execute(LockRequest.of("a"), (handle) -> "locked");
			assertThat(result).isEqualTo("locked");
		});
	}

	@Test
	void operationsOfTheApplicationWin() {
		LockOperations own = new LockTemplate(new InMemoryLockProvider());
		this.contextRunner.withBean("ownOperations", LockOperations.class, () -> own)
			.run((context) -> assertThat(context).getBean(LockOperations.class).isSameAs(own));
	}

	@Test
	void connectionDetailsOfTheApplicationWin() {
		this.contextRunner.withBean(ZkLockConnectionDetails.class, () -> () -> "127.0.0.1:2/chroot")
			.run((context) -> assertThat(connectString(context.getBean(CuratorFramework.class)))
				.isEqualTo("127.0.0.1:2/chroot"));
	}

	@Test
	void templateTellsAllListenersInTheirOrder() {
		List<String> events = new CopyOnWriteArrayList<>();
		this.contextRunner.withBean(InMemoryLockProvider.class)
			.withBean("late", RecordingListener.class, () -> new RecordingListener("late", 2, events))
			.withBean("early", RecordingListener.class, () -> new RecordingListener("early", 1, events))
			.run((context) -> {
				context.getBean(LockTemplate.class).execute(LockRequest.of("a"), (handle) -> "done");
				assertThat(events).containsExactly("early", "late");
			});
	}

	@Test
	void clientHasTheConfiguredTimeoutsAndNamespace() {
		this.contextRunner
			.withPropertyValues("zk-lock.session-timeout=31s", "zk-lock.connection-timeout=3s", "zk-lock.namespace=app")
			.run((context) -> {
				CuratorFramework client = context.getBean(CuratorFramework.class);
				assertThat(client.getNamespace()).isEqualTo("app");
				assertThat(client.getZookeeperClient().getConnectionTimeoutMs()).isEqualTo(3000);
				assertThat(connectString(client)).isEqualTo("localhost:1");
			});
	}

	@Test
	void customizersSeeTheBuilderAfterThePropertiesInTheirOrder() {
		this.contextRunner.withPropertyValues("zk-lock.session-timeout=31s")
			.withBean(CuratorFrameworkBuilderCustomizer.class, () -> (builder) -> {
				assertThat(builder.getSessionTimeoutMs()).isEqualTo(31000);
				assertThat(builder.canBeReadOnly()).isFalse();
				assertThat(builder.withEnsembleTracker()).isFalse();
				builder.namespace("customized");
			})
			.run((context) -> assertThat(context.getBean(CuratorFramework.class).getNamespace())
				.isEqualTo("customized"));
	}

	@Test
	void clientUsesTheAclsOfTheApplication() {
		ACLProvider own = new DefaultACLProvider();
		this.contextRunner.withBean(ACLProvider.class, () -> own)
			.withBean(CuratorFrameworkBuilderCustomizer.class,
					() -> (builder) -> assertThat(builder.getAclProvider()).isSameAs(own))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void connectStringThatIsNotValidStopsTheApplicationWithARemedy() {
		this.contextRunner.withPropertyValues("zk-lock.connect-string=zk1:client").run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription()).isEqualTo("The connect string 'zk1:client' of ZooKeeper is not "
						+ "valid: the port of 'zk1:client' is not a number from 1 to 65535.");
				assertThat(analysis.getAction()).isEqualTo("Review the value of the property "
						+ "'zk-lock.connect-string', or the ZkLockConnectionDetails bean if there is one. It lists "
						+ "host:port pairs separated by commas, optionally followed by a chroot path, like "
						+ "'zk1:2181,zk2:2181,zk3:2181/app'.");
			});
		});
	}

	@Test
	void beansOfOtherLocksMayHaveTheNamesThatComeToMind() {
		ApplicationContextRunner runner = this.contextRunner
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class))
			.withAllowBeanDefinitionOverriding(false);
		for (String name : List.of("lockTemplate", "lockInterceptor", "lockSettings", "lockAdvisor", "lockKeyResolver",
				"lockOperationSource", "guardedMethods", "lockProvider", "curatorFramework")) {
			runner = runner.withBean(name, String.class, () -> name);
		}
		runner.run((context) -> assertThat(context).hasNotFailed().hasBean("zkLockTemplate").hasBean("zkLockAdvisor"));
	}

	// Lazy, so that nothing of it starts.
	@Test
	void namesOfAllBeansBeginAlike() {
		ApplicationContextRunner lazy = new ApplicationContextRunner().withInitializer(
				(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
		lazy.withConfiguration(AutoConfigurations.of(ours()))
			.withUserConfiguration(Scheduling.class)
			.withBean(DriverManagerDataSource.class)
			.withBean(SimpleMeterRegistry.class)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withBean(Tracer.class, () -> Tracer.NOOP)
			.withPropertyValues("zk-lock.embedded.enabled=true", "management.endpoints.web.exposure.include=*")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeanDefinitionNames())
					.contains("zkLockFencedMethods", "zkLockEndpoint", "zkLockJobsEndpoint", "zkLockHealthIndicator",
							"zkLockMetrics", "zkLockObservations", "zkLockRegistry", "zkLockShedLockProvider",
							"zkLockEmbeddedZooKeeper", "zkLockScheduledRunConfigurer")
					.filteredOn(
							(name) -> context.getBeanFactory().getBeanDefinition(name).getFactoryMethodName() != null)
					.allMatch((name) -> name.startsWith("zkLock") || name.startsWith("org.springframework."));
			});
	}

	@Test
	void clientOfItsOwnStandsBesideSeveralClientsOfTheApplication() {
		severalClients(this.contextRunner).run((context) -> {
			assertThat(context).hasNotFailed();
			CuratorFramework own = context.getBean("zkLockCuratorFramework", CuratorFramework.class);
			assertThat(connectString(own)).isEqualTo("localhost:1");
			assertThat(own.getState()).isEqualTo(CuratorFrameworkState.STARTED);
			assertThat(context.getBean("first", CuratorFramework.class).getState())
				.isEqualTo(CuratorFrameworkState.LATENT);
		});
	}

	@Test
	void severalClientsWithoutAChoiceStopTheApplicationWithARemedy() {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class));
		severalClients(runner).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription())
					.startsWith("The application has several beans of the type " + CuratorFramework.class.getName()
							+ ", and none of them is primary")
					.endsWith("which one locks should use: first, second.");
				assertThat(analysis.getAction())
					.isEqualTo("Mark one of them with @Primary, or set 'zk-lock.connect-string', so that locks get a "
							+ "client of their own.");
			});
		});
	}

	@Test
	void unknownSslBundleStopsTheApplicationWithARemedy() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, SslAutoConfiguration.class))
			.withPropertyValues("zk-lock.ssl.bundle=nope")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription())
					.startsWith("The property 'zk-lock.ssl.bundle' names the SSL bundle 'nope', which does not exist");
				assertThat(analysis.getAction()).contains("spring.ssl.bundle.pem.nope");
			}));
	}

	@Test
	void clientsThatAreNoAutowireCandidatesAreNoChoice() {
		BeanDefinitionCustomizer hidden = (definition) -> definition.setAutowireCandidate(false);
		Supplier<CuratorFramework> latent = () -> CuratorFrameworkFactory.newClient("localhost:2", new RetryOneTime(1));
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
			.withBean("first", CuratorFramework.class, latent, latent(), hidden)
			.withBean("second", CuratorFramework.class, latent, latent(), hidden)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				CuratorFramework own = context.getBean("zkLockCuratorFramework", CuratorFramework.class);
				assertThat(connectString(own)).isEqualTo("localhost:2181");
			});
	}

	@Test
	void clientsThatAreNoDefaultCandidatesAreNoChoice() {
		BeanDefinitionCustomizer second = (definition) -> ((AbstractBeanDefinition) definition)
			.setDefaultCandidate(false);
		Supplier<CuratorFramework> latent = () -> CuratorFrameworkFactory.newClient("localhost:2", new RetryOneTime(1));
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
			.withBean("second", CuratorFramework.class, latent, second);
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			CuratorFramework own = context.getBean("zkLockCuratorFramework", CuratorFramework.class);
			assertThat(connectString(own)).isEqualTo("localhost:2181");
		});
		runner.withBean("first", CuratorFramework.class, latent)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("zkLockCuratorFramework"));
	}

	@Test
	void severalProvidersWithoutAPrimaryOneStopTheApplicationWithARemedy() {
		this.contextRunner.withBean("first", InMemoryLockProvider.class)
			.withBean("second", InMemoryLockProvider.class)
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
					assertThat(analysis.getDescription())
						.startsWith("The application has several beans of the type " + LockProvider.class.getName()
								+ ", and none of them is primary")
						.contains("first", "second");
					assertThat(analysis.getAction()).contains("@Primary", "LockOperations bean");
				});
			});
	}

	private static Class<?>[] ours() {
		ClassLoader loader = ZkLockAutoConfiguration.class.getClassLoader();
		List<Class<?>> ours = new ArrayList<>();
		for (String name : ImportCandidates.load(AutoConfiguration.class, loader)) {
			if (name.startsWith(ZkLockAutoConfiguration.class.getPackageName())) {
				ours.add(ClassUtils.resolveClassName(name, loader));
			}
		}
		return ours.toArray(Class<?>[]::new);
	}

	private static ApplicationContextRunner severalClients(ApplicationContextRunner runner) {
		Supplier<CuratorFramework> latent = () -> CuratorFrameworkFactory.newClient("localhost:2", new RetryOneTime(1));
		return runner.withBean("first", CuratorFramework.class, latent, latent())
			.withBean("second", CuratorFramework.class, latent, latent());
	}

	// A client that was never started cannot be closed.
	private static BeanDefinitionCustomizer latent() {
		return (definition) -> definition.setDestroyMethodName("");
	}

	private static String connectString(CuratorFramework client) {
		return client.getZookeeperClient().getCurrentConnectionString();
	}

	@EnableScheduling
	static class Scheduling {

	}

}
