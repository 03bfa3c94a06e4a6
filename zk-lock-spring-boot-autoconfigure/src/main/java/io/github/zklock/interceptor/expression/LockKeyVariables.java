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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.interceptor.operation.InvalidLockUsageException;
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

	LockKeyVariables(LockTarget target, Method namedMethod, String attribute, String text,
			@Nullable BeanFactory beanFactory) {
		this.target = target;
		this.attribute = attribute;
		this.text = text;
		this.beanFactory = beanFactory;
		this.namedMethod = namedMethod;
		this.parameterCount = namedMethod.getParameterCount()
				- (KotlinDetector.isSuspendingFunction(namedMethod) ? 1 : 0);
		this.names = new DefaultParameterNameDiscoverer().getParameterNames(namedMethod);
	}

	/**
	 * Check the expressions.
	 * @param parts the expressions, and the text between them
	 * @throws InvalidLockUsageException if one names what the method does not have
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
	 * Return the argument that an expression consists of.
	 * @param parts the parts of the expression
	 * @return the index of the argument, or {@code -1} if the expression is another
	 */
	int argument(List<Part> parts) {
		Part part = parts.get(0);
		if (parts.size() != 1 || part.expression() == null) {
			return -1;
		}
		SpelNode node = part.expression().getAST();
		return isArgument(node) ? index(node.toStringAST().substring(1)) : -1;
	}

	// Only where an expression is one argument and properties of it, #order.id.
	private void checkProperties(String reference, SpelNode node) {
		if (!(node instanceof CompoundExpression) || !isArgument(node.getChild(0))) {
			return;
		}
		List<String> properties = new ArrayList<>();
		for (int i = 1; i < node.getChildCount(); i++) {
			if (!(node.getChild(i) instanceof PropertyOrFieldReference property) || property.isNullSafe()) {
				return;
			}
			properties.add(property.getName());
		}
		ResolvableType argument = ResolvableType.forMethodParameter(this.namedMethod,
				index(node.getChild(0).toStringAST().substring(1)), this.target.targetClass());
		String missing = MissingProperty.find(argument, properties);
		if (missing != null) {
			throw this.target.invalid(
					"uses " + reference + " in its " + this.attribute + " '" + this.text + "', but " + missing,
					"Correct its name, or add a public getter.");
		}
	}

	private static boolean isArgument(SpelNode node) {
		return node instanceof VariableReference && !OWN.contains(node.toStringAST().substring(1));
	}

	private void check(SpelNode node, boolean onRoot) {
		if (node instanceof FunctionReference) {
			throw unknown(node.toStringAST());
		}
		if (isArgument(node) && index(node.toStringAST().substring(1)) < 0) {
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
			throw this.target.invalid("uses " + reference + " in its " + this.attribute + " '" + this.text
					+ "', but there is no bean '" + name + "'", "Define the bean, or correct its name.");
		}
	}

	// As in the context of Spring, in which the last parameter with a name has it.
	private int index(String name) {
		for (int i = this.parameterCount - 1; i >= 0; i--) {
			if (name.equals("p" + i) || name.equals("a" + i) || (this.names != null && name.equals(this.names[i]))) {
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

	/**
	 * Finds properties that an argument cannot have, before the first call. Only a final
	 * class tells: a subclass of another may have more.
	 */
	private static final class MissingProperty {

		private MissingProperty() {
		}

		/**
		 * Return what is missing on the way.
		 * @param argument the type of the argument
		 * @param properties the properties, from the argument on
		 * @return text like {@code "Order has no property 'idd'"}, or {@code null} if
		 * nothing is known to be missing
		 */
		static @Nullable String find(ResolvableType argument, List<String> properties) {
			ResolvableType type = argument;
			for (String property : properties) {
				Class<?> owner = type.resolve();
				if (owner == null || !isDecidable(owner)) {
					return null;
				}
				ResolvableType next = read(type, owner, property);
				if (next == null) {
					return owner.getSimpleName() + " has no property '" + property + "'";
				}
				type = next;
			}
			return null;
		}

		private static boolean isDecidable(Class<?> type) {
			return Modifier.isFinal(type.getModifiers()) && !type.isArray() && !type.isPrimitive()
					&& type != Class.class;
		}

		private static @Nullable ResolvableType read(ResolvableType type, Class<?> owner, String property) {
			String name = property.toLowerCase(Locale.ROOT);
			Set<String> accessors = Set.of(name, "get" + name, "is" + name);
			for (Method method : owner.getMethods()) {
				if (method.getParameterCount() == 0 && accessors.contains(method.getName().toLowerCase(Locale.ROOT))) {
					return ResolvableType.forType(method.getGenericReturnType(), type);
				}
			}
			return Arrays.stream(owner.getFields())
				.filter((field) -> field.getName().equalsIgnoreCase(property))
				.map(Field::getGenericType)
				.map((field) -> ResolvableType.forType(field, type))
				.findFirst()
				.orElse(null);
		}

	}

}
