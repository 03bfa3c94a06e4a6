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

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.LockExpression.Part;
import io.github.zklock.interceptor.operation.LockTarget;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
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
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;

/**
 * Checks the variables of an expression against the parameters of the method. SpEL itself
 * takes an unknown variable for {@code null}, which would make all calls share one lock.
 */
final class LockKeyVariables {

	private static final Set<String> OWN = Set.of("#root", "#this");

	private static final Set<String> ROOT_PROPERTIES = Set.of("method", "methodName", "target", "targetClass", "args");

	// It keeps the classes that it has seen. They may belong to an application that is
	// loaded again.
	private final Properties properties = new Properties();

	private final LockTarget target;

	private final String place;

	private final @Nullable BeanFactory beanFactory;

	private final Method namedMethod;

	private final int parameterCount;

	private final String @Nullable [] names;

	LockKeyVariables(LockTarget target, Method namedMethod, String attribute, String text,
			@Nullable BeanFactory beanFactory) {
		this.target = target;
		this.place = " in its " + attribute + " '" + text + "', but ";
		this.beanFactory = beanFactory;
		this.namedMethod = namedMethod;
		this.parameterCount = namedMethod.getParameterCount()
				- (KotlinDetector.isSuspendingFunction(namedMethod) ? 1 : 0);
		this.names = new DefaultParameterNameDiscoverer().getParameterNames(namedMethod);
	}

	/**
	 * Check that the method has what the expressions name.
	 */
	void check(List<Part> parts) {
		for (Part part : parts) {
			if (part.expression() != null) {
				check(part.expression().getAST(), true);
				checkProperties(part.text(), part.expression().getAST());
			}
		}
	}

	/**
	 * Return the index of the argument that an expression consists of, or {@code -1}.
	 */
	int argument(List<Part> parts) {
		Part part = parts.get(0);
		return (parts.size() == 1 && part.expression() != null && isArgument(part.expression().getAST()))
				? index(part.expression().getAST()) : -1;
	}

	// Only where an expression is one argument and properties of it, #order.id.
	private void checkProperties(String reference, SpelNode node) {
		if (!(node instanceof CompoundExpression) || !isArgument(node.getChild(0))) {
			return;
		}
		ResolvableType type = ResolvableType.forMethodParameter(this.namedMethod, index(node.getChild(0)),
				this.target.targetClass());
		List<SpelNode> path = IntStream.range(1, node.getChildCount()).mapToObj(node::getChild).toList();
		if (!path.stream().allMatch((each) -> each instanceof PropertyOrFieldReference read && !read.isNullSafe())) {
			return;
		}
		for (SpelNode each : path) {
			Class<?> owner = type.resolve();
			if (owner == null || !isDecidable(owner)) {
				return;
			}
			String property = ((PropertyOrFieldReference) each).getName();
			ResolvableType next = this.properties.find(type, owner, property);
			if (next == null) {
				throw invalid(reference, owner.getSimpleName() + " has no property '" + property + "'",
						"Correct its name, or add a public getter.");
			}
			type = next;
		}
	}

	// Only a final class is certain: a subclass of another may have more.
	private static boolean isDecidable(Class<?> type) {
		return Modifier.isFinal(type.getModifiers()) && !type.isArray() && !type.isPrimitive() && type != Class.class;
	}

	private static boolean isArgument(SpelNode node) {
		return node instanceof VariableReference && !OWN.contains(node.toStringAST());
	}

	private void check(SpelNode node, boolean onRoot) {
		if (node instanceof FunctionReference || (isArgument(node) && index(node) < 0)) {
			throw unknown(node.toStringAST());
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

	private void checkBean(String reference) {
		String name = reference.replace("@", "").replace("'", "");
		if (this.beanFactory != null && !this.beanFactory.containsBean(name)) {
			throw invalid(reference, "there is no bean '" + name + "'", "Define the bean, or correct its name.");
		}
	}

	// As in the context of Spring, in which the last parameter with a name has it.
	private int index(SpelNode variable) {
		String name = variable.toStringAST().substring(1);
		for (int i = this.parameterCount - 1; i >= 0; i--) {
			if (name.equals("p" + i) || name.equals("a" + i) || (this.names != null && name.equals(this.names[i]))) {
				return i;
			}
		}
		return -1;
	}

	private InvalidLockUsageException unknown(String reference) {
		if (this.names == null && this.parameterCount > 0 && reference.startsWith("#")) {
			return invalid(reference, "its class was compiled without the names of parameters",
					"Compile it with -parameters (Kotlin: -java-parameters), or refer to parameters by position: #p0.");
		}
		Stream<String> known = (this.names != null) ? Arrays.stream(this.names)
				: IntStream.range(0, this.parameterCount).mapToObj((i) -> "p" + i);
		String choices = Stream.concat(known.map((name) -> "#" + name), Stream.of("#root", "@bean"))
			.collect(Collectors.joining(", "));
		return invalid(reference, "there is no such parameter", "Use what the method has: " + choices + ".");
	}

	private InvalidLockUsageException invalid(String reference, String problem, String action) {
		return this.target.invalid("uses " + reference + this.place + problem, action);
	}

	/**
	 * Finds the properties that SpEL would find, with their types.
	 */
	private static final class Properties extends ReflectivePropertyAccessor {

		@Nullable ResolvableType find(ResolvableType type, Class<?> owner, String property) {
			Method getter = findGetterForProperty(property, owner, false);
			if (getter != null) {
				return ResolvableType.forType(getter.getGenericReturnType(), type);
			}
			Field field = findField(property, owner, false);
			return (field != null) ? ResolvableType.forType(field.getGenericType(), type) : null;
		}

	}

}
