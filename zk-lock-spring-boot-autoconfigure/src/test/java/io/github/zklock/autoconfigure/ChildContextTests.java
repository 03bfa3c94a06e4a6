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

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockProvider;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.LockKeyResolver;
import io.github.zklock.test.InMemoryLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.Advised;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A context with auto-configured locks below another one: it shares what locks and
 * nothing else.
 */
@ExtendWith(OutputCaptureExtension.class)
class ChildContextTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class));

	private final ApplicationContextRunner parent = this.contextRunner.withBean(InMemoryLockProvider.class);

	@ParameterizedTest
	@ValueSource(classes = { ZkLockAopAutoConfiguration.class, AopAutoConfiguration.class })
	void locksOfTheParentAreUsedAndEachMethodIsGuardedOnce(Class<?> proxies) {
		this.parent.run((above) -> this.contextRunner.withParent(above)
			.withConfiguration(AutoConfigurations.of(proxies))
			.withBean(Guarded.class)
			.run((child) -> {
				assertThat(child.getBeanNamesForType(LockProvider.class)).isEmpty();
				Guarded guarded = child.getBean(Guarded.class);
				assertThat(Arrays.stream(((Advised) guarded).getAdvisors())
					.filter(BeanFactoryLockOperationSourceAdvisor.class::isInstance)).hasSize(1);
				LockHandle held = above.getBean(LockProvider.class)
					.acquire(LockRequest.of("key-child").withOwner("other"));
				assertThat(guarded.key("child")).isEqualTo("instead of key-child");
				held.release();
				assertThat(guarded.key("child")).isEqualTo("key-child");
			}));
	}

	@Test
	void methodOfTheChildThatCannotBeGuardedIsRefused() {
		this.parent.run((above) -> this.contextRunner.withParent(above)
			.withBean(PrivatelyGuarded.class)
			.run((child) -> assertThat(FailureAnalyses.of(child.getStartupFailure()).getDescription())
				.contains("PrivatelyGuarded.work() is private")));
	}

	@Test
	void validationOfTheChildIsItsOwn() {
		this.parent.run((above) -> this.contextRunner.withParent(above)
			.withPropertyValues("zk-lock.aop.validation=off")
			.withBean(PrivatelyGuarded.class)
			.run((child) -> assertThat(child).hasNotFailed()));
	}

	@Test
	void overridesAndDefaultsOfTheChildHaveAnEffectThere() {
		this.parent.withPropertyValues("zk-lock.locks.plain.wait=0", "zk-lock.default-wait=30s")
			.withBean("inParent", Counting.class)
			.run((above) -> this.contextRunner.withParent(above)
				.withPropertyValues("zk-lock.locks.plain.enabled=false", "zk-lock.default-wait=1ms")
				.withBean("inChild", Counting.class)
				.run((child) -> {
					LockHandle held = above.getBean(LockProvider.class)
						.acquire(LockRequest.of("plain").withOwner("other"));
					assertThatExceptionOfType(LockNotAcquiredException.class)
						.isThrownBy(above.getBean("inParent", Counting.class)::count);
					assertThat(child.getBean("inChild", Counting.class).count()).isEqualTo(1);
					held.release();
					assertThat(above.getBean(ZkLockProperties.class).getDefaultWait()).hasSeconds(30);
					assertThat(child.getBean(ZkLockProperties.class).getDefaultWait()).hasMillis(1);
				}));
	}

	@Test
	void beansPlaceholdersAndFallbacksOfTheChildAreKnownAtTheCall() {
		this.parent.run((above) -> this.contextRunner.withParent(above)
			.withPropertyValues("child.prefix=mine")
			.withBean("names", Names.class)
			.withBean(Knowing.class)
			.run((child) -> {
				Knowing knowing = child.getBean(Knowing.class);
				assertThat(knowing.key()).isEqualTo("mine:named");
				LockHandle held = child.getBean(LockProvider.class)
					.acquire(LockRequest.of("mine:named").withOwner("other"));
				assertThat(knowing.key()).isEqualTo("otherwise");
				held.release();
			}));
	}

	@Test
	void listenersOfTheChildAndOfItsParentAreTold() {
		List<String> events = new CopyOnWriteArrayList<>();
		this.parent.withBean("parents", RecordingListener.class, () -> new RecordingListener("parent", 1, events))
			.withBean("inParent", Plain.class)
			.run((above) -> this.contextRunner.withParent(above)
				.withBean("childs", RecordingListener.class, () -> new RecordingListener("child", 2, events))
				.withBean("inChild", Plain.class)
				.run((child) -> {
					child.getBean("inChild", Plain.class).key();
					child.getBean(LockOperations.class).execute(LockRequest.of("a"), (handle) -> "done");
					assertThat(events).containsExactly("parent", "child", "parent", "child");
					events.clear();
					above.getBean("inParent", Plain.class).key();
					assertThat(events).containsExactly("parent");
				}));
	}

	@Test
	void whatTheApplicationOfTheParentHasReplacedIsReplacedInTheChild() {
		LockOperations operations = new LockTemplate(new InMemoryLockProvider());
		LockKeyResolver resolver = (operation, lock, invocation) -> List.of("resolved");
		this.parent.withBean("ownOperations", LockOperations.class, () -> operations)
			.withBean("ownResolver", LockKeyResolver.class, () -> resolver)
			.run((above) -> this.contextRunner.withParent(above)
				.withBean(Plain.class)
				.withBean(Injected.class)
				.run((child) -> {
					assertThat(child.getBean(Plain.class).key()).isEqualTo("resolved");
					assertThat(child.getBean(Injected.class)).isEqualTo(new Injected(operations, resolver));
				}));
	}

	@ParameterizedTest
	@CsvSource({
			"io.github.zklock.autoconfigure.ChildContextTests$PrivatelyGuarded, PrivatelyGuarded.work() is private",
			"io.github.zklock.autoconfigure.ChildContextTests$Plain, 'Plain.key() is in bean ''guarded'', which has no proxy'" })
	void guardedMethodsOfAChildWithoutAutoConfigurationAreRefusedByItsParent(Class<?> type, String finding) {
		this.parent.run((above) -> new ApplicationContextRunner().withParent(above)
			.withBean("guarded", type)
			.run((child) -> assertThat(FailureAnalyses.of(child.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription()).contains(finding);
				assertThat(analysis.getAction()).isNotBlank();
			})));
	}

	@Test
	void nearestParentWithLocksChecksAChildWithoutAutoConfiguration(CapturedOutput output) {
		this.parent.withPropertyValues("zk-lock.aop.validation=fail")
			.run((above) -> this.contextRunner.withParent(above)
				.withPropertyValues("zk-lock.aop.validation=warn")
				.run((child) -> new ApplicationContextRunner().withParent(child)
					.withBean(PrivatelyGuarded.class)
					.run((grandchild) -> assertThat(grandchild).hasNotFailed())));
		assertThat(output.toString().lines().filter((line) -> line.contains("PrivatelyGuarded.work() is private")))
			.hasSize(1);
	}

	@Test
	void locksCanBeTurnedOffInTheChildAlone() {
		this.parent.run((above) -> this.contextRunner.withParent(above)
			.withPropertyValues("zk-lock.enabled=false")
			.withBean(Counting.class)
			.run((child) -> {
				LockHandle held = above.getBean(LockProvider.class).acquire(LockRequest.of("plain").withOwner("other"));
				assertThat(child.getBean(Counting.class).count()).isEqualTo(1);
				held.release();
			}));
	}

	@Test
	void childInWhichLocksAreDisabledIsLeftAlone() {
		this.parent.run((above) -> new ApplicationContextRunner().withParent(above)
			.withPropertyValues("zk-lock.enabled=false")
			.withBean(Plain.class)
			.run((child) -> assertThat(child).hasNotFailed()));
	}

	@Test
	void childWithoutAutoConfigurationIsGuardedByItsParentIfItsProxiesAskAllAdvisors() {
		this.parent.run((above) -> new ApplicationContextRunner().withParent(above)
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
			.withBean(Plain.class)
			.run((child) -> assertThat(child.getBean(Plain.class).key()).isEqualTo("plain")));
	}

	static class Guarded {

		@DistributedLock(key = "key-#{#name}", waitMs = 0, fallbackMethod = "instead")
		@Nullable String key(String name) {
			return LockHandle.current().key();
		}

		String instead(String name) {
			return "instead of key-" + name;
		}

	}

	static class PrivatelyGuarded {

		@DistributedLock("private")
		private void work() {
		}

	}

	static class Plain {

		@DistributedLock(key = "plain", name = "plain")
		@Nullable String key() {
			return LockHandle.current().key();
		}

	}

	static class Counting {

		private int runs;

		@DistributedLock(key = "plain", name = "plain")
		int count() {
			return ++this.runs;
		}

	}

	record Injected(LockOperations operations, LockKeyResolver resolver) {

	}

	// Public, for expressions.
	public static class Names {

		public String name() {
			return "named";
		}

		public String otherwise() {
			return "otherwise";
		}

	}

	static class Knowing {

		@DistributedLock(key = "${child.prefix}:#{@names.name()}", waitMs = 0, fallbackMethod = "names::otherwise")
		@Nullable String key() {
			return LockHandle.current().key();
		}

	}

}
