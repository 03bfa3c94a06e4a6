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

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.observation.LockObservationDocumentation;
import io.github.zklock.observation.LockObservationDocumentation.HighCardinality;
import io.github.zklock.observation.LockObservationDocumentation.LowCardinality;
import io.github.zklock.observation.ObservationReference;
import io.github.zklock.support.ProjectModules;
import io.micrometer.common.docs.KeyName;
import org.junit.jupiter.api.Test;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page that lists all that a user can set, is told and can see: it is made of the
 * metadata of the properties, and of the annotations, the listener, the meters and the
 * observations themselves.
 */
class ReferencePageTests {

	private static final Path PAGE = Path.of("..", "docs", "reference.md");

	private static final String REWRITE = "zk-lock.docs.rewrite";

	private static final String INTRODUCTION = """
			# Reference

			All properties, attributes, events, metrics and spans, as the code has them: this page is made by `ReferencePageTests`.
			""";

	// The name and the Javadoc before it; between both stand annotations, modifiers and a
	// type.
	private static final Pattern METHOD = Pattern.compile(
			"/\\*\\*((?:(?!\\*/).)*)\\*/\\s+(?:@\\w+(?:\\([^)]*\\))?\\s+)*[\\w<>\\[\\], @]+? (\\w+)\\(",
			Pattern.DOTALL);

