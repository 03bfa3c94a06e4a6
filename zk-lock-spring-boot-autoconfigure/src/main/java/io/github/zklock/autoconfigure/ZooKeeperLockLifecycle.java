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
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Starts and stops the locks of the application. It is destroyed after everything that
 * locks, executors included, and before the client is closed.
 */
class ZooKeeperLockLifecycle implements InitializingBean, SmartInitializingSingleton, DisposableBean {

	private final ZooKeeperConnectionWatch watch;

	private final ZkLockClientProperties properties;

	private final Duration shutdownGrace;

	private final Supplier<String> remark;

	private @Nullable Consumer<Duration> shutdown;

	ZooKeeperLockLifecycle(ZooKeeperConnectionWatch watch, ZkLockClientProperties properties, Duration shutdownGrace,
			Supplier<String> remark) {
		this.watch = watch;
		this.properties = properties;
		this.shutdownGrace = shutdownGrace;
		this.remark = remark;
	}

	/**
	 * Set the action for the shutdown.
	 * @param shutdown takes the time that holders of locks are given to finish
	 */
	void onShutdown(Consumer<Duration> shutdown) {
		this.shutdown = shutdown;
	}

	@Override
	public void afterPropertiesSet() throws InterruptedException {
		if (this.properties.isFailFast()) {
			this.watch.requireConnection(this.properties.getStartupTimeout());
		}
		else {
			this.watch.warnWithoutConnection(this.properties.getConnectionTimeout());
		}
	}

	// When all proxies are made.
	@Override
	public void afterSingletonsInstantiated() {
		this.watch.tellWhenAvailable(this.properties.getRoot(), this.remark.get());
	}

	@Override
	public void destroy() {
		this.watch.stop();
		if (this.shutdown != null) {
			this.shutdown.accept(this.shutdownGrace);
		}
	}

}
