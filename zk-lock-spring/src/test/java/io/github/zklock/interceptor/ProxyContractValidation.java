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

import java.lang.reflect.Proxy;
import java.util.Set;

import io.github.zklock.annotation.DistributedLock;
import jakarta.validation.Validator;
import jakarta.validation.executable.ExecutableValidator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

/**
 * The validation of arguments around a guarded method, by a validator that only tells of
 * it.
 */
final class ProxyContractValidation {

	private ProxyContractValidation() {
	}

	private static ObjectProvider<Validator> provider(ObjectProvider<LockEvents> events) {
		return new ObjectProvider<>() {

			@Override
			public Validator getObject() {
				return validator(events.getObject());
			}

		};
	}

	private static Validator validator(LockEvents events) {
		ClassLoader loader = ProxyContractValidation.class.getClassLoader();
		Object executables = Proxy.newProxyInstance(loader, new Class<?>[] { ExecutableValidator.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("validateParameters")) {
						events.add("validation");
					}
					return Set.of();
				});
		return (Validator) Proxy.newProxyInstance(loader, new Class<?>[] { Validator.class },
				(proxy, method, arguments) -> method.getName().equals("forExecutables") ? executables : null);
	}

	interface Checked {

		void validated();

	}

	@Import(CheckedBean.class)
	static class Default {

		@Bean
		static MethodValidationPostProcessor validation(ObjectProvider<LockEvents> events) {
			MethodValidationPostProcessor validation = new MethodValidationPostProcessor();
			validation.setValidatorProvider(provider(events));
			return validation;
		}

	}

	@Import(CheckedBean.class)
	static class Outside {

		@Bean
		static MethodValidationPostProcessor validation(ObjectProvider<LockEvents> events) {
			MethodValidationPostProcessor validation = Default.validation(events);
			validation.setBeforeExistingAdvisors(true);
			return validation;
		}

	}

	@Validated
	static class CheckedBean implements Checked {

		private final LockEvents events;

		CheckedBean(LockEvents events) {
			this.events = events;
		}

		@Override
		@DistributedLock("validated")
		public void validated() {
			this.events.add("body");
		}

	}

}
