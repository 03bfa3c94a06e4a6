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

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.interceptor.ProxyContractBeans.BaseTask;
import io.github.zklock.interceptor.ProxyContractBeans.Hidden;
import io.github.zklock.interceptor.ProxyContractBeans.Inherited;
import io.github.zklock.interceptor.ProxyContractBeans.MethodLevel;
import io.github.zklock.interceptor.ProxyContractBeans.OverridingTask;
import io.github.zklock.interceptor.ProxyContractBeans.Task;
import io.github.zklock.interceptor.ProxyContractNeighbours.Job;
import io.github.zklock.interceptor.ProxyContractNeighbours.NeighbourBean;
import io.github.zklock.interceptor.ProxyContractNeighbours.Neighbours;
import io.github.zklock.interceptor.ProxyContractNeighbours.Retried;
import io.github.zklock.interceptor.ProxyContractNeighbours.ScheduledJob;
import io.github.zklock.interceptor.ProxyContractTypes.ClassLevel;
import io.github.zklock.interceptor.ProxyContractTypes.GuardedContract;
import io.github.zklock.interceptor.ProxyContractTypes.InterfaceLevel;
import io.github.zklock.interceptor.ProxyContractTypes.Part;
import io.github.zklock.interceptor.ProxyContractTypes.SubOfClassLevel;
import io.github.zklock.interceptor.ProxyContractTypes.Whole;
import io.github.zklock.interceptor.ProxyContractValidation.Checked;

import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a Spring user may expect of an annotation on a bean: case by case, what happens in
 * which order.
 */
final class ProxyContract {

	private ProxyContract() {
	}

	static Stream<ProxyContractRow<?>> rows() {
		return Stream
			.of(methods(), inherited(), types(), neighbours(), retries(), ProxyContractFences.rows(),
					ProxyContractOutcomes.results(), ProxyContractOutcomes.answers(),
					ProxyContractOutcomes.surroundings(), ProxyContractTicks.rows())
			.flatMap((rows) -> rows);
	}

	static Stream<ProxyContractRow<?>> methods() {
		return Stream.of(
				row("on a method", Task.class, MethodLevel.class).when(Task::direct)
					.then("lock direct", "body", "unlock"),
				row("a composed annotation", Task.class, MethodLevel.class).when(Task::composed)
					.then("lock composed", "body", "unlock"),
				row("a composed annotation with `@AliasFor` attributes", Task.class, MethodLevel.class)
					.when(Task::composedWithAttributes)
					.then("lock aliased", "body", "unlock"),
				row("repeated, for the keys `second` and `first`", Task.class, MethodLevel.class).when(Task::repeated)
					.then("lock first", "lock second", "body", "unlock", "unlock"),
				row("a key that gives a list: `b`, `a`, `b`", Task.class, MethodLevel.class)
					.when((task) -> task.several(List.of("b", "a", "b")))
					.then("lock a", "lock b", "body", "unlock", "unlock"),
				row("on a protected method", Hidden.class, Hidden.class).when(Hidden::isProtected)
					.then("lock protected", "body", "unlock"),
				row("on a package-private method", Hidden.class, Hidden.class).when(Hidden::isPackagePrivate)
					.then("lock package-private", "body", "unlock"),
				row("on another method of the class", Task.class, MethodLevel.class).when(Task::free).then("body"));
	}

	@SuppressWarnings("unchecked")
	static Stream<ProxyContractRow<?>> inherited() {
		return Stream.of(
				row("on the method of an interface", Task.class, MethodLevel.class).when(Task::onInterface)
					.then("lock interface", "body", "unlock"),
				row("on the method of an interface, which names its parameters differently", Task.class,
						MethodLevel.class)
					.when((task) -> task.namedOnInterface("x"))
					.then("lock interface:x", "body", "unlock"),
				row("on the method and on the interface's method: the method wins", Task.class, MethodLevel.class)
					.when(Task::onBoth)
					.then("lock method", "body", "unlock"),
				row("on an inherited method", Inherited.class, BaseTask.class).when(Inherited::inherited)
					.then("lock inherited", "body", "unlock"),
				row("on an overridden method", Inherited.class, OverridingTask.class).when(Inherited::inherited)
					.then("lock inherited", "overriding", "unlock"),
				row("on a method with a generic parameter", MethodLevel.class, MethodLevel.class)
					.when((bean) -> bean.generic(7L))
					.then("lock generic:7", "body", "unlock"),
				row("the same, called through its bridge method", Task.class, MethodLevel.class)
					.when((task) -> ((Task<Long>) task).generic(7L))
					.then("lock generic:7", "body", "unlock"));
	}

