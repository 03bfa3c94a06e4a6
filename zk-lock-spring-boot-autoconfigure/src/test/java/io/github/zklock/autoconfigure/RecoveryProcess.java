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

import java.util.Objects;
import java.util.concurrent.CountDownLatch;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockTick;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A node in a JVM of its own, whose job comes to the end of a tick only at another
 * attempt.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@ImportAutoConfiguration({ ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
		ZkLockSchedulingAutoConfiguration.class })
public class RecoveryProcess {

	public static void main(String[] args) {
		new SpringApplicationBuilder(RecoveryProcess.class).web(WebApplicationType.NONE).run(args);
		print("ready");
	}

	@Scheduled(cron = "${app.cron}", zone = "UTC")
	@OncePerTick(recoverWithin = "2h")
	@DistributedLock("report")
	void report() throws InterruptedException {
		LockTick tick = Objects.requireNonNull(LockTick.current(), "The run is no tick");
		print("began " + tick.time() + " " + tick.attempt());
		if (tick.attempt() == 1) {
			print("hangs");
			new CountDownLatch(1).await();
		}
	}

	private static void print(String line) {
		System.out.println(line);
		System.out.flush();
	}

}
