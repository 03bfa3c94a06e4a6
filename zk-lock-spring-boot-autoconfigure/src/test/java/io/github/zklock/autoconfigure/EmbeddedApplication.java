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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * An application with an embedded server that takes a lock and has nothing else to do.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ ZkLockEmbeddedAutoConfiguration.class, ZkLockAutoConfiguration.class })
public class EmbeddedApplication {

	/**
	 * Run it; the context is closed when the JVM ends.
	 * @param args more properties, as {@code --name=value}
	 */
	public static void main(String[] args) {
		LockOperations locks = new SpringApplication(EmbeddedApplication.class).run("--zk-lock.embedded.enabled=true")
			.getBean(LockOperations.class);
		System.out
			.println("Held: " + locks.execute(LockRequest.of("a").withWait(LockRequest.FOREVER), LockHandle::key));
	}

}
