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

package io.github.zklock.autoconfigure.leader;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.leader.LeaderRole;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.leader.LeadershipGranted;
import io.github.zklock.leader.LeadershipRevoked;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/**
 * A node in a JVM of its own, which prints what happens to its role.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ LifecycleAutoConfiguration.class, ZkLockAutoConfiguration.class,
		ZkLockLeaderAutoConfiguration.class })
public class LeaderProcess {

	public static void main(String[] args) {
		new SpringApplicationBuilder(LeaderProcess.class).web(WebApplicationType.NONE).run(args);
		print("ready");
	}

	@Bean
	Indexer indexer(LeaderRoles roles) {
		return new Indexer(roles);
	}

	@EventListener
	void granted(LeadershipGranted event) {
		print("granted " + event.fencingToken());
	}

	@EventListener
	void revoked(LeadershipRevoked event) {
		print("revoked " + event.reason() + (event.deadline().isZero() ? " late" : " in time"));
	}

	private static void print(String line) {
		System.out.println(line);
		System.out.flush();
	}

	@LeaderRole("indexer")
	static class Indexer implements Lifecycle {

		private final LeaderRoles roles;

		private volatile boolean running;

		Indexer(LeaderRoles roles) {
			this.roles = roles;
		}

		@Override
		public void start() {
			this.running = true;
			print("started");
		}

		@Override
		public void stop() {
			this.running = false;
			print("stopped " + this.roles.current("indexer").orElseThrow().fencingToken());
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
