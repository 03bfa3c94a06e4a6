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

package io.github.zklock.benchmarks.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How much the servers have done so far.
 *
 * @param reads how many requests were read-only
 * @param writes how many requests were written to the log
 * @param events how many watch events were sent
 * @param roundTrips how often clients sent something only after an answer; zero where no
 * network with a delay counts it
 * @since 0.1.0
 */
public record ServerCounts(double reads, double writes, double events, double roundTrips) {

	static final String ROUND_TRIPS = "round_trips";

	private static final int TIMEOUT_MILLIS = 5000;

	/**
	 * Ask the servers.
	 * @param connectStrings all servers, separated by commas
	 * @return the sum over all of them
	 * @throws IllegalStateException if one does not answer
	 */
	public static ServerCounts of(String connectStrings) {
		ServerCounts sum = new ServerCounts(0, 0, 0, 0);
		for (String server : connectStrings.split(",")) {
			Map<String, String> values = monitor(server);
			if (values.isEmpty()) {
				throw new IllegalStateException("The server " + server + " does not say what it counts");
			}
			double events = values.entrySet()
				.stream()
				.filter((entry) -> entry.getKey().matches("zk_sum_node_[a-z]+_watch_count"))
				.mapToDouble((entry) -> Double.parseDouble(entry.getValue()))
				.sum();
			sum = new ServerCounts(sum.reads + value(values, "zk_cnt_readlatency"),
					sum.writes + value(values, "zk_cnt_updatelatency"), sum.events + events,
					sum.roundTrips + value(values, ROUND_TRIPS));
		}
		return sum;
	}

	/**
	 * Return what came on top since then.
	 * @param before what there was
	 * @return the difference
	 */
	public ServerCounts since(ServerCounts before) {
		return new ServerCounts(this.reads - before.reads, this.writes - before.writes, this.events - before.events,
				this.roundTrips - before.roundTrips);
	}

	private static double value(Map<String, String> values, String name) {
		return Double.parseDouble(values.getOrDefault(name, "0"));
	}

	// Empty if the server does not answer.
	private static Map<String, String> monitor(String server) {
		int port = Integer.parseInt(server.substring(server.indexOf(':') + 1));
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			// A server that is starting may accept a connection and never answer.
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write("mntr".getBytes(StandardCharsets.US_ASCII));
			String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
			return answer.lines()
				.map((line) -> line.split("\t", 2))
				.filter((parts) -> parts.length == 2)
				.collect(Collectors.toMap((parts) -> parts[0], (parts) -> parts[1], (first, second) -> second));
		}
		catch (IOException ex) {
			return Map.of();
		}
	}

}
