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

package io.github.zklock.torture;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.Upgrade;
import io.github.zklock.support.ZooKeeperEnsemble;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker as the run has it in hand: its process, and a network of its own to each of
 * the servers.
 */
final class TortureHand implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(TortureHand.class);

	private final String name;

	private final Variant variant;

	private final int registerPort;

	private final List<FaultProxy> links;

	private JavaProcess process;

	TortureHand(String name, Variant variant, int registerPort, ZooKeeperEnsemble ensemble) {
		this.name = name;
		this.variant = variant;
		this.registerPort = registerPort;
		this.links = IntStream.range(0, TortureRun.SERVERS)
			.mapToObj((server) -> new FaultProxy(portOf(ensemble.connectString(server))))
			.toList();
	}

	private static int portOf(String connectString) {
		return Integer.parseInt(connectString.substring(connectString.indexOf(':') + 1));
	}

	void start(long seed) {
		String connectString = this.links.stream().map(FaultProxy::connectString).collect(Collectors.joining(","));
		String classPath = (this.process != null) ? Upgrade.after() : Upgrade.before();
		this.process = JavaProcess.of(TortureWorker.class.getName())
			.classPath(classPath)
			.properties(List.of("logback.configurationFile=logback-ensemble.xml"))
			.start(this.name, Integer.toString(this.registerPort), connectString, this.variant.name(),
					Long.toString(seed));
	}

	void awaitLine(String line) {
		logger.info("{}: {}", this.name, this.process.awaitLine(line));
	}

	String name() {
		return this.name;
	}

	List<FaultProxy> links() {
		return this.links;
	}

	void pause() {
		this.process.pause();
	}

	void resume() {
		this.process.resume();
	}

	void kill() {
		this.process.close();
	}

	List<String> output() {
		return this.process.output();
	}

	void killConnections() {
		this.links.forEach(FaultProxy::killConnections);
	}

	void blackhole() {
		this.links.forEach(FaultProxy::blackhole);
	}

	/**
	 * Let the worker reach no other server than this one.
	 */
	void pinTo(int server) {
		for (int i = 0; i < this.links.size(); i++) {
			if (i != server) {
				this.links.get(i).refuse();
			}
		}
	}

	/**
	 * Be a good network again.
	 */
	void heal() {
		this.links.forEach(TortureHand::heal);
	}

	// Somebody else may have been given the port for a moment.
	private static void heal(FaultProxy link) {
		Awaitility.await("port").ignoreException(UncheckedIOException.class).until(() -> {
			link.heal();
			return true;
		});
	}

	@Override
	public void close() {
		if (this.process != null) {
			this.process.close();
		}
		this.links.forEach(FaultProxy::close);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
