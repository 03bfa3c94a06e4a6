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

package io.github.zklock.autoconfigure.health;

import java.util.Map;
import java.util.stream.Stream;

import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The health that an application shows. Its types differ between the lines of Spring
 * Boot.
 */
public record ApplicationHealth(String status, Map<String, Object> details) {

	private static final String BOOT_3 = "org.springframework.boot.actuate.autoconfigure.";

	private static final String BOOT_4 = "org.springframework.boot.health.autoconfigure.";

	private static final boolean BOOT_3_IS_USED = ClassUtils
		.isPresent(BOOT_3 + "health.HealthEndpointAutoConfiguration", null);

	public static AutoConfigurations locks() {
		return AutoConfigurations.of(ClassUtils.resolveClassName("io.github.zklock.autoconfigure.health."
				+ (BOOT_3_IS_USED ? "ZkLockHealthAutoConfiguration" : "ZkLockHealthContributorAutoConfiguration"),
				null));
	}

	public static AutoConfigurations actuator() {
		Stream<String> names = BOOT_3_IS_USED
				? Stream.of(BOOT_3 + "health.HealthContributorAutoConfiguration",
						BOOT_3 + "health.HealthEndpointAutoConfiguration",
						BOOT_3 + "availability.AvailabilityHealthContributorAutoConfiguration")
				: Stream.of(BOOT_4 + "registry.HealthContributorRegistryAutoConfiguration",
						BOOT_4 + "contributor.HealthContributorAutoConfiguration",
						BOOT_4 + "actuate.endpoint.HealthEndpointAutoConfiguration",
						BOOT_4 + "application.AvailabilityHealthContributorAutoConfiguration");
		return AutoConfigurations
			.of(names.map((name) -> ClassUtils.resolveClassName(name, null)).toArray(Class<?>[]::new));
	}

	@SuppressWarnings("unchecked")
	public static ApplicationHealth of(ApplicationContext context, String... path) {
		Object endpoint = context.getBean("healthEndpoint");
		Object health = ReflectionUtils.invokeMethod(
				ReflectionUtils.findMethod(endpoint.getClass(), "healthForPath", String[].class), endpoint,
				(Object) path);
		var properties = PropertyAccessorFactory.forBeanPropertyAccess(health);
		return new ApplicationHealth((String) properties.getPropertyValue("status.code"),
				properties.isReadableProperty("details") ? (Map<String, Object>) properties.getPropertyValue("details")
						: Map.of());
	}

}
