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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that was processed ahead of time: prints what a guarded method returned.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties
@ImportAutoConfiguration({ ZkLockEmbeddedAutoConfiguration.class, ZkLockAutoConfiguration.class,
		ZkLockAopAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class })
public class AotApplication {

	/**
	 * Run it.
	 * @param args the properties, as {@code --name=value}
	 */
	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(AotApplication.class, args)) {
			System.out.println("Held: " + context.getBean(Desk.class).sell("a1"));
		}
	}

	@Bean
	Desk aotDesk() {
		return new Desk();
	}

	/**
	 * A bean with a guarded method.
	 */
	public static class Desk {

		/**
		 * Sell a seat.
		 * @param seat the seat
		 * @return the key under which that was done
		 */
		@DistributedLock("seat:#{#seat}")
		public @Nullable String sell(String seat) {
			return LockHandle.current().key();
		}

	}

}
