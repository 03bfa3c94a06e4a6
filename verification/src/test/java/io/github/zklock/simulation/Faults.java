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
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.SimulatedProcess;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.jspecify.annotations.Nullable;

/**
 * Lets go wrong what the set-up says.
 */
final class Faults {

	private static final List<Code> CODES = List.of(Code.OPERATIONTIMEOUT, Code.REQUESTTIMEOUT, Code.THROTTLEDOP,
			Code.APIERROR, Code.SYSTEMERROR, Code.RUNTIMEINCONSISTENCY, Code.SESSIONMOVED, Code.NOAUTH,
			Code.QUOTAEXCEEDED, Code.UNIMPLEMENTED, Code.MARSHALLINGERROR);

	private static final long MOST_DELAY = TimeUnit.MILLISECONDS.toNanos(80);

	private final World world;

	Faults(World world) {
		this.world = world;
	}

	void deal(Fault fault) {
		this.world.counts().fault(fault.kind());
		switch (fault.kind()) {
			case CUT, CUT_BEFORE_REQUEST, CUT_BEFORE_REPLY, SLOW_LINK, BLACK_HOLE -> link(fault);
			case SERVER_CRASH, PARTITION, ELECTION, ERROR_CODE, REAP -> servers(fault);
			case DELETE_NODE -> deleteNode(fault);
			case DELETE_LISTED -> deleteListed(fault);
			case KILL_SESSION -> killSession(this.world.processOf(fault));
			case PAUSE, STALL, CRASH, SHUTDOWN -> process(fault);
			case LOST_REPLY -> loseReply(fault);
			case CUT_OFF_HOLDER -> cutOffHolder(fault);
			case FAILED_STEP -> failStep(fault);
			case FAILED_REPLY -> this.world.processOf(fault).failReply(fault.server());
			case FAILED_TASK -> this.world.processOf(fault).failTask(fault.server(), fault.millis() % 2 == 0);
			case LOSE_EVENT -> loseEvent(fault);
			case LATE_STAMP -> StampFaults.confirmLate(this.world, fault);
			case HALF_CUT -> new HalfCut(this.world, fault).begin();
			case LATE_TICKS -> lateTicks(fault);
			case LATE_LOSS -> loseLate(fault);
			case CRASH_IN_RUN -> this.world.madeUp().crashInRun(fault);
			case JOB_PAUSE -> this.world.madeUp().pause(fault);
		}
	}

	private void after(Fault fault, String what, Runnable action) {
		this.world.later(nanos(fault), what, action);
	}

	private static long nanos(Fault fault) {
		return TimeUnit.MILLISECONDS.toNanos(fault.millis());
	}

	private void link(Fault fault) {
		SimulatedZooKeeper handle = this.world.processOf(fault).handle();
		if (handle == null || this.world.processOf(fault).isGone()) {
			return;
		}
		ClientLink link = handle.link();
		switch (fault.kind()) {
			case CUT -> link.cut();
			case CUT_BEFORE_REQUEST -> link.cutBeforeNextRequest();
			case CUT_BEFORE_REPLY -> link.cutBeforeNextReply();
			case SLOW_LINK -> {
				link.delay(Math.min(nanos(fault), MOST_DELAY));
				after(fault, "link is fast again", () -> link.delay(0));
			}
			default -> {
				link.blackHole();
				link.refuse(true);
				after(fault, "link is back", () -> link.refuse(false));
			}
		}
	}

	private void loseReply(Fault fault) {
		SimulatedZooKeeper handle = this.world.processOf(fault).handle();
		if (handle == null || handle.link().server() == 0) {
			return;
		}
		int own = handle.link().server();
		handle.link().cutBeforeCreated();
		if (fault.server() % 2 == 1) {
			// Whoever waits may have given up before there is a connection again.
			handle.link().refuse(true);
			this.world.later(nanos(fault) / 3, "link is back", () -> handle.link().refuse(false));
		}
		for (int server = 1; server <= this.world.setup().servers(); server++) {
			if (server != own) {
				Runnable inTime = this.world.ensemble().late(server);
				after(fault, "s" + server + " is in time again", inTime);
			}
		}
	}

	private void failStep(Fault fault) {
		SimulatedZooKeeper handle = this.world.processOf(fault).handle();
		if (handle != null) {
			handle.failing().arm(fault.server(), fault.millis() % 2 == 0);
		}
	}

	private void loseEvent(Fault fault) {
		SimulatedZooKeeper handle = this.world.processOf(fault).handle();
		if (handle != null) {
			handle.link().loseNextEvent(true);
			after(fault, "no event is lost any more", () -> handle.link().loseNextEvent(false));
		}
	}

	// It happens within the time of the fault, or not at all.
	private void cutOffHolder(Fault fault) {
		Client client = this.world.clientOf(fault);
		long until = this.world.schedule().now() + nanos(fault);
		long after = (fault.server() % 2 == 0) ? TimeUnit.MILLISECONDS.toNanos(1) : nanos(fault) / 2;
		client.whenGranted(() -> {
			if (this.world.schedule().now() < until) {
				this.world.later(this.world.schedule().random().nextLong(after), "cuts off the server of a holder",
						() -> cutOff(fault, client.process().handle()));
			}
		});
	}

