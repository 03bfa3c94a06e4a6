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

package io.github.zklock.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.interceptor.LockParameterBeans.HandleToken;
import io.github.zklock.interceptor.LockParameterBeans.KeyPerArgument;
import io.github.zklock.interceptor.LockParameterBeans.KeyPerElement;
import io.github.zklock.interceptor.LockParameterBeans.NoLock;
import io.github.zklock.interceptor.LockParameterBeans.Store;
import io.github.zklock.interceptor.LockParameterBeans.StoreBean;
import io.github.zklock.interceptor.LockParameterBeans.TextToken;
import io.github.zklock.interceptor.LockParameterBeans.TwoLocks;
import io.github.zklock.interceptor.LockTestConfiguration.TestProxy;
import io.github.zklock.interceptor.operation.LockParameters;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockParameters}.
 */
@SuppressWarnings("unchecked")
class LockParametersTests {

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void parametersAreFilledInWhateverTheCallerPasses(TestProxy proxy) {
		try (AnnotationConfigApplicationContext context = start(proxy, StoreBean.class)) {
			Store<LockHandle> store = context.getBean(Store.class);
			store.handle("orders", null);
			store.token(-1);
			store.boxed(null);
			store.markedByInterface("orders", 0);
			store.inherited(0);
			store.generic(null, 0);
			store.both(null, 0, "x", "y");
			List<@Nullable Object> seen = bean(store).seen();
			assertThat(seen).hasSize(10).doesNotContainNull();
			assertThat(seen.get(0)).isInstanceOfSatisfying(LockHandle.class,
					(handle) -> assertThat(handle.key()).isEqualTo("orders"));
			assertThat(seen).element(5).isInstanceOf(LockHandle.class);
			assertThat(seen).element(7).isInstanceOf(LockHandle.class);
			assertThat(seen).element(9).isEqualTo(List.of("x", "y"));
			assertThat(seen.stream().filter(Long.class::isInstance)).containsExactly(2L, 3L, 4L, 5L, 6L, 7L);
		}
	}

	@Test
	void handleOfSeveralKeysHasOneForEach() {
		try (AnnotationConfigApplicationContext context = start(TestProxy.CGLIB, StoreBean.class)) {
			StoreBean store = context.getBean(StoreBean.class);
			store.keys(List.of("b", "a", "b"), null);
			assertThat(bean(store).seen()).singleElement()
				.isInstanceOfSatisfying(LockHandle.class,
						(handle) -> assertThat(handle.handles()).extracting(LockHandle::key).containsExactly("a", "b"));
		}
	}

