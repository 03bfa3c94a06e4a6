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

package io.github.zklock.interceptor.expression;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.ReleasePolicy;
import io.github.zklock.core.UnavailablePolicy;
import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockParameters;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.Sharding;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.format.support.DefaultFormattingConversionService;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The grammar of keys.
 */
class LockKeyGrammarTests {

	private final DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();

	@ParameterizedTest(name = "{index}: {0}")
	@MethodSource
	void resolves(String key, String expected) {
		this.beanFactory.registerSingleton("names", Map.of("k", "bean"));
		assertThat(resolve(key, 7, new Order(42L), "plain")).isEqualTo(expected);
	}

	static Stream<Arguments> resolves() {
		return Stream.of(Arguments.of("nightly-report", "nightly-report"),
				Arguments.of("order:#{#order.id}", "order:42"), Arguments.of("a:#{#id}:b:#{#order.id}:c", "a:7:b:42:c"),
				Arguments.of("#{#id}", "7"), Arguments.of("#{'#'}1", "#1"), Arguments.of("#{ {'a':'}'}['a'] }x", "}x"),
				Arguments.of("#order.id", "42"), Arguments.of("#order?.id", "42"), Arguments.of("#id", "7"),
				Arguments.of("#p0", "7"), Arguments.of("#a1.id", "42"),
				Arguments.of("'order:' + #order.id", "order:42"), Arguments.of("'a' + ('b' + #id) + 'c'", "ab7c"),
				Arguments.of("#id + 1", "8"), Arguments.of("#id + #p0 + ':x'", "14:x"),
				Arguments.of("'' + (#id + 1)", "8"), Arguments.of("#{@names.get('k')}", "bean"),
				Arguments.of("#{T(Math).max(#id, 8)}", "8"), Arguments.of("#{'@'}daily", "@daily"),
				Arguments.of("#{'T'}(Math)", "T(Math)"), Arguments.of("a@b", "a@b"), Arguments.of("Tea", "Tea"),
				Arguments.of("#root.methodName", "guarded"), Arguments.of("#root.method.name", "guarded"),
				Arguments.of("#root.targetClass.simpleName", "Orders"),
				Arguments.of("#root.target.class.simpleName", "Orders"), Arguments.of("#root.args[0]", "7"),
				Arguments.of("#{methodName}:#{args.length}", "guarded:3"),
				Arguments.of("#order.tags.![#this].size()", "2"), Arguments.of("#order.tags.?[length() > 1][0]", "bb"),
				Arguments.of("#order.tags[0]", "a"), Arguments.of("#other", "plain"),
				Arguments.of("#{#other ?: 'none'}", "plain"), Arguments.of("C-sharp\\{x}", "C-sharp{x}"),
				Arguments.of("\\{#{#id}}", "{7}"), Arguments.of("a}b", "a}b"), Arguments.of("a\\b:#{#id}", "a\\b:7"),
				Arguments.of("#{'{'}x", "{x"));
	}

