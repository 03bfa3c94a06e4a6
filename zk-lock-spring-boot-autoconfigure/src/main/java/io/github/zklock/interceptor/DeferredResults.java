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
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * Knows the methods whose work goes on after they have returned.
 */
final class DeferredResults {

	private static final Set<Class<?>> TYPES = Set.of(Future.class, CompletionStage.class, BaseStream.class,
			Callable.class, Flow.Publisher.class);

	// By name, since none of them has to be on the class path.
	private static final Set<String> TYPE_NAMES = Set.of("org.reactivestreams.Publisher",
			"kotlinx.coroutines.flow.Flow");

	private DeferredResults() {
	}

	static boolean isDeferred(Method method) {
		Class<?> type = method.getReturnType();
		return TYPES.stream().anyMatch((known) -> known.isAssignableFrom(type)) || isNamed(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	private static boolean isNamed(Class<?> type) {
		return TYPE_NAMES.contains(type.getName()) || ClassUtils.getAllInterfacesForClassAsSet(type)
			.stream()
			.map(Class::getName)
			.anyMatch(TYPE_NAMES::contains);
	}

}
