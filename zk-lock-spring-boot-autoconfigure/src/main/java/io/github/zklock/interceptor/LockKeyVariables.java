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

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.interceptor.LockExpression.Part;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Checks the variables of an expression against the parameters of the method. SpEL itself
 * takes an unknown variable for {@code null}, which would make all calls share one lock.
 */
final class LockKeyVariables {

	private static final Set<String> OWN = Set.of("root", "this");

	private static final Set<String> ROOT_PROPERTIES = Set.of("method", "methodName", "target", "targetClass", "args");

	private final LockTarget target;

	private final String attribute;

	private final String text;

	private final @Nullable BeanFactory beanFactory;

	private final Method namedMethod;

	private final int parameterCount;

	private final String @Nullable [] names;

	private final Map<String, Integer> used = new TreeMap<>();

	LockKeyVariables(LockTarget target, Method namedMethod, String attribute, String text,
			@Nullable BeanFactory beanFactory) {
		this.target = target;
		this.attribute = attribute;
		this.text = text;
		this.beanFactory = beanFactory;
		this.namedMethod = namedMethod;
		this.parameterCount = namedMethod.getParameterCount();
		this.names = new DefaultParameterNameDiscoverer().getParameterNames(namedMethod);
	}

	Map<String, Integer> check(List<Part> parts) {
		for (Part part : parts) {
			if (part.expression() != null) {
				check(part.expression(), true);
			}
			if (part.path() != null) {
				checkPath(part.text(), part.path());
			}
		}
		return this.used;
	}

	private void checkPath(String reference, ArgumentPath path) {
		ResolvableType argument = ResolvableType.forMethodParameter(this.namedMethod, index(path.variable()),
				this.target.targetClass());
		String missing = MissingProperty.find(argument, path.properties());
		if (missing != null) {
			throw this.target.invalid(
					"uses " + reference + " in its " + this.attribute + " '" + this.text + "', but " + missing,
					"Correct its name, or add a public getter.");
		}
	}

	private void check(SpelNode node, boolean onRoot) {
		if (node instanceof FunctionReference) {
			throw unknown(node.toStringAST());
		}
		if (node instanceof VariableReference) {
			checkVariable(node.toStringAST().substring(1));
		}
		if (node instanceof BeanReference) {
			checkBean(node.toStringAST());
		}
		if (onRoot && node instanceof PropertyOrFieldReference property
				&& !ROOT_PROPERTIES.contains(property.getName())) {
			throw unknown(property.getName());
		}
		boolean otherRoot = node instanceof Projection || node instanceof Selection || node instanceof Indexer
				|| node instanceof InlineMap;
		for (int i = 0; i < node.getChildCount(); i++) {
			boolean chained = node instanceof CompoundExpression && i > 0;
			check(node.getChild(i), onRoot && !otherRoot && !chained);
		}
	}

	private void checkVariable(String name) {
		if (OWN.contains(name)) {
			return;
		}
		int index = index(name);
		if (index < 0) {
			throw unknown("#" + name);
		}
		this.used.put(name, index);
	}

	private void checkBean(String reference) {
		String name = reference.replace("@", "").replace("'", "");
		if (this.beanFactory != null && !this.beanFactory.containsBean(name)) {
			throw this.target.invalid("uses " + reference + " in its " + this.attribute + " '" + this.text
					+ "', but there is no bean '" + name + "'", "Define the bean, or correct its name.");
		}
	}

	private int index(String name) {
		if (this.names != null && List.of(this.names).contains(name)) {
			return List.of(this.names).indexOf(name);
		}
		for (int i = 0; i < this.parameterCount; i++) {
			if (name.equals("p" + i) || name.equals("a" + i)) {
				return i;
			}
		}
		return -1;
	}

	private InvalidLockUsageException unknown(String reference) {
		String problem = "uses " + reference + " in its " + this.attribute + " '" + this.text + "', but ";
		if (this.names == null && this.parameterCount > 0 && reference.startsWith("#")) {
			return this.target.invalid(problem + "its class was compiled without the names of parameters",
					"Compile it with -parameters (Kotlin: -java-parameters), or refer to parameters by position: #p0.");
		}
		Stream<String> positions = Stream.iterate(0, (i) -> i + 1).limit(this.parameterCount).map((i) -> "#p" + i);
		Stream<String> known = (this.names != null) ? Stream.of(this.names).map((name) -> "#" + name) : positions;
		String choices = Stream.concat(known, Stream.of("#root", "@bean")).collect(Collectors.joining(", "));
		return this.target.invalid(problem + "there is no such parameter", "Use what the method has: " + choices + ".");
	}

}
