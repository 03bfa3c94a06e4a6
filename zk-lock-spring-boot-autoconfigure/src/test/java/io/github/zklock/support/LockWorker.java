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

package io.github.zklock.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.LockProvider;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/**
 * An application with locks in a JVM of its own, driven through its standard input by
 * {@link WorkerProcess}: each line is a command, each answer a line.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class })
public class LockWorker {

	private static final Map<String, LockHandle> handles = new ConcurrentHashMap<>();

	private final CountDownLatch closing = new CountDownLatch(1);

	public static void main(String[] args) throws IOException {
		ConfigurableApplicationContext context = SpringApplication.run(LockWorker.class, args);
		LockProvider locks = context.getBean(LockProvider.class);
		answer("ready");
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = commands.readLine(); line != null; line = commands.readLine()) {
			String[] command = line.split(" ");
			if (command[0].equals("run")) {
				new Thread(() -> context.getBean(LockWorker.class).run(command[1])).start();
			}
			else {
				answer(obey(locks, command));
			}
		}
		// The parent is gone.
		Runtime.getRuntime().halt(1);
	}

	private static String obey(LockProvider locks, String[] command) {
		String key = command[1];
		try {
			return switch (command[0]) {
				case "acquire" -> {
					LockRequest request = LockRequest.of(key).withWait(Duration.ofMillis(Long.parseLong(command[2])));
					LockHandle handle = locks.acquire((command.length > 3)
							? request.withLockAtLeastFor(Duration.ofMillis(Long.parseLong(command[3]))) : request);
					handles.put(key, handle);
					yield "acquired " + handle.fencingToken();
				}
				case "tick" -> {
					LockTick tick = LockTick.at(command[2], Instant.parse(command[3]));
					LockHandle handle = locks.acquire(LockRequest.of(key).withWait(LockRequest.FOREVER).withTick(tick));
					handles.put(key, handle);
					yield "acquired " + handle.fencingToken();
				}
				case "release" -> {
					handles.remove(key).release();
					yield "released";
				}
				case "state" -> handles.get(key).state().toString();
				default -> throw new IllegalArgumentException(command[0]);
			};
		}
		catch (LockException ex) {
			return ex.getClass().getSimpleName();
		}
	}

	/**
	 * A job that does not end before the application does.
	 * @param key the key of its lock
	 */
	@DistributedLock("#key")
	public void run(String key) {
		answer("running " + LockHandle.current().fencingToken());
		try {
			this.closing.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@EventListener(ContextClosedEvent.class)
	void stop() {
		this.closing.countDown();
	}

	// Not to be taken for something that the JVM or a logger prints.
	private static void answer(String text) {
		System.out.println(WorkerProcess.PREFIX + text);
		System.out.flush();
	}

}
