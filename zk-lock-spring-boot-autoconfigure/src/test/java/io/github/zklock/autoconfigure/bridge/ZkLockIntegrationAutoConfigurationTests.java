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

package io.github.zklock.autoconfigure.bridge;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.bridge.integration.SessionLockRegistry;
import io.github.zklock.bridge.integration.SessionLockRegistryRuntimeHints;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.assertj.core.api.Assumptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The registry for Spring Integration, and its users there. The cases are those of Spring
 * Integration's own tests of its registry on ZooKeeper and of its leader initiator that
 * the views of a key do not cover, named in
 * {@code docs/internals/reliability/bridges.md}.
 */
class ZkLockIntegrationAutoConfigurationTests {

	private static final String DISTRIBUTED_LOCK = "org.springframework.integration.support.locks.DistributedLock";

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	private final SessionLockRegistry registry = new SessionLockRegistry(new LockTemplate(this.locks));

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockIntegrationAutoConfiguration.class))
		.withBean("locks", LockProvider.class, () -> this.locks);

	@Test
	void applicationHasARegistryUnlessItHasOneOfItsOwn() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(SessionLockRegistry.class));
		this.contextRunner.withBean(DefaultLockRegistry.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SessionLockRegistry.class));
	}

	@Test
	void locksOfOneKeyAreEqualAndWhatOneLocksTheOtherUnlocks() {
		Lock first = this.registry.obtain("orders");
		Lock second = this.registry.obtain("orders");
		assertThat(second).isEqualTo(first).hasSameHashCodeAs(first).isNotEqualTo(this.registry.obtain("invoices"));
		first.lock();
		assertThat(second.tryLock()).isTrue();
		second.unlock();
		second.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(first::unlock);
		assertThat(this.locks.keysInUse()).isZero();
	}

	@Test
	void taskRunsUnderTheLockOrNotAtAll() throws Exception {
		this.registry.executeLocked("orders", () -> assertThat(this.locks.keysInUse()).isEqualTo(1));
		assertThat(this.locks.keysInUse()).isZero();
		this.locks.acquire(LockRequest.of(SessionLockRegistry.KEY_PREFIX + "orders").withOwner("another"));
		assertThatExceptionOfType(TimeoutException.class)
			.isThrownBy(() -> this.registry.executeLocked("orders", Duration.ofMillis(1), () -> "never"));
	}

	@Test
	void renewalTellsWhetherTheLockIsHeld() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.registry.renewLock("orders"));
		Lock lock = this.registry.obtain("orders");
		lock.lock();
		this.registry.renewLock("orders");
		this.registry.renewLock("orders", Duration.ofSeconds(1));
		this.locks.loseAll();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.registry.renewLock("orders"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
	}

	// Only with Spring Integration 7, whose interface this may not name.
	@Test
	void lockIsADistributedLockWhereThereIsSuchAnInterface() {
		boolean present = ClassUtils.isPresent(DISTRIBUTED_LOCK, null);
		Lock lock = this.registry.obtain("orders");
		assertThat(ClassUtils.getAllInterfacesAsSet(lock)
			.stream()
			.anyMatch((type) -> type.getName().equals(DISTRIBUTED_LOCK))).isEqualTo(present);
		if (present) {
			Class<?> type = ClassUtils.resolveClassName(DISTRIBUTED_LOCK, null);
			Duration second = Duration.ofSeconds(1);
			ReflectionTestUtils.invokeMethod(lock, type, "lock", second);
			assertThat((Boolean) ReflectionTestUtils.invokeMethod(lock, type, "tryLock", second, second)).isTrue();
			lock.unlock();
			lock.unlock();
			RuntimeHints hints = new RuntimeHints();
			new SessionLockRegistryRuntimeHints().registerHints(hints, type.getClassLoader());
			assertThat(RuntimeHintsPredicates.proxies().forInterfaces(type)).accepts(hints);
		}
		assertThat(this.locks.keysInUse()).isZero();
	}

	// Of Spring Integration 7, where a registry has the type of its locks.
	@Test
	void registryIsInjectedAsOneOfDistributedLocks() throws Exception {
		Assumptions.assumeThat(ClassUtils.isPresent(DISTRIBUTED_LOCK, null)).isTrue();
		ResolvableType wanted = ResolvableType.forClassWithGenerics(LockRegistry.class,
				ClassUtils.resolveClassName(DISTRIBUTED_LOCK, null));
		MethodParameter parameter = new MethodParameter(
				LockRegistryLeaderInitiator.class.getConstructor(LockRegistry.class), 0);
		DependencyDescriptor dependency = new DependencyDescriptor(parameter, true) {

			@Override
			public ResolvableType getResolvableType() {
				return wanted;
			}

		};
		this.contextRunner
			.run((context) -> assertThat(context.getBeanFactory().resolveDependency(dependency, "application"))
				.isInstanceOf(SessionLockRegistry.class));
	}

	@Test
	void leaderIsGrantedAndRevoked() throws Exception {
		Leadership one = new Leadership();
		LockRegistryLeaderInitiator initiator = initiator(one);
		initiator.start();
		await(one.granted);
		assertThat(initiator.getContext().isLeader()).isTrue();
		initiator.stop();
		await(one.revoked);
		assertThat(initiator.getContext().isLeader()).isFalse();
	}

	@Test
	void leaderThatYieldsIsRevoked() throws Exception {
		Leadership one = new Leadership();
		LockRegistryLeaderInitiator initiator = initiator(one);
		initiator.start();
		await(one.granted);
		initiator.getContext().yield();
		await(one.revoked);
		initiator.stop();
	}

	@Test
	void anotherLeadsWhenTheLeaderHasStopped() throws Exception {
		Leadership one = new Leadership();
		Leadership two = new Leadership();
		LockRegistryLeaderInitiator first = initiator(one);
		LockRegistryLeaderInitiator second = initiator(two);
		second.setPublishFailedEvents(true);
		first.start();
		await(one.granted);
		second.start();
		await(two.failed);
		first.stop();
		await(two.granted);
		assertThat(second.getContext().isLeader()).isTrue();
		second.stop();
	}

	@Test
	void leaderWhoseLockIsLostIsRevokedAndMayLeadAgain() throws Exception {
		Leadership one = new Leadership();
		LockRegistryLeaderInitiator initiator = initiator(one);
		initiator.start();
		await(one.granted);
		this.locks.loseAll();
		await(one.revoked);
		Awaitility.await().until(initiator.getContext()::isLeader);
		initiator.stop();
	}

	private LockRegistryLeaderInitiator initiator(Leadership leadership) {
		LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator((LockRegistry) this.registry,
				new DefaultCandidate());
		initiator.setLeaderEventPublisher(leadership);
		initiator.setHeartBeatMillis(20);
		initiator.setBusyWaitMillis(20);
		return initiator;
	}

	private static void await(CountDownLatch latch) throws InterruptedException {
		assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
	}

	private static final class Leadership implements LeaderEventPublisher {

		private final CountDownLatch granted = new CountDownLatch(1);

		private final CountDownLatch revoked = new CountDownLatch(1);

		private final CountDownLatch failed = new CountDownLatch(1);

		@Override
		public void publishOnGranted(Object source, Context context, String role) {
			this.granted.countDown();
		}

		@Override
		public void publishOnRevoked(Object source, Context context, String role) {
			this.revoked.countDown();
		}

		@Override
		public void publishOnFailedToAcquire(Object source, Context context, String role) {
			this.failed.countDown();
		}

	}

}