	@Test
	void tokenOfSeveralKeysIsRefusedBeforeTheMethodRuns() {
		try (AnnotationConfigApplicationContext context = start(TestProxy.CGLIB, StoreBean.class)) {
			StoreBean store = context.getBean(StoreBean.class);
			assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> store.tokenOfKeys("a,b", 0))
				.withMessageContaining("StoreBean.tokenOfKeys(String, long) has a @FencingToken parameter, but was "
						+ "called with 2 keys, each of which has a token.")
				.withMessageContaining("Take a parameter of type LockHandle instead");
			assertThat(bean(store).seen()).isEmpty();
			store.tokenOfKeys("a", 0);
			assertThat(bean(store).seen()).hasSize(1).doesNotContain(0L);
			assertThat(context.getBean(InMemoryLockProvider.class).keysInUse()).isZero();
		}
	}

	@Test
	void lockThatIsTurnedOffIsOneThatIsHeldAndExcludesNobody() {
		TestLockSettings settings = new TestLockSettings();
		settings.unguarded.addAll(List.of("store-bean-both", "store-bean-boxed"));
		Store<LockHandle> store = proxy(interceptor(settings));
		LockHandle stale = new InMemoryLockProvider().acquire(LockRequest.of("other"));
		store.both(stale, 42);
		store.boxed(42L);
		assertThat(bean(store).seen()).hasSize(4).endsWith(1L, List.of(), 2L);
		LockHandle handle = (LockHandle) bean(store).seen().get(0);
		assertThat(handle).isNotSameAs(stale).extracting(LockHandle::key).isEqualTo("store-bean-both");
		assertThat(handle.state()).isEqualTo(LockState.RELEASED);
	}

	@Test
	void adviceAroundTheLockSeesWhatTheCallerPassed() {
		List<@Nullable Object> passed = new ArrayList<>();
		MethodInterceptor twice = (invocation) -> {
			ProxyMethodInvocation first = (ProxyMethodInvocation) ((ProxyMethodInvocation) invocation).invocableClone();
			first.proceed();
			passed.add(first.getArguments()[0]);
			Object result = invocation.proceed();
			passed.add(invocation.getArguments()[0]);
			return result;
		};
		Store<LockHandle> store = proxy(twice, interceptor(new TestLockSettings()));
		store.token(-7);
		assertThat(bean(store).seen()).containsExactly(1L, 2L);
		assertThat(passed).containsExactly(-7L, -7L);
	}

	// Like a repository of Spring Data, whose class does not implement its interface.
	@Test
	void tokenIsFilledInThoughTheClassBehindAnotherProxyDoesNotHaveTheMethod() {
		List<@Nullable Object> passed = new ArrayList<>();
		ProxyFactory repository = new ProxyFactory(new Object());
		repository.addInterface(TokenRepository.class);
		repository.addAdvice((MethodInterceptor) (invocation) -> passed.add(invocation.getArguments()[0]));
		ProxyFactory guarded = new ProxyFactory(repository.getProxy());
		guarded.addAdvice(interceptor(new TestLockSettings()));
		((TokenRepository) guarded.getProxy()).write(0);
		assertThat(passed).containsExactly(1L);
	}

	@Test
	void longLoopEndsWhenTheLockIsLost() {
		try (AnnotationConfigApplicationContext context = start(TestProxy.CGLIB, StoreBean.class)) {
			StoreBean store = context.getBean(StoreBean.class);
			store.loop(null);
			assertThat(bean(store).seen()).hasSize(5);
			store.onStep(context.getBean(InMemoryLockProvider.class)::loseAll);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> store.loop(null));
			assertThat(bean(store).seen()).hasSize(6);
		}
	}

	@ParameterizedTest
	@MethodSource
	void refuses(Class<?> type, String description, String action) {
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> start(TestProxy.CGLIB, type))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains(type.getName() + ".run(").endsWith(description);
				assertThat(ex.getAction()).isEqualTo(action);
			});
	}

	static Stream<Arguments> refuses() {
		String several = "Take a parameter of type LockHandle instead: its handles() have the tokens of the single keys.";
		String severalLocks = " has a @FencingToken parameter, but several locks, each of which has a token.";
		return Stream.of(
				Arguments.of(TextToken.class, " marks a parameter of type String with @FencingToken.",
						"Declare the parameter as long, the type of a fencing token."),
				Arguments.of(HandleToken.class, " marks a parameter of type LockHandle with @FencingToken.",
						"Declare the parameter as long, the type of a fencing token."),
				Arguments.of(TwoLocks.class, severalLocks, several),
				Arguments.of(KeyPerElement.class, severalLocks, several),
				Arguments.of(KeyPerArgument.class, severalLocks, several),
				Arguments.of(NoLock.class, " has a @FencingToken parameter, but no lock, so it gets no value.",
						"Annotate the method with @DistributedLock, or remove @FencingToken."));
	}

	private static LockInterceptor interceptor(TestLockSettings settings) {
		return new LockInterceptor(new AnnotationLockOperationSource(() -> settings, () -> (text) -> text),
				new LockTemplate(new InMemoryLockProvider()));
	}

	private static Store<LockHandle> proxy(MethodInterceptor... advice) {
		ProxyFactory factory = new ProxyFactory(new StoreBean());
		Stream.of(advice).forEach(factory::addAdvice);
		return (Store<LockHandle>) factory.getProxy();
	}

	private static StoreBean bean(Object proxy) {
		return (StoreBean) AopProxyUtils.getSingletonTarget(proxy);
	}

	private static AnnotationConfigApplicationContext start(TestProxy proxy, Class<?> bean) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("test.proxy", proxy.name())));
		context.register(LockTestConfiguration.class, bean);
		context.refresh();
		return context;
	}

	interface TokenRepository {

		@DistributedLock(key = "orders")
		boolean write(@FencingToken long token);

	}

}
