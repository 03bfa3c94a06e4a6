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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.server.EphemeralType;

/**
 * Clients that ask a simulated ensemble for random things, while servers and links fail
 * at random. Then everything heals, and everything must be answered.
 */
public final class Turmoil {

	private static final int CLIENTS = 3;

	private static final long FAULTS_NANOS = TimeUnit.SECONDS.toNanos(30);

	private static final long HEALING_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final Schedule schedule;

	private final SplittableRandom random;

	private final EnsembleSettings settings;

	private final SimulatedEnsemble ensemble;

	private final List<Client> clients = new ArrayList<>();

	/** What was answered, and how often. */
	private final TreeMap<String, Integer> answers = new TreeMap<>();

	private boolean healing;

	Turmoil(long seed) {
		this.schedule = new Schedule(seed);
		this.random = this.schedule.random();
		EnsembleSettings drawn = EnsembleSettings.defaults().withTickTime(500).withReaper(5000);
		drawn = (this.random.nextInt(4) == 0) ? drawn.withServers(1) : drawn;
		this.settings = (this.random.nextInt(3) == 0) ? drawn.withReadOnlyMode() : drawn;
		this.ensemble = new SimulatedEnsemble(this.schedule, this.settings);
	}

	/**
	 * Print what the seeds from 0 on come to, in this JVM.
	 */
	public static void main(String[] arguments) {
		System.out.println("hash " + hash(Integer.parseInt(arguments[0])));
	}

	static long hash(int seeds) {
		long hash = 0;
		for (long seed = 0; seed < seeds; seed++) {
			Turmoil turmoil = new Turmoil(seed);
			turmoil.run();
			hash = 31 * hash + turmoil.schedule.trace().hash();
		}
		return hash;
	}

	TreeMap<String, Integer> answers() {
		return this.answers;
	}

	void run() {
		for (int i = 0; i < CLIENTS; i++) {
			connect();
		}
		fail(this.schedule.lane("faults"));
		this.schedule.runFor(FAULTS_NANOS);
		this.healing = true;
		heal();
		this.schedule.runFor(HEALING_NANOS);
	}

	/**
	 * Return what is not as it must be.
	 */
	List<String> complaints() {
		List<String> complaints = new ArrayList<>();
		TreeSet<Long> live = new TreeSet<>();
		for (Client client : this.clients) {
			if (!client.waiting.isEmpty()) {
				complaints.add(client.name + " waits for " + client.waiting.size() + " answers");
			}
			if (!client.expired) {
				live.add(client.zooKeeper.getSessionId());
				if (client.zooKeeper.getState() != States.CONNECTED) {
					complaints.add(client.name + " is " + client.zooKeeper.getState());
				}
			}
		}
		if (!live.equals(this.ensemble.sessions())) {
			complaints.add("sessions " + this.ensemble.sessions() + " instead of " + live);
		}
		for (NodeView node : this.ensemble.nodes().values()) {
			if (EphemeralType.get(node.ephemeralOwner()) == EphemeralType.NORMAL
					&& !live.contains(node.ephemeralOwner())) {
				complaints.add(node.path() + " has no session");
			}
		}
		return complaints;
	}

	// Faults

	private void fail(Lane lane) {
		lane.after(this.random.nextLong(TimeUnit.SECONDS.toNanos(2)), "fault", () -> {
			if (!this.healing) {
				int server = 1 + this.random.nextInt(this.settings.servers());
				ClientLink link = this.clients.get(this.random.nextInt(this.clients.size())).zooKeeper.link();
				fail(server, link, this.random.nextInt(16));
				fail(lane);
			}
		});
	}

	private void fail(int server, ClientLink link, int kind) {
		this.schedule.trace().note("fault " + kind);
		switch (kind) {
			case 0 -> this.ensemble.crash(server);
			case 1, 2 -> this.ensemble.restart(server);
			case 3 -> this.ensemble.isolate(server);
			case 4, 5 -> this.ensemble.heal(server);
			case 6 -> this.ensemble.elect();
			case 7 -> link.cut();
			case 8 -> link.cutBeforeNextRequest();
			case 9 -> link.cutBeforeNextReply();
			case 10 -> link.blackHole();
			case 11 -> link.delay(this.random.nextLong(TimeUnit.MILLISECONDS.toNanos(50)));
			case 12 -> heal();
			case 13 -> this.ensemble
				.fail((client, type, path) -> (this.random.nextInt(20) == 0) ? Code.OPERATIONTIMEOUT : null);
			case 14 -> this.ensemble.sessions().stream().findFirst().ifPresent(this.ensemble::expire);
			default -> this.ensemble.delete(path());
		}
	}

