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

import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationMetadataTests {

	@Test
	void listsEveryPropertyWithADescription() throws Exception {
		assertThat(properties()).extracting((property) -> property.get("name"))
			.containsExactlyInAnyOrder("management.endpoint.zkjobs.access",
					"management.endpoint.zkjobs.cache.time-to-live", "management.endpoint.zkjobs.enabled",
					"management.endpoint.zklocks.access", "management.endpoint.zklocks.cache.time-to-live",
					"management.endpoint.zklocks.enabled", "management.health.zklock.enabled", "zk-lock.aop.order",
					"zk-lock.aop.validation", "zk-lock.auth.digest.password", "zk-lock.auth.digest.username",
					"zk-lock.auth.sasl.jaas-entry", "zk-lock.auth.sasl.login-module", "zk-lock.auth.sasl.options",
					"zk-lock.commit-wait", "zk-lock.connect-string", "zk-lock.connection-timeout",
					"zk-lock.default-wait", "zk-lock.embedded.data-dir", "zk-lock.embedded.enabled",
					"zk-lock.embedded.port", "zk-lock.enabled", "zk-lock.endpoint.revoke",
					"zk-lock.executors-depend-on-client", "zk-lock.fail-fast", "zk-lock.fairness",
					"zk-lock.fencing.check-sql", "zk-lock.fencing.data-source", "zk-lock.fencing.initialize-schema",
					"zk-lock.fencing.timeout", "zk-lock.key-digest-secret", "zk-lock.key-in-spans",
					"zk-lock.leader.follow-readiness", "zk-lock.leader.roles", "zk-lock.lease.server-tick",
					"zk-lock.locks", "zk-lock.namespace", "zk-lock.outage-fail-fast", "zk-lock.owner-data",
					"zk-lock.await-release", "zk-lock.root", "zk-lock.session-timeout", "zk-lock.ssl.bundle",
					"zk-lock.startup-timeout", "zk-lock.try-timeout");
		assertThat(properties()).allSatisfy((property) -> assertThat(property.get("description")).asString()
			.isNotBlank()
			.endsWith(".")
			.doesNotStartWith("The ")
			.doesNotStartWith("A "));
	}

	// Tests that only bind values, or refuse bad ones, show no effect.
	@Test
	void everyPropertyIsSetByATestOfItsEffect() throws Exception {
		List<String> others = List.of("BadPropertyValueTests.java", "ZkLockPropertiesTests.java",
				"SanitizingConfigurationTests.java");
		StringBuilder tests = new StringBuilder();
		try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
				tests.append(others.contains(file.getFileName().toString()) ? "" : Files.readString(file));
			}
		}
		assertThat(ours()).allSatisfy((property) -> assertThat(tests.toString()).as(property.get("name").toString())
			.containsPattern(Pattern.quote(property.get("name").toString()) + "[.=]"));
	}

	@Test
	void showsTheDefaults() throws Exception {
		assertThat(ours())
			.filteredOn(
					(property) -> !List
						.of("zk-lock.auth.digest.password", "zk-lock.auth.digest.username",
								"zk-lock.auth.sasl.jaas-entry", "zk-lock.auth.sasl.options", "zk-lock.commit-wait",
								"zk-lock.embedded.data-dir", "zk-lock.fencing.check-sql", "zk-lock.fencing.data-source",
								"zk-lock.key-digest-secret", "zk-lock.leader.roles", "zk-lock.locks",
								"zk-lock.namespace", "zk-lock.outage-fail-fast", "zk-lock.ssl.bundle")
						.contains(property.get("name")))
			.allSatisfy((property) -> assertThat(property).containsKey("defaultValue"));
		assertThat(properties()).filteredOn((property) -> "zk-lock.aop.order".equals(property.get("name")))
			.singleElement()
			.satisfies((property) -> assertThat(property).containsEntry("defaultValue",
					ZkLockProperties.Aop.DEFAULT_ORDER));
	}

	@Test
	void hintsAreAboutPropertiesThatExist() throws Exception {
		assertThat(read("$.hints[*].name")).doesNotHaveDuplicates()
			.allSatisfy((name) -> assertThat(properties()).extracting((property) -> property.get("name"))
				.contains(String.valueOf(name).replaceAll("\\.keys$", "")));
	}

	@Test
	void everyChoiceIsHintedWithADescription() throws Exception {
		for (Map<String, Object> property : ours()) {
			Class<?> type = ClassUtils.resolveClassName(withoutParameters(property), null);
			if (type.isEnum()) {
				assertThat(hints(property)).extracting((value) -> value.get("value"))
					.containsExactlyElementsOf(Arrays.stream(type.getEnumConstants())
						.map((constant) -> constant.toString().toLowerCase(Locale.ROOT))
						.toList());
				assertThat(hints(property))
					.allSatisfy((value) -> assertThat(value.get("description")).asString().endsWith("."));
			}
		}
	}

	@Test
	void durationsAreHintedByValuesThatAreAllowed() throws Exception {
		ApplicationContextRunner contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
			.withBean(InMemoryLockProvider.class);
		for (Map<String, Object> property : ours()) {
			if (Duration.class.getName().equals(property.get("type"))) {
				List<Map<String, Object>> hints = hints(property);
				assertThat(hints).as(property.get("name").toString()).isNotEmpty();
				if (property.containsKey("defaultValue")) {
					assertThat(hints).extracting((value) -> value.get("value")).contains(property.get("defaultValue"));
				}
				String[] pairs = hints.stream()
					.map((value) -> property.get("name") + "=" + value.get("value"))
					.toArray(String[]::new);
				for (String pair : pairs) {
					contextRunner.withPropertyValues(pair)
						.run((context) -> assertThat(context).as(pair).hasNotFailed());
				}
			}
		}
	}

	// Tools look up what is below a map in its class; a reader of the description cannot.
	@Test
	void overridesOfALockAreListedAndTakeAnyName() throws Exception {
		String description = String.valueOf(read("$.properties[?(@.name == 'zk-lock.locks')].description").get(0));
		assertThat(description).contains("wait");
		for (RecordComponent property : ZkLockProperties.Lock.class.getRecordComponents()) {
			assertThat(property.getName().equals("maxWait")
					|| description.contains(DataObjectPropertyName.toDashedForm(property.getName())))
				.as(property.getName())
				.isTrue();
		}
		assertThat(description).contains("forever");
		assertThat(read("$.hints[?(@.name == 'zk-lock.locks.keys')].providers[*].name")).containsExactly("any");
	}

	@Test
	void autoConfigurationsAreRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(ZkLockAutoConfiguration.class.getName(), ZkLockAopAutoConfiguration.class.getName());
	}

	// Not those that Spring Boot has for every endpoint.
	private List<Map<String, Object>> ours() throws Exception {
		return properties().stream()
			.filter((property) -> property.get("name").toString().startsWith("zk-lock."))
			.toList();
	}

	private List<Map<String, Object>> properties() throws Exception {
		return read("$.properties[*]");
	}

	private List<Map<String, Object>> hints(Map<String, Object> property) throws Exception {
		return read("$.hints[?(@.name == '" + property.get("name") + "')].values[*]");
	}

	private static String withoutParameters(Map<String, Object> property) {
		return property.get("type").toString().replaceAll("<.*", "");
	}

	private <T> List<T> read(String path) throws Exception {
		ClassLoader classLoader = getClass().getClassLoader();
		for (URL resource : Collections.list(classLoader.getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream content = resource.openStream()) {
				String json = new String(content.readAllBytes(), StandardCharsets.UTF_8);
				if (json.contains(ZkLockProperties.class.getName())) {
					return JsonPath.read(json, path);
				}
			}
		}
		throw new AssertionError("No configuration metadata on the class path");
	}

}