	static Stream<ProxyContractRow<?>> types() {
		return Stream.of(
				row("on the class", Whole.class, ClassLevel.class).when(Whole::first)
					.then("lock class", "body", "unlock"),
				row("on the class and on the method: the method wins", Whole.class, ClassLevel.class).when(Whole::own)
					.then("lock own", "body", "unlock"),
				row("on the superclass: a method of the subclass", Part.class, SubOfClassLevel.class).when(Part::second)
					.then("lock class", "body", "unlock"),
				row("on the superclass: an inherited method", Whole.class, SubOfClassLevel.class).when(Whole::first)
					.then("lock class", "body", "unlock"),
				row("on an interface", GuardedContract.class, InterfaceLevel.class).when(GuardedContract::run)
					.then("lock interface-level", "body", "unlock"),
				row("on the class: `toString()` and the like", Whole.class, ClassLevel.class)
					.when((whole) -> assertThat(whole.toString()).isEqualTo("whole"))
					.then("toString"));
	}

	static Stream<ProxyContractRow<?>> neighbours() {
		return Stream.of(
				row("with `@Transactional`", Neighbours.class, NeighbourBean.class).when(Neighbours::transactional)
					.then("lock tx", "tx-begin", "body", "tx-commit", "unlock"),
				row("with `@Transactional`, and the method throws", Neighbours.class, NeighbourBean.class)
					.when((bean) -> assertThatIllegalStateException().isThrownBy(bean::rolledBack))
					.then("lock tx", "tx-begin", "body", "tx-rollback", "unlock"),
				row("with `@Async`", Neighbours.class, NeighbourBean.class)
					.when((bean) -> assertThat(bean.async()).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("done"))
					.then("lock async@async", "body@async", "unlock@async"),
				row("with `@Cacheable`, called twice", Neighbours.class, NeighbourBean.class).when((bean) -> {
					bean.cached("a");
					bean.cached("a");
				}).then("lock cached", "body", "unlock", "lock cached", "unlock"),
				row("with `@EventListener`", Neighbours.class, NeighbourBean.class)
					.whenIn((context) -> context.publishEvent("x"))
					.then("lock event:x", "body", "unlock"),
				row("with `@PreAuthorize`, allowed", Neighbours.class, NeighbourBean.class).when(ProxyContract::asOwner)
					.then("lock secured", "body", "unlock"),
				row("with `@PreAuthorize`, denied", Neighbours.class, NeighbourBean.class)
					.when((bean) -> assertThatExceptionOfType(AccessDeniedException.class)
						.isThrownBy(() -> as("ROLE_GUEST", bean)))
					.then(),
				row("with `@Validated`", Checked.class, ProxyContractValidation.Default.class).when(Checked::validated)
					.then("lock validated", "validation", "body", "unlock"),
				row("the same with `MethodValidationPostProcessor.setBeforeExistingAdvisors(true)`", Checked.class,
						ProxyContractValidation.Outside.class)
					.when(Checked::validated)
					.then("validation", "lock validated", "body", "unlock"),
				row("with `@Scheduled`", Job.class, ScheduledJob.class).when((bean) -> {
				}).then("lock scheduled", "body", "unlock"));
	}

	static Stream<ProxyContractRow<?>> retries() {
		return Stream.of(
				row("with `@Retryable` of Spring Framework 7, first try fails", Retried.class,
						ProxyContractRetries.Spring7.class)
					.requires(ProxyContractRetries.SPRING_7)
					.when(Retried::retried)
					.then("lock retried", "body", "unlock", "lock retried", "body", "unlock"),
				row("with `@Retryable` of Spring Retry, first try fails", Retried.class,
						ProxyContractRetries.Default.class)
					.when(Retried::retried)
					.then("lock retried", "body", "body", "unlock"),
				row("the same with `@EnableRetry(order = Ordered.LOWEST_PRECEDENCE - 200)`", Retried.class,
						ProxyContractRetries.Outside.class)
					.when(Retried::retried)
					.then("lock retried", "body", "unlock", "lock retried", "body", "unlock"));
	}

	private static <T> ProxyContractRow<T> row(String name, Class<T> type, Class<?> bean) {
		return ProxyContractRow.row(name, type, bean);
	}

	private static void asOwner(Neighbours bean) {
		as("ROLE_OWNER", bean);
	}

	private static void as(String role, Neighbours bean) {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("user", "secret", role));
		try {
			bean.secured();
		}
		finally {
			SecurityContextHolder.clearContext();
		}
	}

}