	private void heal() {
		for (int server = 1; server <= this.settings.servers(); server++) {
			this.ensemble.restart(server);
			this.ensemble.heal(server);
			this.ensemble.refuse(server, false);
		}
		this.ensemble.fail(null);
		this.clients.forEach((client) -> client.zooKeeper.link().delay(0));
	}

	// Clients

	private void connect() {
		Client client = new Client("c" + this.clients.size());
		this.clients.add(client);
		client.ask(this.schedule.lane("asking-" + client.name));
	}

	private String path() {
		return "/c/n" + this.random.nextInt(3);
	}

	private void count(String what) {
		this.answers.merge(what, 1, Integer::sum);
	}

	private final class Client implements Watcher {

		private final String name;

		private final SimulatedZooKeeper zooKeeper;

		private final ArrayDeque<Integer> waiting = new ArrayDeque<>();

		private int asked;

		private boolean expired;

		Client(String name) {
			this.name = name;
			List<Integer> servers = (Turmoil.this.settings.servers() == 1) ? List.of(1) : List.of(1, 2, 3);
			this.zooKeeper = Turmoil.this.ensemble.connect(name, 4000, this, true, servers);
		}

		@Override
		public void process(WatchedEvent event) {
			count(event.getState().name());
			if (event.getState() == KeeperState.Expired && !this.expired) {
				this.expired = true;
				connect();
			}
		}

		// Several at one node: their order must not be that of their addresses.
		private Watcher watcher() {
			int number = this.asked;
			return (event) -> {
				count((event.getPath() != null) ? event.getType().name() : event.getState().name());
				Turmoil.this.schedule.trace().note(this.name + " " + number);
			};
		}

		void ask(Lane lane) {
			lane.after(Turmoil.this.random.nextLong(TimeUnit.MILLISECONDS.toNanos(200)), "ask", () -> {
				if (!this.expired && !Turmoil.this.healing) {
					int number = this.asked++;
					this.waiting.add(number);
					ask(path(), Turmoil.this.random.nextInt(9), number);
					ask(lane);
				}
			});
		}

		private void ask(String path, int kind, int number) {
			switch (kind) {
				case 0 -> this.zooKeeper.create(path, new byte[1], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL,
						(rc, asked, context, name) -> answered(number, rc), null);
				case 1 -> this.zooKeeper.create("/c", new byte[1], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER,
						(rc, asked, context, name, stat) -> answered(number, rc), null);
				case 2 -> this.zooKeeper.delete(path, -1, (rc, asked, context) -> answered(number, rc), null);
				case 3 -> this.zooKeeper.setData(path, new byte[2], -1,
						(rc, asked, context, stat) -> answered(number, rc), null);
				case 4 -> this.zooKeeper.getData(path, watcher(),
						(rc, asked, context, data, stat) -> answered(number, rc), null);
				case 5 -> this.zooKeeper.getChildren("/c", watcher(),
						(rc, asked, context, children, stat) -> answered(number, rc), null);
				case 6 ->
					this.zooKeeper.exists(path, watcher(), (rc, asked, context, stat) -> answered(number, rc), null);
				case 7 -> this.zooKeeper.sync("/c", (rc, asked, context) -> answered(number, rc), null);
				default ->
					this.zooKeeper.multi(
							List.of(Op.create("/c/m-", new byte[0], Ids.OPEN_ACL_UNSAFE,
									CreateMode.EPHEMERAL_SEQUENTIAL), Op.delete(path, -1)),
							(rc, asked, context, results) -> answered(number, rc), null);
			}
		}

		private void answered(int number, int rc) {
			if (!this.waiting.remove().equals(number)) {
				count("out of order");
			}
			count(Code.get(rc).name());
		}

	}

}
