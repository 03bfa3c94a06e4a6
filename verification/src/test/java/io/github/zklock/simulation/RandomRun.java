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

package io.github.zklock.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

import io.github.zklock.simulation.RecordedClient.Entry;
import io.github.zklock.support.ZooKeeperOperation;

/**
 * Clients that ask a server for random things: a burst of one client after that of
 * another, so that what each of them is told follows from the seed alone. Each burst
 * begins with a sync, so that it makes no difference to which server a client has
 * connected.
 */
final class RandomRun {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private static final int CLIENTS = 5;

	private static final int LONGEST_BURST = 12;

	/** So many bursts go by between two times at which clients are cut off. */
	private final int calm;

	private final ServerSide side;

	private final SplittableRandom random;

	private final RandomRequests requests;

	private final List<RecordedClient> clients = new ArrayList<>();

	private final TreeMap<String, List<Entry>> logs = new TreeMap<>();

	private int opened;

	private int burst;

	private int sent;

	RandomRun(ServerSide side, long seed, int calm) {
		this.side = side;
		this.random = new SplittableRandom(seed);
		this.requests = new RandomRequests(this.random);
		this.calm = calm;
	}

	/**
	 * Send at least so many requests.
	 * @return what each client was told
	 */
	TreeMap<String, List<Entry>> run(int operations) {
		for (int i = 0; i < CLIENTS; i++) {
			open();
		}
		while (this.sent < operations) {
			this.burst++;
			burst(any());
			if (this.burst % this.calm == 0) {
				disturb();
			}
			else if (this.random.nextInt(120) == 0) {
				close(any());
				open();
			}
			else if (this.random.nextInt(80) == 0) {
				this.side.reapContainers();
			}
		}
		while (!this.clients.isEmpty()) {
			RecordedClient client = this.clients.get(0);
			client.sync("/").awaitAnswers();
			close(client);
		}
		return this.logs;
	}

	private void burst(RecordedClient client) {
		client.at(this.burst);
		client.sync("/");
		int length = 1 + this.random.nextInt(LONGEST_BURST);
		for (int i = 0; i < length; i++) {
			this.requests.send(client);
		}
		this.sent += length;
		client.awaitAnswers();
		this.requests.learn();
	}

	// Some clients are cut off, others go on, and some of those who were cut off find
	// their sessions ended when they are back.
	private void disturb() {
		List<RecordedClient> away = new ArrayList<>();
		List<RecordedClient> ended = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			RecordedClient client = any();
			this.clients.remove(client);
			cut(client);
			away.add(client);
		}
		for (int i = 0; i < 20; i++) {
			this.burst++;
			burst(any());
			if (i == 10) {
				ended.add(away.get(0));
				this.side.expire(away.get(0).session());
			}
		}
		for (RecordedClient client : away) {
			int seen = client.size();
			client.at(this.burst);
			this.side.heal(client);
			client.awaitState(seen, ended.contains(client) ? "Expired" : "SyncConnected");
			// The answer comes after the events of all watchers.
			client.stat("/");
		}
		for (RecordedClient client : away) {
			this.clients.add(client);
			if (ended.contains(client)) {
				close(client);
				open();
			}
		}
	}

	// What the client is to be told of the others' requests reaches it before the cut, on
	// both sides.
	private void cut(RecordedClient client) {
		client.at(this.burst);
		client.sync("/").awaitAnswers();
		switch (this.random.nextInt(3)) {
			case 0 -> this.side.cut(client);
			case 1 ->
				this.side.cutAt(client, ZooKeeperOperation.CREATE, true, () -> this.requests.createUnwatched(client));
			default -> this.side.cutAt(client, ZooKeeperOperation.CREATE, false, () -> {
				this.requests.createUnwatched(client);
				for (int i = 0; i < 5; i++) {
					this.requests.send(client);
				}
			});
		}
		client.awaitAnswers();
		this.requests.learn();
	}

	private RecordedClient any() {
		return this.clients.get(this.random.nextInt(this.clients.size()));
	}

	private void open() {
		this.clients.add(new RecordedClient(this.side, "c" + this.opened++, TIMEOUT).awaitConnected());
	}

	private void close(RecordedClient client) {
		this.clients.remove(client);
		client.at(this.burst);
		client.close();
		this.logs.put(client.name(), client.log());
	}

}
