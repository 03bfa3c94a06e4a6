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

package io.github.zklock.libraries;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.libraries.PayoutWorker.Bank;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A worker that claims rows: its claim ends with its lock.
 */
@Tag("server")
class PayoutWorkerTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void nextWorkerTakesTheOpenRowsOfOneThatIsLostAndItsLateWriteIsRefused() {
		try (Node late = start(); Node next = start()) {
			JdbcClient jdbc = late.bean(JdbcClient.class);
			for (int id = 1; id <= 3; id++) {
				jdbc.sql("insert into payout values (?, 7, 'OPEN', 0)").param(id).update();
			}
			late.bean(Payments.class).pause = () -> {
				server.killSession(late.session());
				CompletableFuture.runAsync(() -> next.bean(PayoutWorker.class).work(7, 0)).join();
			};
			assertThatExceptionOfType(OptimisticLockingFailureException.class)
				.isThrownBy(() -> late.bean(PayoutWorker.class).work(7, 0))
				.withMessage("A later worker has claimed payout 2");
			assertThat(late.bean(Payments.class).ids).containsExactly(1L, 2L);
			assertThat(next.bean(Payments.class).ids).as("the second one again").containsExactly(2L, 3L);
			assertThat(jdbc.sql("select state from payout").query(String.class).list()).containsOnly("DONE");
		}
	}

	private static Node start() {
		return Node.start(Application.class, server.connectString(), "jdbc:h2:mem:payouts;DB_CLOSE_DELAY=-1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ PayoutWorker.class, Payments.class })
	static class Application {

	}

	static class Payments implements Bank {

		final List<Long> ids = new CopyOnWriteArrayList<>();

		Node.Job pause = () -> {
		};

		@Override
		public void pay(long id) {
			this.ids.add(id);
			if (id == 2) {
				Node.task(this.pause).run();
			}
		}

	}

}
