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

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.zookeeper.client.ConnectionDiagnosis;
import io.github.zklock.zookeeper.client.ServerProbe;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryForever;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often a server is asked why it cannot be used.
 */
class ConnectionDiagnosisTests {

	private static final Duration WAIT = Duration.ofSeconds(120);

	private static final String QUESTION = "srvr";

	private final AtomicInteger questions = new AtomicInteger();

	private final AtomicInteger attempts = new AtomicInteger();

	private volatile CountDownLatch answer = new CountDownLatch(0);

	private ServerSocket port;

	@BeforeEach
	void open() throws IOException {
		this.port = new ServerSocket(0);
		Thread acceptor = new Thread(this::accept, "port-without-server");
		acceptor.setDaemon(true);
		acceptor.start();
	}

	@AfterEach
	void close() throws IOException {
		this.port.close();
	}

	@Test
	void serverIsAskedOnceHoweverLongTheOutageIs() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
			.withPropertyValues("zk-lock.connect-string=127.0.0.1:" + this.port.getLocalPort())
			.run((context) -> {
				Awaitility.await().atMost(WAIT).until(() -> this.questions.get() == 1);
				int before = this.attempts.get();
				// The client tries once a second or less often.
				Awaitility.await().atMost(WAIT).until(() -> this.attempts.get() - before >= 6);
				assertThat(this.questions).hasValue(1);
				assertThat(context.getBean(CuratorFramework.class).getZookeeperClient().isConnected()).isFalse();
			});
	}

	@Test
	void answerThatComesAfterTheConnectionBelongsToTheOutageBefore() throws Exception {
		this.answer = new CountDownLatch(1);
		try (CuratorFramework client = CuratorFrameworkFactory.newClient("127.0.0.1:" + this.port.getLocalPort(),
				new RetryForever(1000));
				ConnectionDiagnosis diagnosis = new ConnectionDiagnosis(client,
						new ServerProbe("zk-lock.ssl.bundle", null))) {
			client.start();
			diagnosis.start();
			Awaitility.await().atMost(WAIT).until(() -> this.questions.get() == 1);
			diagnosis.stateChanged(client, ConnectionState.RECONNECTED);
			this.answer.countDown();
			Awaitility.await().atMost(WAIT).until(() -> this.questions.get() == 2);
		}
	}

	// Closes each connection: the client of ZooKeeper begins with other bytes.
	private void accept() {
		try {
			while (true) {
				try (Socket connection = this.port.accept()) {
					byte[] begin = connection.getInputStream().readNBytes(QUESTION.length());
					if (new String(begin, StandardCharsets.US_ASCII).equals(QUESTION)) {
						this.questions.incrementAndGet();
						this.answer.await();
					}
					else {
						this.attempts.incrementAndGet();
					}
				}
				catch (SocketException ex) {
					if (this.port.isClosed()) {
						return;
					}
				}
			}
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
