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

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;

/**
 * A case of the proxy contract.
 *
 * @param <T> the type by which the bean is called
 * @param name the case, in Markdown
 * @param type the type by which the bean is called
 * @param bean what to register
 * @param required a class without which the case does not exist, or {@code null}
 * @param call what to do with the context
 * @param expected what happens, in this order
 */
record ProxyContractRow<T>(String name, Class<T> type, Class<?> bean, @Nullable String required,
		Consumer<ApplicationContext> call, List<String> expected) {

	static <T> ProxyContractRow<T> row(String name, Class<T> type, Class<?> bean) {
		return new ProxyContractRow<>(name, type, bean, null, (context) -> {
		}, List.of());
	}

	ProxyContractRow<T> requires(String required) {
		return new ProxyContractRow<>(this.name, this.type, this.bean, required, this.call, this.expected);
	}

	ProxyContractRow<T> when(Consumer<T> call) {
		return whenIn((context) -> call.accept(context.getBean(this.type)));
	}

	ProxyContractRow<T> whenIn(Consumer<ApplicationContext> call) {
		return new ProxyContractRow<>(this.name, this.type, this.bean, this.required, call, this.expected);
	}

	ProxyContractRow<T> then(String... expected) {
		return new ProxyContractRow<>(this.name, this.type, this.bean, this.required, this.call, List.of(expected));
	}

	String toMarkdown() {
		String happens = this.expected.stream().map(ProxyContractRow::toMarkdown).collect(Collectors.joining(" → "));
		return "| " + this.name + " | " + (happens.isEmpty() ? "nothing: no lock is taken" : happens) + " | "
				+ (this.type.isInterface() ? "CGLIB, JDK" : "CGLIB") + " |";
	}

	private static String toMarkdown(String event) {
		String onOtherThread = event.endsWith("@async") ? " (other thread)" : "";
		String plain = event.replace("@async", "");
		if (plain.startsWith("lock ")) {
			return "lock `" + plain.substring("lock ".length()) + "`" + onOtherThread;
		}
		if (plain.startsWith("refused ")) {
			return "`" + plain.substring("refused ".length()) + "` is not acquired";
		}
		return switch (plain) {
			case "body" -> "**method**";
			case "overriding" -> "**overriding method**";
			case "toString" -> "**`toString()`**";
			case "value", "first", "second" -> plain.equals("value") ? plain : plain + " value";
			case "tx-begin" -> "begin";
			case "tx-commit" -> "commit";
			case "tx-rollback" -> "rollback";
			default -> plain;
		} + onOtherThread;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