	private static final Pattern CONSTANT = Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s+([A-Z_]+)\\b",
			Pattern.DOTALL);

	@Test
	void pageListsWhatThereIs() throws IOException {
		String page = page();
		if (Boolean.getBoolean(REWRITE)) {
			Files.writeString(PAGE, page);
		}
		assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
			.as("docs/reference.md has to be made again: mvn -pl zk-lock-spring-boot-autoconfigure -am test "
					+ "-Dtest=ReferencePageTests -D" + REWRITE + "=true")
			.isEqualTo(page);
	}

	@Test
	void everythingIsDescribed() throws IOException {
		assertThat(page().lines().filter((line) -> line.startsWith("| `"))).hasSizeGreaterThan(40)
			.noneMatch((line) -> line.contains("|  |") || line.contains("null"));
	}

	@Test
	void everyMeterThatTheCodeNamesIsListed() throws Exception {
		assertThat(ObservationReference.meters().keySet())
			.containsExactlyInAnyOrderElementsOf(ObservationReference.names());
	}

	@Test
	void everyEventIsListed() throws IOException {
		assertThat(sentences(LockListener.class)).containsOnlyKeys(
				Arrays.stream(LockListener.class.getMethods()).map(Method::getName).toArray(String[]::new));
	}

	private static String page() throws IOException {
		return Stream
			.of(INTRODUCTION, properties(), attributes(DistributedLock.class), attributes(OncePerTick.class),
					attributes(Fenced.class), attributes(FencingToken.class), events(), metrics(), spans(), keys())
			.filter((section) -> !section.isEmpty())
			.collect(Collectors.joining("\n"));
	}

	// Without those that Spring Boot has replaced: with enabled=true, its "default", an
	// endpoint does not only read.
	private static String properties() throws IOException {
		String metadata = Files
			.readString(Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json"));
		List<Map<String, Object>> properties = JsonPath.read(metadata, "$.properties");
		return table("Properties", "property | type | default | meaning",
				properties.stream()
					.filter((property) -> !property.containsKey("deprecation"))
					.sorted(Comparator.comparing((Map<String, Object> property) -> (String) property.get("name")))
					.map((property) -> row(code(property.get("name")), type((String) property.get("type")),
							value(property.get("defaultValue")), text((String) property.get("description")))));
	}

	private static String attributes(Class<? extends Annotation> annotation) throws IOException {
		Map<String, String> sentences = sentences(annotation);
		Map<String, Method> attributes = Arrays.stream(annotation.getDeclaredMethods())
			.collect(Collectors.toMap(Method::getName, (method) -> method));
		return attributes.isEmpty() ? ""
				: table("`@" + annotation.getSimpleName() + "`", "attribute | type | default | meaning",
						sentences.keySet()
							.stream()
							.filter(attributes::containsKey)
							.map((name) -> row(code(name), type(attributes.get(name).getReturnType().getName()),
									value(attributes.get(name).getDefaultValue()), sentences.get(name))));
	}

	private static String events() throws IOException {
		Map<String, String> sentences = sentences(LockListener.class);
		return table("Events of a `LockListener`", "method | when it is called",
				sentences.entrySet().stream().map((event) -> row(code(event.getKey()), event.getValue())));
	}

	private static String metrics() {
		return table("Metrics", "meter | type | unit | tags | meaning",
				ObservationReference.meters()
					.values()
					.stream()
					.map((meter) -> row(code(meter.getName()), meter.getType().name().toLowerCase(Locale.ROOT),
							Objects.requireNonNullElse(meter.getBaseUnit(), "none"),
							meter.getTags().isEmpty() ? "none"
									: meter.getTags()
										.stream()
										.map((tag) -> code(tag.getKey()))
										.collect(Collectors.joining(", ")),
							meter.getDescription() + ".")));
	}

	private static String spans() throws IOException {
		Map<String, String> sentences = sentences(LockObservationDocumentation.class, CONSTANT);
		return table("Spans", "observation | name of the span | meaning",
				Arrays.stream(LockObservationDocumentation.values()).map((observation) -> {
					List<String> names = ObservationReference.span(observation);
					return row(code(names.get(0)), code(names.get(1)), sentences.get(observation.name()));
				}));
	}

	private static String keys() throws IOException {
		Map<String, String> sentences = sentences(LockObservationDocumentation.class, CONSTANT);
		return table("Keys of spans", "key | values | meaning",
				Stream.concat(keys(LowCardinality.values(), "few", sentences),
						keys(HighCardinality.values(), "any number", sentences)));
	}

	private static <E extends Enum<E> & KeyName> Stream<String> keys(E[] keys, String values,
			Map<String, String> sentences) {
		return Arrays.stream(keys).map((key) -> row(code(key.asString()), values, sentences.get(key.name())));
	}

	private static Map<String, String> sentences(Class<?> type) throws IOException {
		return sentences(type, METHOD);
	}

	private static Map<String, String> sentences(Class<?> type, Pattern member) throws IOException {
		String source = Files
			.readString(ProjectModules.find("src/main/java/" + type.getName().replace('.', '/') + ".java"));
		Map<String, String> sentences = new LinkedHashMap<>();
		for (Matcher found = member.matcher(source); found.find();) {
			String javadoc = found.group(1).replaceAll("\\s*\\n\\s*\\* ?", " ").strip();
			sentences.put(found.group(2), text(javadoc.split("(?<=[.:])\\s|<(p|ul)>|@(param|return)")[0]));
		}
		return sentences;
	}

	private static String table(String title, String columns, Stream<String> rows) {
		return "## " + title + "\n\n| " + columns + " |\n" + columns.replaceAll("[^|]+", "---").replaceAll("^|$", "|")
				+ "\n" + rows.collect(Collectors.joining());
	}

	private static String row(String... cells) {
		return Arrays.stream(cells).collect(Collectors.joining(" | ", "| ", " |\n"));
	}

	private static String type(String name) {
		String plain = name.replaceAll("[\\w.]+\\.", "").replace('$', '.');
		return code((name.startsWith("[")) ? ClassUtils.getShortName(name) : plain);
	}

	private static String value(Object value) {
		if (value == null) {
			return "none";
		}
		if (value instanceof Object[] values) {
			return code(Arrays.toString(values));
		}
		return "".equals(value) ? "`\"\"`" : code(value);
	}

	private static String code(Object text) {
		return "`" + text + "`";
	}

	private static String text(String javadoc) {
		return javadoc.replaceAll("\\{@(?:code|link|linkplain|value) #?([^}]*)}", "`$1`")
			.replaceAll("<code>(.*?)</code>", "`$1`")
			.replaceAll(":$", ".")
			.replace("|", "\\|")
			.strip();
	}

}
