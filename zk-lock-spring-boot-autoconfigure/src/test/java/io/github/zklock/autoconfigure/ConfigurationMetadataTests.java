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
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationMetadataTests {

	@Test
	void listsEveryPropertyWithADescription() throws Exception {
		assertThat(properties()).extracting((property) -> property.get("name"))
			.containsExactlyInAnyOrder("zk-lock.aop.order", "zk-lock.aop.validation", "zk-lock.connect-string",
					"zk-lock.connection-timeout", "zk-lock.default-wait", "zk-lock.enabled",
					"zk-lock.executors-depend-on-client", "zk-lock.fail-fast", "zk-lock.fairness", "zk-lock.instance",
					"zk-lock.lease.server-tick", "zk-lock.locks", "zk-lock.namespace", "zk-lock.release",
					"zk-lock.retry.base-sleep", "zk-lock.retry.max-retries", "zk-lock.retry.max-sleep", "zk-lock.root",
					"zk-lock.session-timeout", "zk-lock.shutdown-grace", "zk-lock.startup-timeout",
					"zk-lock.sync-before-try", "zk-lock.try-timeout");
		assertThat(properties()).allSatisfy((property) -> assertThat(property.get("description")).asString()
			.isNotBlank()
			.endsWith(".")
			.doesNotStartWith("The ")
			.doesNotStartWith("A "));
	}

	@Test
	void showsTheDefaults() throws Exception {
		assertThat(properties())
			.filteredOn((property) -> !List
				.of("zk-lock.instance", "zk-lock.locks", "zk-lock.namespace", "zk-lock.shutdown-grace")
				.contains(property.get("name")))
			.allSatisfy((property) -> assertThat(property).containsKey("defaultValue"));
		assertThat(properties()).filteredOn((property) -> "zk-lock.aop.order".equals(property.get("name")))
			.singleElement()
			.satisfies((property) -> assertThat(property).containsEntry("defaultValue",
					ZkLockAopProperties.DEFAULT_ORDER));
	}

	@Test
	void autoConfigurationsAreRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(ZkLockAutoConfiguration.class.getName(), ZkLockAopAutoConfiguration.class.getName());
	}

	private List<Map<String, Object>> properties() throws Exception {
		ClassLoader classLoader = getClass().getClassLoader();
		for (URL resource : Collections.list(classLoader.getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream content = resource.openStream()) {
				String json = new String(content.readAllBytes(), StandardCharsets.UTF_8);
				if (json.contains(ZkLockProperties.class.getName())) {
					return JsonPath.read(json, "$.properties[*]");
				}
			}
		}
		throw new AssertionError("No configuration metadata on the class path");
	}

}
