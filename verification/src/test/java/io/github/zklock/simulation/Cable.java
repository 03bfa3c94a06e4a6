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

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What lies between one client and the servers: its wires, one after the other, and the
 * faults that they have.
 */
public final class Cable implements ClientLink {

	/** One message in so many takes much longer than the others. */
	private static final int SLOW = 64;

	private final SimulatedEnsemble ensemble;

	private final Schedule schedule;

	private final String client;

	private final List<SimulatedServer> servers;

	private final Lane up;

	private final Lane send;

	private final Lane event;

	private final long network;

	private @Nullable Wire wire;

	private long delay;

	private long latest;

	private boolean cutBeforeRequest;

	private boolean cutBeforeReply;

	private boolean cutBeforeCreated;

	private boolean eventLost;

	private boolean refused;

	Cable(SimulatedEnsemble ensemble, Schedule schedule, String client, List<SimulatedServer> servers, long network) {
		this.ensemble = ensemble;
		this.schedule = schedule;
		this.client = client;
		this.servers = servers;
		this.network = network;
		this.up = schedule.lane(client + ">");
		this.send = schedule.lane(client + "-send");
		this.event = schedule.lane(client + "-event");
	}

	public Schedule schedule() {
		return this.schedule;
	}

	public Lane sendLane() {
		return this.send;
	}

	public Lane eventLane() {
		return this.event;
	}

	/**
	 * Return how many servers the client knows.
	 */
	public int size() {
		return this.servers.size();
	}

	/**
	 * Call a server; the first one is 0.
	 */
	public Wire dial(int server, Wire.End end) {
		Wire called = new Wire(this, this.servers.get(server), end);
		this.wire = called;
		called.dial();
		return called;
	}

	/**
	 * Return whether a server says that it can write; the first one is 0.
	 */
	public boolean isReadWrite(int server) {
		SimulatedServer asked = this.servers.get(server);
		return !this.refused && asked.isReadWrite();
	}

	String client() {
		return this.client;
	}

	/**
	 * Let a message arrive at the server.
	 */
	void up(long due, String what, Runnable action) {
		this.latest = Math.max(this.latest, due);
		this.up.after(due - this.schedule.now(), what, action);
	}

	/**
	 * Return how long the next message takes.
	 */
	long latency() {
		boolean slow = !this.schedule.isInOrder() && this.schedule.random().nextInt(SLOW) == 0;
		return this.schedule.upTo(slow ? 16 * this.network : this.network) + this.schedule.upTo(this.delay);
	}

	Traffic traffic() {
		return this.ensemble.traffic();
	}

	long millis() {
		return this.ensemble.millis();
	}

	boolean isRefused() {
		return this.refused;
	}

	boolean isToCutBeforeRequest() {
		boolean cut = this.cutBeforeRequest;
		this.cutBeforeRequest = false;
		return cut;
	}

	boolean isToCutBeforeReply() {
		boolean cut = this.cutBeforeReply;
		this.cutBeforeReply = false;
		return cut;
	}

	boolean isToCutBeforeCreated() {
		boolean cut = this.cutBeforeCreated;
		this.cutBeforeCreated = false;
		return cut;
	}

	boolean isEventLost() {
		boolean lost = this.eventLost;
		this.eventLost = false;
		return lost;
	}

	@Override
	public void cut() {
		if (this.wire != null) {
			this.wire.cut();
		}
	}

	@Override
	public void cutBeforeNextRequest() {
		this.cutBeforeRequest = true;
	}

	@Override
	public void cutBeforeNextReply() {
		this.cutBeforeReply = true;
	}

	@Override
	public void cutBeforeCreated() {
		this.cutBeforeCreated = true;
	}

	@Override
	public void loseNextEvent(boolean lost) {
		this.eventLost = lost;
	}

	@Override
	public void blackHole() {
		if (this.wire != null) {
			this.wire.lose();
		}
	}

	@Override
	public void delay(long nanos) {
		this.delay = nanos;
	}

	@Override
	public void refuse(boolean refuse) {
		this.refused = refuse;
	}

	@Override
	public int server() {
		return (this.wire != null && this.wire.isOpen()) ? this.wire.server() : 0;
	}

	/**
	 * Take the client away: its process has died.
	 */
	public void crash() {
		this.event.stop();
		if (this.wire != null) {
			this.wire.hangUp();
		}
		end();
	}

	/**
	 * Let nothing go on any more, except for what is on its way to the servers.
	 */
	public void end() {
		this.send.stop();
		up(this.latest, "end", this.up::stop);
	}

}
