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

package io.github.zklock.sample;

import java.io.PrintStream;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import io.github.zklock.autoconfigure.ZkLockEmbeddedAutoConfiguration;
import io.github.zklock.sample.console.ConsoleConfiguration;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Several nodes of one application in one process: each an application context of its
 * own, with its own ZooKeeper session and its own HTTP port. They share the ZooKeeper
 * server of this context unless {@code zk-lock.embedded.enabled} is {@code false}.
 *
 * @since 0.1.0
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableConfigurationProperties(SampleProperties.class)
@Import(ConsoleConfiguration.class)
@ImportAutoConfiguration(ZkLockEmbeddedAutoConfiguration.class)
public class SampleApplication {

	/**
	 * Start the application.
	 * @param args properties as {@code --name=value}
	 */
	public static void main(String[] args) {
		start(args);
	}

	/**
	 * Start the application and return the parent context of its nodes.
	 * @param args properties as {@code --name=value}
	 * @return the context, which closes all nodes when it is closed
	 */
	static ConfigurableApplicationContext start(String... args) {
		return new SpringApplicationBuilder(SampleApplication.class).web(WebApplicationType.NONE)
			.banner(SampleApplication::announce)
			.run(args);
	}

	private static void announce(Environment environment, @Nullable Class<?> source, PrintStream out) {
		String nodes = environment.getProperty("sample.nodes", "3");
		out.println((nodes.equals("1") ? "A node of an application starts" : nodes + " nodes of one application start")
				+ " now. Then each line shows a node, the key that it has locked, the mode, what it does, and its fencing token.");
	}

	@Bean
	SampleCluster cluster(ConfigurableApplicationContext context, SampleProperties properties,
			ObjectProvider<ZkLockConnectionDetails> embedded) {
		return new SampleCluster(context, properties, embedded.getIfAvailable());
	}

}
