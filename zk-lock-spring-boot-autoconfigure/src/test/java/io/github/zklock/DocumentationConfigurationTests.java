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

package io.github.zklock;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilderFactory;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.docs.MarkdownPage;
import io.github.zklock.docs.MarkdownPage.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.xml.sax.InputSource;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the documentation shows of YAML, properties and XML is what Spring Boot, this
 * library and its build know.
 */
class DocumentationConfigurationTests {

	// Two files of Docker Compose, which DockerComposeContainerTests starts.
	private static final String COMPOSE = "services:\n";

	private static final String OVERRIDES = "zk-lock.locks.";

	private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");

	@ParameterizedTest
	@MethodSource("pages")
	void everyPropertyExistsAndThoseOfThisLibraryBind(MarkdownPage page) throws IOException {
		Map<String, String> known = known();
		assertThat(known).hasSizeGreaterThan(100);
		for (Block block : configuration(page)) {
			Map<String, Object> properties = load(block);
			assertThat(properties.keySet())
				.allMatch((name) -> known.keySet().stream().anyMatch((property) -> isOf(name, property, known)));
			// The names of locks have dots, which a map of the binder has not.
			Map<String, Object> overrides = new HashMap<>(properties);
			overrides.keySet().removeIf((name) -> !name.startsWith(OVERRIDES));
			properties.keySet().removeAll(overrides.keySet());
			overrides.forEach(
					(name, value) -> properties.put(OVERRIDES + "name" + name.substring(name.lastIndexOf('.')), value));
			new Binder(new MapConfigurationPropertySource(properties)).bind("zk-lock",
					Bindable.of(ZkLockProperties.class), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
		}
	}

	@Test
	void dependenciesAreThoseOfTheBuild() throws Exception {
		String pom = Files.readString(MarkdownPage.ROOT.resolve("pom.xml"));
		List<Block> blocks = MarkdownPage.all().stream().flatMap((page) -> page.blocks("xml").stream()).toList();
		assertThat(blocks).hasSizeGreaterThan(4);
		for (Block block : blocks) {
			DocumentBuilderFactory.newInstance()
				.newDocumentBuilder()
				.parse(new InputSource(new StringReader("<x>" + block.code() + "</x>")));
			for (MatchResult dependency : DEPENDENCY.matcher(block.code()).results().toList()) {
				assertThat(pom.contains(version(dependency.group(1)))).as(dependency.group()).isTrue();
			}
		}
	}

	// Without a version it is one that Spring Boot knows.
	private static String version(String dependency) {
		return dependency.contains("<version>") ? dependency.replaceAll("(?s).*<version>(.*)</version>.*", ">$1</")
				: "";
	}

	static List<MarkdownPage> pages() throws IOException {
		return MarkdownPage.all().stream().filter((page) -> !configuration(page).isEmpty()).toList();
	}

	private static List<Block> configuration(MarkdownPage page) {
		return page.blocks("yaml", "yml", "properties")
			.stream()
			.filter((block) -> !block.code().startsWith(COMPOSE))
			.toList();
	}

	private static Map<String, Object> load(Block block) throws IOException {
		ByteArrayResource code = new ByteArrayResource(block.code().getBytes(StandardCharsets.UTF_8));
		PropertySourceLoader loader = block.language().equals("properties") ? new PropertiesPropertySourceLoader()
				: new YamlPropertySourceLoader();
		Map<String, Object> properties = new HashMap<>();
		for (PropertySource<?> source : loader.load("snippet", code)) {
			for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
				properties.put(name, source.getProperty(name).toString());
			}
		}
		return properties;
	}

	private static boolean isOf(String name, String property, Map<String, String> known) {
		return name.equals(property)
				|| known.get(property).startsWith("java.util.Map") && name.startsWith(property + ".");
	}

	private static Map<String, String> known() throws IOException {
		Map<String, String> known = new HashMap<>();
		ClassLoader loader = DocumentationConfigurationTests.class.getClassLoader();
		for (URL metadata : Collections.list(loader.getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream json = metadata.openStream()) {
				List<Map<String, Object>> properties = JsonPath.parse(json).read("$.properties");
				properties.forEach((property) -> known.put((String) property.get("name"),
						(String) property.getOrDefault("type", "")));
			}
		}
		return known;
	}

}
