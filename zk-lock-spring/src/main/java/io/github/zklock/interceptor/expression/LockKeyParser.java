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

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockExpression.Part;
import io.github.zklock.interceptor.operation.LockTarget;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.BooleanLiteral;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * The grammar of keys and permits: plain text; text with <code>#{expression}</code>; or a
 * whole expression, if it begins with <code>#</code> or <code>'</code>. In text a brace
 * is written as <code>\{</code>, since <code>{id}</code> is nearly always a forgotten
 * <code>#{#id}</code>. Text cannot begin with <code>@</code> or <code>T(</code>, since
 * that is nearly always an expression. A condition is always a whole expression.
 *
 * @since 0.1.0
 */
public final class LockKeyParser {

	private static final SpelParserConfiguration CONFIGURATION = new SpelParserConfiguration();

	private static final SpelExpressionParser parser = new SpelExpressionParser(CONFIGURATION);

	private static final String NAME = "(?:[\\p{L}_$][\\p{L}\\p{N}_$]*)(?:\\??\\.[\\p{L}_$][\\p{L}\\p{N}_$]*(?:\\(\\))?)*";

	private static final String PATH = "#(" + NAME + ")";

	private static final Pattern HASH = Pattern.compile("\\{" + PATH + "\\}|" + PATH + "|#");

	// A brace without a backslash before it, and the name that it surrounds, if any.
	private static final Pattern BRACE = Pattern.compile("(?<!\\\\)\\{(?:(" + NAME + ")\\})?");

	private final LockTarget target;

	private final Method namedMethod;

	private final String attribute;

	private final @Nullable BeanFactory beanFactory;

	/**
	 * Create a parser for one attribute of one annotation, whose expressions name the
	 * parameters of a method, and beans if these are known.
	 */
	public LockKeyParser(LockTarget target, Method namedMethod, String attribute, @Nullable BeanFactory beanFactory) {
		this.target = target;
		this.namedMethod = namedMethod;
		this.attribute = attribute;
		this.beanFactory = beanFactory;
	}

	/**
	 * Parse a key.
	 */
	public LockExpression parseKey(String text) {
		if (text.isBlank()) {
			throw this.target.invalid("has an empty key",
					"Set its key: plain text for one lock, or for example order:#{#order.id} for one lock per order.");
		}
		LockExpression key = parse(text);
		try {
			if (key.isLiteral()) {
				LockRequest.of(key.text());
			}
			return key;
		}
		catch (LockKeyException ex) {
			throw this.target.invalid("has a key that is refused at every call: " + ex.getMessage(), "Correct the key.",
					ex);
		}
	}

	/**
	 * Parse text, text with expressions, or a whole expression.
	 */
	public LockExpression parse(String text) {
		List<Part> parts = new ArrayList<>();
		for (Expression expression : parseExpressions(text)) {
			if (expression instanceof SpelExpression spel) {
				flatten((SpelNodeImpl) spel.getAST(), parts);
			}
			else {
				parts.add(new Part(expression.getExpressionString().replace("\\{", "{"), null));
			}
		}
		boolean literal = parts.size() == 1 && parts.get(0).expression() == null;
		return compiled(literal ? parts.get(0).text() : text, parts);
	}

	/**
	 * Parse what has to be one whole expression with a boolean result.
	 */
	public LockExpression parseCondition(String text) {
		SpelExpression expression;
		try {
			expression = parser.parseRaw(text);
		}
		catch (ParseException | IllegalStateException ex) {
			throw this.target.invalid(notValid(text, ex), "Correct it. A " + this.attribute
					+ " is one whole expression, without #{...}: for example #order.total > 1000.", ex);
		}
		SpelNode node = expression.getAST();
		if (node instanceof Literal && !(node instanceof BooleanLiteral)) {
			throw this.target.invalid("has the " + this.attribute + " '" + text + "', which is neither true nor false",
					"Write an expression that compares something: for example #order.total > 1000.");
		}
		return compiled(text, List.of(new Part(node.toStringAST(), expression)));
	}

	private LockExpression compiled(String text, List<Part> parts) {
		LockKeyVariables variables = new LockKeyVariables(this.target, this.namedMethod, this.attribute, text,
				this.beanFactory);
		variables.check(parts);
		return new LockExpression(text, List.copyOf(parts), this.namedMethod, variables.argument(parts));
	}

	private String notValid(String text, Exception ex) {
		return "has the " + this.attribute + " '" + text + "', which is not a valid SpEL expression: "
				+ ((ex instanceof ParseException parse) ? parse.getSimpleMessage() : ex.getMessage());
	}

	private List<Expression> parseExpressions(String text) {
		boolean whole = (text.startsWith("#") && !text.startsWith("#{")) || text.startsWith("'");
		try {
			if (whole) {
				return List.of(parser.parseExpression(text));
			}
			Expression expression = parser.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
			List<Expression> expressions = (expression instanceof CompositeStringExpression composite)
					? List.of(composite.getExpressions()) : List.of(expression);
			checkText(text, expressions);
			return expressions;
		}
		catch (ParseException | IllegalStateException ex) {
			throw this.target.invalid(notValid(text, ex),
					whole ? "Correct it. What begins with # or ' is one whole expression; in text write "
							+ corrected(text) + "." : "Correct the expression inside #{...}.",
					ex);
		}
	}

	private void checkBeginning(String text) {
		String name = text.startsWith("@") ? "@" : text.startsWith("T(") ? "T" : null;
		if (name != null) {
			String expression = "#{" + (text.contains("#{") ? "..." : text) + "}";
			throw this.target.invalid("has the " + this.attribute + " '" + text
					+ "', which begins with @ or T( without a #{ before it, so that it would be taken for plain text",
					"Write " + expression + " for an expression, or #{'" + name + "'}" + text.substring(name.length())
							+ " for text.");
		}
	}

	private void checkText(String text, List<Expression> expressions) {
		checkBeginning(text);
		StringBuilder corrected = new StringBuilder();
		boolean stray = false;
		boolean brace = false;
		for (Expression expression : expressions) {
			String source = expression.getExpressionString();
			boolean spel = expression instanceof SpelExpression;
			stray |= !spel && source.contains("#");
			brace |= !spel && BRACE.matcher(source).find();
			corrected.append(spel ? "#{" + source + "}" : corrected(source));
		}
		if (stray) {
			throw this.target.invalid(
					"has the " + this.attribute + " '" + text + "', in which a # neither begins the " + this.attribute
							+ " nor stands before a {, so that it would be taken for plain text",
					"Write " + corrected + " instead.");
		}
		if (brace) {
			throw this.target.invalid(
					"has the " + this.attribute + " '" + text
							+ "', in which a { stands without a # before it, so that it would be taken for plain text",
					"Write " + corrected
							+ " instead. A brace that is meant as text is written as \\{, in the source of "
							+ "Java as \\\\{.");
		}
	}

	private static String corrected(String text) {
		String hashes = HASH.matcher(text).replaceAll((match) -> {
			String path = (match.group(1) != null) ? match.group(1) : match.group(2);
			return Matcher.quoteReplacement((path != null) ? "#{#" + path + "}" : "#{'#'}");
		});
		return BRACE.matcher(hashes).replaceAll((match) -> {
			boolean corrected = match.start() > 0 && hashes.charAt(match.start() - 1) == '#';
			String name = match.group(1);
			return Matcher.quoteReplacement(
					corrected ? match.group() : (name != null) ? "#{#" + name + "}" : "\\" + match.group());
		});
	}

	// A sum that begins with a text is text all the way, so its operands can be taken
	// apart without changing its value.
	private static void flatten(SpelNodeImpl node, List<Part> parts) {
		if (beginsWithText(node) && node instanceof OpPlus sum) {
			flatten(sum.getLeftOperand(), parts);
			flatten(sum.getRightOperand(), parts);
		}
		else {
			String text = node.toStringAST();
			parts.add(new Part(text, new SpelExpression(text, node, CONFIGURATION)));
		}
	}

	private static boolean beginsWithText(SpelNode node) {
		return node instanceof StringLiteral
				|| (node instanceof OpPlus && node.getChildCount() == 2 && beginsWithText(node.getChild(0)));
	}

}
