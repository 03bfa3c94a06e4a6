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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
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
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * A node in a JVM of its own, whose job comes to the end of a tick only at another
 * attempt.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@ImportAutoConfiguration({ LifecycleAutoConfiguration.class, ZkLockAutoConfiguration.class,
		ZkLockAopAutoConfiguration.class, ZkLockSchedulingAutoConfiguration.class })
public class RecoveryProcess {

	public static void main(String[] args) {
		print("library " + LockTick.class.getProtectionDomain().getCodeSource().getLocation());
		new SpringApplicationBuilder(RecoveryProcess.class).web(WebApplicationType.NONE).run(args);
		print("ready");
	}

	// Of a run; without it the first attempt does not end.
	@Value("${app.work:0s}")
	Duration work;

	// A file with the tick that kills its JVM.
	@Value("${app.crashes:none}")
	Path crashes;

	@Bean
	static ThreadPoolTaskScheduler taskScheduler(@Value("${app.clock-offset:0s}") Duration offset) {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setPoolSize(2);
		scheduler.setClock(Clock.offset(Clock.systemUTC(), offset));
		return scheduler;
	}

	@Scheduled(cron = "${app.cron}", zone = "UTC")
	@OncePerTick(recoverWithin = "2h")
	@DistributedLock("report")
	void report() throws Exception {
		LockTick tick = Objects.requireNonNull(LockTick.current(), "The run is no tick");
		print("began " + tick.time() + " " + tick.attempt());
		if (this.work.isZero() && tick.attempt() == 1) {
			print("hangs");
			new CountDownLatch(1).await();
		}
		print(tick, "began");
		if (Files.exists(this.crashes) && Files.readString(this.crashes).equals(String.valueOf(tick.time()))) {
			print(tick, "crashed");
			Runtime.getRuntime().halt(1);
		}
		try {
			TimeUnit.NANOSECONDS.sleep(this.work.toNanos());
			print(tick, "ended");
		}
		catch (InterruptedException ex) {
			print(tick, "was-interrupted");
			throw ex;
		}
	}

	private static void print(LockTick tick, String event) {
		print("run " + event + " " + tick.time() + " " + tick.attempt() + " " + Instant.now());
	}

	private static void print(String line) {
		System.out.println(line);
		System.out.flush();
	}

}