	@ParameterizedTest(name = "{index}: {0}")
	@MethodSource
	void refusesAtStartUp(String key, String description, String action) {
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> parse(key)).satisfies((ex) -> {
			assertThat(ex.getDescription()).contains("Orders.guarded(int, Order, Object)", description);
			assertThat(ex.getAction()).contains(action);
		});
	}

	static Stream<Arguments> refusesAtStartUp() {
		return Stream.of(Arguments.of("order-#id", "a # neither begins the key", "Write order-#{#id} instead."),
				Arguments.of("order-#order.id.x:#{#id}", "a # neither begins the key",
						"Write order-#{#order.id.x}:#{#id} instead."),
				Arguments.of("order:{#order.id}", "a # neither begins the key", "Write order:#{#order.id} instead."),
				Arguments.of("{#id}:#other:{x}", "a # neither begins the key", "Write #{#id}:#{#other}:#{#x} instead."),
				Arguments.of("order:#{#order.idd}",
						"uses #order.idd in its key 'order:#{#order.idd}', but Order has no property 'idd'",
						"Correct its name"),
				Arguments.of("#order.id.next",
						"uses #order.id.next in its key '#order.id.next', but Long has no property " + "'next'",
						"Correct its name"),
				Arguments.of("account:{id}", "a { stands without a # before it",
						"Write account:#{#id} instead. A brace that is meant as text is written as \\{"),
				Arguments.of("account:{order.id}:#{#id}", "a { stands without a # before it",
						"Write account:#{#order.id}:#{#id} instead."),
				Arguments.of("a{1}\\{b", "a { stands without a # before it", "Write a\\{1}\\{b instead."),
				Arguments.of("C#", "a # neither begins the key", "Write C#{'#'} instead."),
				Arguments.of("@tenant.key()", "begins with @ or T( without a #{ before it",
						"Write #{@tenant.key()} for an expression, or #{'@'}tenant.key() for text."),
				Arguments.of("T(Math).random()", "begins with @ or T( without a #{ before it",
						"Write #{T(Math).random()} for an expression, or #{'T'}(Math).random() for text."),
				Arguments.of("@tenant.key():#{#id}", "begins with @ or T( without a #{ before it",
						"Write #{...} for an expression, or #{'@'}tenant.key():#{#id} for text."),
				Arguments.of("#id:#other", "not a valid SpEL expression", "#{#id}:#{#other}"),
				Arguments.of("'order:' +", "not a valid SpEL expression", "one whole expression"),
				Arguments.of("order:#{#id", "not a valid SpEL expression", "inside #{...}"),
				Arguments.of("order:#{}", "not a valid SpEL expression", "inside #{...}"),
				Arguments.of("#orderId", "uses #orderId in its key '#orderId', but there is no such parameter",
						"#id, #order, #other, #root, @bean"),
				Arguments.of("order:#{#root.args[#no]}", "uses #no in its key", "#id"),
				Arguments.of("#p3", "uses #p3 in its key", "#id"),
				Arguments.of("order:#{id}", "uses id in its key", "#id"),
				Arguments.of("#format(#id)", "uses #format(#id) in its key", "#id"), Arguments.of("order\n42",
						"'order\\u000A42' has the control character U+000A at index 5", "Correct the key"),
				Arguments.of(" ", "has an empty key", "order:#{#order.id}"));
	}

	@Test
	void refusesNamesThatWereNotCompiledIn() throws Exception {
		Method method = List.class.getMethod("add", Object.class);
		LockKeyParser parser = new LockKeyParser(new LockTarget(method, List.class), method, "key", null);
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> parser.parseKey("#e"))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("compiled without the names of parameters");
				assertThat(ex.getAction()).contains("-parameters", "#p0");
			});
		assertThat(parser.parseKey("#p0").argument()).isZero();
	}

	@Test
	void takesAPositionForThePositionAlsoIfAParameterHasItsName() throws Exception {
		Method method = Positions.class.getDeclaredMethod("guarded", String.class, Order.class);
		LockKeyParser parser = new LockKeyParser(new LockTarget(method, Positions.class), method, "key", null);
		assertThat(resolve(method, parser.parseKey("#p1.id"), "first", new Order(2L))).containsExactly("2");
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> parser.parseKey("#p1.bytes"))
			.withMessageContaining("Order has no property 'bytes'");
	}

	@ParameterizedTest(name = "{0} of {1}")
	@MethodSource
	void refusesTheCall(String key, @Nullable Object other, String message) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> resolve(key, 7, new Order(null), other))
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(key));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a:#{#other.charAt(99)}", "a:#{T(Integer).parseInt(#other)}", "a:#{#root.args[#other]}",
			"a:#{#other / 2}", "a:#{#other.missing}" })
	void noMessageHoldsAnArgument(String key) {
		String other = "secret";
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> resolve(key, 7, new Order(null), other))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(other));
	}

	static Stream<Arguments> refusesTheCall() {
		return Stream.of(Arguments.of("#other", null, "is null"), Arguments.of("#other", " ", "is blank"),
				Arguments.of("#other", Optional.empty(), "is null"),
				Arguments.of("order:#{#order.id}", "", "Orders.guarded(int, Order, Object): #order.id is null"),
				Arguments.of("'order:' + #order.id", "", "#order.id is null"),
				Arguments.of("order:#{#other.missing}", "",
						"Lock key 'order:#{#other.missing}' of io.github.zklock.interceptor.expression.LockKeyGrammarTests$Orders."
								+ "guarded(int, Order, Object) could not be evaluated: EL1008E: Property or field 'missing'"),
				Arguments.of("#id = 5", "", "could not be evaluated"),
				Arguments.of("#order.id = 5", "", "could not be evaluated"),
				Arguments.of("#order.id.toString()", "", "could not be evaluated: EL1011E"),
				Arguments.of("#{@absent.id}", "", "could not be evaluated"),
				Arguments.of("#other", new Object(), "no conversion to text"),
				Arguments.of("'a' + #other", new java.util.StringTokenizer("b"), "no conversion to text"),
				Arguments.of("#other", List.of(), "gives no key at all"),
				Arguments.of("#other", new int[0], "no key at all"),
				Arguments.of("#other", Arrays.asList("a", null), "is null"),
				Arguments.of("#other", List.of("a", ""), "is blank"),
				Arguments.of("#other", List.of(List.of("a")), "part of one key"),
				Arguments.of("#other", Map.of("a", "b"), "part of one key"),
				Arguments.of("a:#{#other}", List.of("a", "b"), "several keys are a collection or array"));
	}

	@ParameterizedTest
	@MethodSource
	void givesSeveralKeys(String key, Object other, List<String> expected) {
		assertThat(resolveAll(key, 7, new Order(1L), other)).isEqualTo(expected);
	}

	static Stream<Arguments> givesSeveralKeys() {
		return Stream.of(Arguments.of("#other", List.of("b", 1L), List.of("b", "1")),
				Arguments.of("#other", new int[] { 3, 4 }, List.of("3", "4")),
				Arguments.of("#other.!['order:' + #this]", List.of(1, 2), List.of("order:1", "order:2")),
				Arguments.of("#{{'a', #id}}", "", List.of("a", "7")));
	}

	@ParameterizedTest
	@MethodSource
	void makesTextOfValues(Object value, String expected) {
		this.beanFactory.setConversionService(new DefaultFormattingConversionService());
		LocaleContextHolder.setLocale(Locale.GERMANY);
		try {
			assertThat(resolve("#other", 7, new Order(1L), value)).isEqualTo(expected);
			assertThat(resolve("x#{#other}", 7, new Order(1L), value)).isEqualTo("x" + expected);
			assertThat(resolve("'x' + #other", 7, new Order(1L), value)).isEqualTo("x" + expected);
		}
		finally {
			LocaleContextHolder.resetLocaleContext();
		}
	}

	static Stream<Arguments> makesTextOfValues() {
		return Stream.of(Arguments.of(1234567.5, "1234567.5"), Arguments.of(1234567L, "1234567"),
				Arguments.of(LocalDate.of(2026, 11, 20), "2026-11-20"), Arguments.of(LockMode.READ, "READ"),
				Arguments.of(new UUID(0, 1), "00000000-0000-0000-0000-000000000001"), Arguments.of('c', "c"));
	}

	@Test
	void usesTheConvertersOfTheApplication() {
		DefaultConversionService conversionService = new DefaultConversionService();
		conversionService.addConverter(Order.class, String.class, (order) -> "no-" + order.id());
		this.beanFactory.setConversionService(conversionService);
		assertThat(resolve("#order", 7, new Order(5L), "")).isEqualTo("no-5");
		assertThat(resolve("a:#{#order}", 7, new Order(5L), "")).isEqualTo("a:no-5");
	}

	private String resolve(String key, @Nullable Object... args) {
		List<String> keys = resolveAll(key, args);
		assertThat(keys).hasSize(1);
		return keys.get(0);
	}

	private List<String> resolveAll(String key, @Nullable Object... args) {
		return resolve(method(), parse(key), args);
	}

	private List<String> resolve(Method method, LockExpression key, @Nullable Object... args) {
		LockSpecification lock = new LockSpecification(key, "orders", LockMode.EXCLUSIVE, Duration.ZERO, 1, null,
				Duration.ZERO, LossPolicy.FAIL_AT_EXIT, false, false, null, "");
		LockTarget target = new LockTarget(method, method.getDeclaringClass());
		LockOperation operation = new LockOperation(target, target.qualifiedName(), List.of(lock),
				NotAcquiredPolicy.AUTO, UnavailablePolicy.AUTO, null, ReleasePolicy.TRANSACTION, LockOperation.Ticks.NO,
				null, Sharding.NONE, new LockParameters(target));
		return new LockKeyEvaluator(this.beanFactory).keys(operation, lock, new Call(method, args, new Orders()));
	}

	private static LockExpression parse(String key) {
		return new LockKeyParser(new LockTarget(method(), Orders.class), method(), "key", null).parseKey(key);
	}

	private static Method method() {
		return Stream.of(Orders.class.getDeclaredMethods())
			.filter((method) -> method.getName().equals("guarded"))
			.findFirst()
			.orElseThrow();
	}

	static class Orders {

		void guarded(int id, Order order, Object other) {
		}

	}

	static class Positions {

		void guarded(String p1, Order other) {
		}

	}

	record Order(@Nullable Long id, List<String> tags) {

		Order(@Nullable Long id) {
			this(id, List.of("a", "bb"));
		}

	}

	record Call(Method getMethod, @Nullable Object[] getArguments, Object getThis) implements MethodInvocation {

		@Override
		public @Nullable Object proceed() {
			throw new IllegalStateException("Only the key is wanted");
		}

		@Override
		public AccessibleObject getStaticPart() {
			return this.getMethod;
		}

	}

}
