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

package io.github.zklock.interceptor.check;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * Returns what the start-up check finds of a bean that calls itself.
 */
public class CheckWithoutAsm implements Callable<List<String>> {

	@Override
	public List<String> call() {
		LockOperationSource source = new AnnotationLockOperationSource(TestLockSettings::new, () -> (text) -> text);
		List<String> findings = new ArrayList<>();
		new LockedBean(new DefaultListableBeanFactory(), source, "bean", SelfInvocationBeans.Unqualified.class)
			.check((operation) -> {
			}, (finding) -> findings.add(finding.getMessage()));
		return findings;
	}

}
