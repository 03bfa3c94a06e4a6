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
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application that was processed ahead of time: prints what a guarded method returned.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties
@Import(OrderLocksConfiguration.class)
@ImportAutoConfiguration({ ZkLockEmbeddedAutoConfiguration.class, ZkLockAutoConfiguration.class,
		ZkLockAopAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class })
public class AotApplication {

	/**
	 * Run it.
	 * @param args the properties, as {@code --name=value}
	 */
	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(AotApplication.class, args)) {
			Desk desk = context.getBean(Desk.class);
			System.out.println("Held: " + desk.sell("a1"));
			System.out.println("Held by orders: " + desk.order("o1"));
		}
	}

	@Bean
	Desk aotDesk(@Qualifier("ordersLocks") ObjectProvider<ZooKeeperLockProvider> orders,
			ObjectProvider<LockProvider> byDefault) {
		return new Desk(orders, byDefault);
	}

	/**
	 * A bean with a guarded method.
	 */
	public static class Desk {

		private final ObjectProvider<? extends LockProvider> orders;

		private final ObjectProvider<LockProvider> byDefault;

		Desk(ObjectProvider<? extends LockProvider> orders, ObjectProvider<LockProvider> byDefault) {
			this.orders = orders;
			this.byDefault = byDefault;
		}

		/**
		 * Take an order.
		 * @param order the order
		 * @return how many locks are held meanwhile on each ensemble
		 */
		@DistributedLock(key = "order:#{#order}", provider = "ordersLocks")
		public @Nullable String order(String order) {
			return held(this.orders) + " of orders, " + held(this.byDefault) + " of the default provider";
		}

		private static int held(ObjectProvider<? extends LockProvider> provider) {
			return ((ZooKeeperLockProvider) provider.getObject()).heldLocks();
		}

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
