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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.scheduling.ScheduledRun;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spring Modulith: one node submits incomplete publications again.
 */
@Tag("server")
class EventResubmissionTests {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	private static final String URL = "jdbc:h2:mem:events;DB_CLOSE_DELAY=-1";

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void oneNodeSubmitsIncompletePublicationsAgain() {
		try (Node one = start(); Node two = start()) {
			publish(one, new OrderShipped(42));
			await(one, 1);
			JdbcClient jdbc = one.bean(JdbcClient.class);
			assertThat(incomplete(jdbc)).isOne();
			jdbc.sql("update event_publication set publication_date = dateadd(hour, -1, publication_date)").update();
			one.bean(Mail.class).repair();
			two.bean(Mail.class).repair();
			ScheduledRun.callEvery(PERIOD, two.bean(EventResubmission.class)::resubmit);
			ScheduledRun.callEvery(PERIOD, one.bean(EventResubmission.class)::resubmit);
			await(two, 1);
			Awaitility.await().atMost(Node.PATIENCE).until(() -> incomplete(jdbc) == 0);
			assertThat(one.bean(Mail.class).orders()).as("the first attempt").hasSize(1);
			assertThat(two.bean(Mail.class).orders()).hasSize(1);
		}
	}

	private static Node start() {
		return Node.start(Application.class, server.connectString(), URL);
	}

	private static void publish(Node node, Object event) {
		new TransactionTemplate(node.bean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> node.publisher().publishEvent(event));
	}

	private static void await(Node node, int orders) {
		Awaitility.await().atMost(Node.PATIENCE).until(() -> node.bean(Mail.class).orders().size() == orders);
	}

	private static long incomplete(JdbcClient jdbc) {
		return jdbc.sql("select count(*) from event_publication where completion_date is null")
			.query(Long.class)
			.single();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ EventResubmission.class, Mail.class })
	static class Application {

	}

	record OrderShipped(long id) {

	}

	static class Mail {

		private final List<Long> orders = new CopyOnWriteArrayList<>();

		private volatile boolean works;

		List<Long> orders() {
			return this.orders;
		}

		void repair() {
			this.works = true;
		}

		@ApplicationModuleListener
		void send(OrderShipped event) {
			this.orders.add(event.id());
			if (!this.works) {
				throw new IllegalStateException("The mail server is down");
			}
		}

	}

}
