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

package io.github.zklock.benchmarks.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ServerProcess;
import org.awaitility.Awaitility;

import org.springframework.util.FileSystemUtils;

/**
 * A server and the nodes of a job, each of which has a network of its own to the server.
 */
final class JobCluster implements AutoCloseable {

	private static final int NODES = 3;

	// As long as all nodes need to start on a machine with little to do.
	private static final int START_SECONDS = 10;

	private static final long LONGEST_START = TimeUnit.SECONDS.toNanos(9);

	// Those that start at once would keep each other waiting.
	private static final Lock STARTING = new ReentrantLock(true);

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private final ServerProcess server = new ServerProcess();

	private final Map<JavaProcess, FaultProxy> nodes = new ConcurrentHashMap<>();

	private final JobPeer peer;

	private final Path directory;

	private final JobPlan plan;

	/**
	 * Start the server and three nodes.
	 * @param peer what runs the job
	 * @param period the time between two planned times
	 * @param work how long an item works
	 */
	JobCluster(JobPeer peer, Duration period, Duration work) {
		this.peer = peer;
		try {
			this.directory = Files.createTempDirectory("jobs");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		STARTING.lock();
		try {
			this.server.start();
			int second = (int) ((System.currentTimeMillis() / 1000 + START_SECONDS) % 60);
			this.plan = new JobPlan(this.directory.resolve("records"), second, period, work);
			IntStream.range(0, NODES).mapToObj((node) -> launch()).toList().forEach(JobCluster::awaitReady);
		}
		catch (RuntimeException | Error ex) {
			close();
			throw ex;
		}
		finally {
			STARTING.unlock();
		}
	}

	JobPlan plan() {
		return this.plan;
	}

	/**
	 * Kill the server now, and start it with its data later.
	 * @param nanos the time of the start
	 * @throws InterruptedException if the wait is interrupted
	 */
	void restartServer(long nanos) throws InterruptedException {
		this.server.kill();
		awaitTime(nanos);
		this.server.start();
		if (System.nanoTime() - nanos > LONGEST_START) {
			throw new IllegalStateException("The machine is too busy: the server started slowly");
		}
	}

	/**
	 * Count the sessions that the server has ended because they were silent.
	 * @return the number
	 */
	long endedSessions() {
		return this.server.figure("zk_stale_sessions_expired");
	}

	/**
	 * Return the first planned time that all nodes surely see.
	 * @return the planned time
	 */
	long firstTick() {
		return this.plan.next(System.nanoTime() + TimeUnit.SECONDS.toNanos(2));
	}

	/**
	 * Start one more node, and wait until it runs jobs.
	 */
	void join() {
		awaitReady(launch());
	}

	private JavaProcess launch() {
		String connectString = this.server.connectString();
		FaultProxy network = new FaultProxy(Integer.parseInt(connectString.split(":")[1]));
		JavaProcess node = JavaProcess.of(this.peer.node())
			.readsInput()
			.start(this.peer.arguments(this.plan, network.connectString()));
		this.nodes.put(node, network);
		return node;
	}

	private static void awaitReady(JavaProcess node) {
		node.awaitLine("ready", PATIENCE);
	}

	/**
	 * Let one node give a command to the whole cluster.
	 * @param command the command
	 */
	void command(String command) {
		JavaProcess node = this.nodes.keySet().iterator().next();
		node.write(command);
		node.awaitLine("done " + command, PATIENCE);
	}

	JavaProcess node(ItemRun run) {
		return this.nodes.keySet().stream().filter((node) -> node.pid() == run.pid()).findFirst().orElseThrow();
	}

	/**
	 * Reset the connection of a node once. It may connect again at once.
	 * @param node the node
	 */
	void cut(JavaProcess node) {
		Objects.requireNonNull(this.nodes.get(node), "A node of this cluster").killConnections();
	}

	void lengthen(int item) throws IOException {
		Path file = Files.writeString(this.directory.resolve("next"), Integer.toString(item));
		Files.move(file, this.plan.longItem());
	}

	void endLongItem() throws IOException {
		Files.delete(this.plan.longItem());
	}

	List<ItemRun> runs() throws IOException {
		Path records = this.plan.records();
		String text = Files.exists(records) ? Files.readString(records) : "";
		// The last line may not be whole.
		return ItemRun.parse(text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
	}

	/**
	 * Wait for the next run of an item.
	 * @param item the number of the item
	 * @param since the time after which it begins
	 * @return the run
	 */
	ItemRun awaitRun(int item, long since) {
		return Awaitility.await("item " + item)
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> runs().stream().filter((run) -> run.item() == item && run.begin() > since).findFirst(),
					Optional::isPresent)
			.orElseThrow();
	}

	boolean works(ItemRun begun) throws IOException {
		return runs().stream()
			.anyMatch((run) -> run.begin() == begun.begin() && run.pid() == begun.pid() && !run.ended());
	}

	/**
	 * Wait until a time.
	 * @param nanos the time
	 * @throws InterruptedException if the wait is interrupted
	 */
	static void awaitTime(long nanos) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
	}

	@Override
	public void close() {
		this.nodes.forEach((node, network) -> {
			node.close();
			network.close();
		});
		this.server.close();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
