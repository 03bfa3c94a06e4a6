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

package io.github.zklock.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.transaction.internal.LockCommitListenerRegistrar;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Selects what {@code @EnableDistributedLocks} imports: all for which the libraries are
 * there.
 */
class EnabledLocks implements ImportSelector, BeanClassLoaderAware {

	private static final String TRANSACTIONS = "org.springframework.transaction.TransactionExecutionListener";

	private @Nullable ClassLoader classLoader;

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importingClassMetadata) {
		List<Class<?>> imports = new ArrayList<>(List.of(EnabledLocksRegistrar.class, EnabledLocksConfiguration.class,
				LockTemplateConfiguration.class, GuardedMethodConfiguration.class, ScheduledTickConfiguration.class,
				LeaderRoleConfiguration.class));
		if (arePresent(TRANSACTIONS)) {
			imports.add(LockCommitListenerRegistrar.class);
		}
		if (arePresent(TRANSACTIONS, "reactor.core.publisher.Mono")) {
			imports.add(ReactiveTransactionConfiguration.class);
		}
		if (arePresent(TRANSACTIONS, "org.springframework.jdbc.core.JdbcTemplate")) {
			imports.add(FencingConfiguration.class);
		}
		return imports.stream().map(Class::getName).toArray(String[]::new);
	}

	private boolean arePresent(String... types) {
		return Stream.of(types).allMatch((type) -> ClassUtils.isPresent(type, this.classLoader));
	}

}
