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
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.github.zklock.autoconfigure.ReactiveTransactionApplication.Locked;
import io.github.zklock.autoconfigure.ReactiveTransactionApplication.Rows;
import io.github.zklock.core.LockLostException;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A lock is lost before a reactive transaction commits to a real database: the row is not
 * there, and the caller is told.
 */
class ReactiveTransactionLossTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private static ConfigurableApplicationContext withAspectJ;

	private static ConfigurableApplicationContext plain;

	@BeforeAll
	static void start() {
		withAspectJ = application(true);
		plain = application(false);
	}

	@AfterAll
	static void stop() {
		withAspectJ.close();
		plain.close();
	}

	@AfterEach
	void clear() {
		withAspectJ.getBean(Rows.class).clear();
		plain.getBean(Rows.class).clear();
	}

	@ParameterizedTest(name = "{0}, AspectJ: {1}")
	@MethodSource
	void rowIsNotThere(Call call, boolean aspectJ) {
		ConfigurableApplicationContext application = aspectJ ? withAspectJ : plain;
		InMemoryLockProvider locks = application.getBean(InMemoryLockProvider.class);
		Throwable thrown = catchThrowable(
				() -> call.body.apply(application.getBean(Locked.class), locks::loseAll).block(BOUND));
		assertThat(Exceptions.unwrap(thrown)).isInstanceOf(LockLostException.class);
		assertThat(application.getBean(Rows.class).count()).isZero();
		assertThat(locks.keysInUse()).isZero();
	}

	static Stream<Arguments> rowIsNotThere() {
		return Stream.of(Call.values())
			.flatMap((call) -> Stream.of(true, false).map((aspectJ) -> Arguments.of(call, aspectJ)));
	}

	@ParameterizedTest
	@EnumSource
	void rowIsThereUnderALockThatIsHeld(Call call) {
		assertThat(call.body.apply(withAspectJ.getBean(Locked.class), () -> {
		}).block(BOUND)).isEqualTo("inserted");
		assertThat(withAspectJ.getBean(Rows.class).count()).isOne();
	}

	@Test
	void lockThatWasReleasedBeforeTheCommitDoesNotPreventIt() {
		Locked locked = withAspectJ.getBean(Locked.class);
		assertThat(locked.joined(() -> locked.calling(() -> {
		})).block(BOUND)).isEqualTo("inserted");
		assertThat(withAspectJ.getBean(Rows.class).count()).isOne();
	}

	private static ConfigurableApplicationContext application(boolean aspectJ) {
		return new SpringApplicationBuilder(ReactiveTransactionApplication.class).web(WebApplicationType.NONE)
			.properties("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
					"spring.main.banner-mode=off", "spring.aop.auto=" + aspectJ)
			.run();
	}

	enum Call {

		ANNOTATION(Locked::transactional),

		ANNOTATED_FLUX((locked, middle) -> locked.transactionalFlux(middle).last()),

		ANNOTATION_OF_ANOTHER_BEAN(Locked::calling),

		ANNOTATION_BEHIND_A_FUTURE((locked, middle) -> Mono.fromFuture(() -> locked.futureOfTransaction(middle))),

		OPERATOR(Locked::operator),

		OPERATOR_OF_A_FLUX((locked, middle) -> locked.operatorFlux(middle).last()),

		CALLBACK_OF_THE_OPERATOR(Locked::callback),

		OPERATOR_THAT_IS_NO_BEAN(Locked::ownOperator),

		OPERATOR_BEHIND_A_FUTURE((locked, middle) -> Mono.fromFuture(() -> locked.future(middle))),

		OPERATOR_THAT_IS_WAITED_FOR((locked, middle) -> Mono.fromSupplier(() -> locked.blocking(middle)));

		private final BiFunction<Locked, Runnable, Mono<String>> body;

		Call(BiFunction<Locked, Runnable, Mono<String>> body) {
			this.body = body;
		}

	}

}