	private void cutOff(Fault fault, @Nullable SimulatedZooKeeper handle) {
		int server = (handle != null) ? handle.link().server() : 0;
		if (server > 0) {
			this.world.ensemble().isolate(server);
			handle.link().refuse(true);
			after(fault, "heals s" + server, () -> {
				this.world.ensemble().heal(server);
				handle.link().refuse(false);
			});
		}
	}

	private void lateTicks(Fault fault) {
		int server = 1 + fault.server() % this.world.setup().servers();
		after(fault, "s" + server + " ticks again", this.world.ensemble().peerLanes().stallTicks(server));
	}

	private void loseLate(Fault fault) {
		SimulatedProcess process = this.world.processOf(fault);
		if (!process.isGone() && !process.isPaused()) {
			after(fault, process.name() + " hears of its connection again", process.stallConnection());
			killSession(process);
		}
	}

	private void servers(Fault fault) {
		SimulatedEnsemble ensemble = this.world.ensemble();
		int server = 1 + fault.server() % this.world.setup().servers();
		switch (fault.kind()) {
			case SERVER_CRASH -> {
				if (ensemble.isUp(server)) {
					ensemble.crash(server);
					after(fault, "restarts s" + server, () -> ensemble.restart(server));
				}
			}
			case PARTITION -> {
				ensemble.isolate(server);
				after(fault, "heals s" + server, () -> ensemble.heal(server));
			}
			case ELECTION -> ensemble.elect();
			case ERROR_CODE -> refuse(fault);
			default -> ensemble.reap();
		}
	}

	// One request of the client.
	private void refuse(Fault fault) {
		String client = this.world.processOf(fault).name();
		Code code = CODES.get(fault.millis() % CODES.size());
		boolean[] done = new boolean[1];
		this.world.ensemble().fail((name, type, path) -> {
			// A server has no error for watches that are set again: the engine would look
			// for
			// a watch that was lost like that as rarely as for any other.
			boolean watches = type == OpCode.setWatches || type == OpCode.setWatches2;
			if (done[0] || watches || !name.equals(client)) {
				return null;
			}
			done[0] = true;
			this.world.schedule().trace().note(() -> "the server answers " + code + " to " + name + " at " + path);
			return code;
		});
	}

	private void deleteNode(Fault fault) {
		List<NodeView> nodes = this.world.ensemble()
			.nodes()
			.values()
			.stream()
			.filter((node) -> World.isOfLock(node.path()) && node.ephemeralOwner() != 0)
			.toList();
		if (!nodes.isEmpty()) {
			delete(nodes.get(fault.server() % nodes.size()));
		}
	}

	private void delete(NodeView node) {
		this.world.schedule()
			.trace()
			.note(() -> "somebody deletes " + node.path() + " of 0x" + Long.toHexString(node.czxid()));
		this.world.judge().deletedByHand(node.czxid());
		this.world.ensemble().delete(node.path());
	}

	// So who lists believes to be first while somebody else is already.
	private void deleteListed(Fault fault) {
		SimulatedProcess process = this.world.processOf(fault);
		boolean[] done = new boolean[1];
		after(fault, "nobody waits for a listing any more", () -> done[0] = true);
		this.world.ensemble().fail((name, type, path) -> {
			boolean listing = type == OpCode.getChildren || type == OpCode.getChildren2;
			SimulatedZooKeeper handle = process.handle();
			if (done[0] || !listing || !name.equals(process.name()) || handle == null) {
				return null;
			}
			List<NodeView> queue = this.world.ensemble()
				.nodes()
				.values()
				.stream()
				.filter((node) -> node.path().startsWith(path + "/") && node.ephemeralOwner() != 0)
				.sorted(Comparator.comparingLong(NodeView::czxid))
				.toList();
			if (!queue.isEmpty() && queue.get(0).ephemeralOwner() == handle.getSessionId()) {
				done[0] = true;
				handle.link().delay(MOST_DELAY);
				this.world.later(MOST_DELAY * 2, "link is fast again", () -> handle.link().delay(0));
				this.world.later(1, "deletes what was listed", () -> delete(queue.get(0)));
			}
			return null;
		});
	}

	private void killSession(SimulatedProcess process) {
		SimulatedZooKeeper handle = process.handle();
		if (handle != null && handle.getSessionId() != 0 && !process.isGone()) {
			this.world.judge().killed(process, handle.getSessionId());
			this.world.ensemble().expire(handle.getSessionId());
		}
	}

	private void process(Fault fault) {
		Client client = this.world.clientOf(fault);
		SimulatedProcess process = client.process();
		if (process.isGone() || process.isPaused()) {
			return;
		}
		switch (fault.kind()) {
			case PAUSE -> {
				process.pause();
				after(fault, process.name() + " goes on", process::resume);
			}
			case STALL -> after(fault, process.name() + " has all its threads again", process.stall(fault.server()));
			case CRASH -> client.crash(nanos(fault));
			default -> client.shutdown(Duration.ofMillis(fault.millis() % 100), nanos(fault));
		}
	}

}
