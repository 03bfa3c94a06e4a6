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

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockTick;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A node in a JVM of its own, whose job has six shards. After a line on its standard
 * input, the first attempt at one of them does not end: before, nodes that are still
 * starting would leave the other shards of that tick to nobody.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@ImportAutoConfiguration({ LifecycleAutoConfiguration.class, ZkLockAutoConfiguration.class,
		ZkLockAopAutoConfiguration.class, ZkLockSchedulingAutoConfiguration.class })
public class ShardProcess {

	static final int SHARDS = 6;

	private static volatile Instant ready = Instant.MAX;

	public static void main(String[] args) {
		new SpringApplicationBuilder(ShardProcess.class).web(WebApplicationType.NONE).run(args);
		print("ready");
		try (Scanner input = new Scanner(System.in)) {
			while (input.hasNextLine()) {
				ready = Instant.parse(input.nextLine());
			}
		}
		// The test has ended.
		Runtime.getRuntime().halt(1);
	}

	@Value("${app.work:300ms}")
	Duration work;

	@Scheduled(cron = "${app.cron}", zone = "UTC")
	@OncePerTick(shards = "" + SHARDS, recoverWithin = "2h")
	@DistributedLock("reindex")
	void reindex() throws InterruptedException {
		LockTick tick = Objects.requireNonNull(LockTick.current(), "The run is no tick");
		String run = tick.shard() + " " + tick.time() + " " + tick.attempt();
		print("began " + run);
		if (tick.shard() == 2 && tick.attempt() == 1 && Objects.requireNonNull(tick.time()).isAfter(ready)) {
			print("hangs " + tick.time());
			new CountDownLatch(1).await();
		}
		TimeUnit.NANOSECONDS.sleep(this.work.toNanos());
		print("ended " + run);
	}

	private static void print(String line) {
		System.out.println(line);
		System.out.flush();
	}

}
