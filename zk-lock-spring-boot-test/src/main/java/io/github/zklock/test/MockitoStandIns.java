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

package io.github.zklock.test;

import io.github.zklock.interceptor.check.StandIns;
import org.mockito.Mockito;

import org.springframework.util.ClassUtils;

/**
 * Knows mocks and spies. An inline mock has the class of the bean, so only Mockito knows.
 */
final class MockitoStandIns implements StandIns {

	private static final boolean PRESENT = ClassUtils.isPresent("org.mockito.Mockito",
			MockitoStandIns.class.getClassLoader());

	@Override
	public boolean isStandIn(Object bean) {
		return PRESENT && Mockito.mockingDetails(bean).isMock();
	}

}
