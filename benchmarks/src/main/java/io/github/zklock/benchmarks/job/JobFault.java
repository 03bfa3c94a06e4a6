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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.github.zklock.support.JavaProcess;

/**
 * What happens to a job while its items run.
 */
enum JobFault {

	JOIN("a node joins while an item runs over several planned times", 10, 1) {

		@Override
		JobOutcome inflict(JobCluster cluster, int item) throws Exception {
			return join(cluster, item, false);
		}

	},

	CUT_AND_JOIN("the same, after the connection of the item's node was reset once", 10, 1) {

		@Override
		JobOutcome inflict(JobCluster cluster, int item) throws Exception {
			return join(cluster, item, true);
		}

	},

	KILL("`kill -9` of a node in mid-item", 20, 6) {

		@Override
		JobOutcome inflict(JobCluster cluster, int item) throws Exception {
			long tick = cluster.firstTick();
			ItemRun run = inTheMiddle(cluster, item, tick);
			cluster.node(run).close();
			long killed = System.nanoTime();
			return after(cluster, tick, 2).andAgain(cluster, item, killed);
		}

	},

	STOP("`SIGSTOP` of a node in mid-item; `SIGCONT` when another node has run the item for a second", 20, 6) {

		@Override
		JobOutcome inflict(JobCluster cluster, int item) throws Exception {
			long tick = cluster.firstTick();
			JavaProcess node = cluster.node(inTheMiddle(cluster, item, tick));
			node.pause();
			long stopped = System.nanoTime();
			JobCluster.awaitTime(cluster.awaitRun(item, stopped).begin() + A_SECOND);
			node.resume();
			return after(cluster, tick, 2).andAgain(cluster, item, stopped);
		}

	},

	PAUSE("a pause with the API in mid-item, over one planned time", 15, 4) {

		@Override
		JobOutcome inflict(JobCluster cluster, int item) throws Exception {
			long tick = cluster.firstTick();
			inTheMiddle(cluster, item, tick);
			cluster.command("pause");
			long paused = System.nanoTime();
			JobCluster.awaitTime(cluster.plan().next(System.nanoTime()) + 3 * A_SECOND);
			long resumed = System.nanoTime();
			cluster.command("resume");
			long next = cluster.plan().next(System.nanoTime());
			after(cluster, next, 1);
			return JobOutcome.of(cluster, List.of(tick, next)).andPaused(cluster, paused, resumed);
		}

	},

	RESTART("ZooKeeper is killed in mid-item, and starts again at once", 15, 6) {

		@Override
		JobOutcome inflict(JobCluster cluster, int item) throws Exception {
			long tick = cluster.firstTick();
			inTheMiddle(cluster, item, tick);
			cluster.restartServer(System.nanoTime());
			return after(cluster, tick, 2);
		}

	},

	RESTART_AT_TICK("ZooKeeper is killed 2 s before a planned time, and starts 2 s after it", 15, 6) {

		@Override
		JobOutcome inflict(JobCluster cluster, int item) throws Exception {
			long tick = cluster.firstTick();
			long next = tick + cluster.plan().period().toNanos();
			JobCluster.awaitTime(next - 2 * A_SECOND);
			cluster.restartServer(next + 2 * A_SECOND);
			return after(cluster, tick, 3);
		}

	};

	private static final long A_SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final long LATE = 3 * A_SECOND;

	private final String description;

	private final Duration period;

	private final Duration work;

	JobFault(String description, int periodSeconds, int workSeconds) {
		this.description = description;
		this.period = Duration.ofSeconds(periodSeconds);
		this.work = Duration.ofSeconds(workSeconds);
	}

	String description() {
		return this.description;
	}

	/**
	 * Run the job in a new cluster, let it happen, and look.
	 * @param peer what runs the job
	 * @param item the item in whose middle it happens
	 * @return what was seen
	 * @throws Exception if the experiment fails
	 */
	JobOutcome tryOnce(JobPeer peer, int item) throws Exception {
		try (JobCluster cluster = new JobCluster(peer, this.period, this.work)) {
			return inflict(cluster, item);
		}
	}

	abstract JobOutcome inflict(JobCluster cluster, int item) throws Exception;

	// The item runs until two planned times have passed after the join.
	private static JobOutcome join(JobCluster cluster, int item, boolean cut) throws Exception {
		long tick = cluster.firstTick();
		JobCluster.awaitTime(tick - A_SECOND);
		cluster.lengthen(item);
		ItemRun run = inTheMiddle(cluster, item, tick);
		if (cut) {
			cluster.cut(cluster.node(run));
			JobCluster.awaitTime(System.nanoTime() + A_SECOND);
		}
		cluster.join();
		long period = cluster.plan().period().toNanos();
		long end = cluster.plan().next(System.nanoTime()) + period;
		JobCluster.awaitTime(end + 3 * A_SECOND);
		cluster.endLongItem();
		if (cluster.endedSessions() > 0) {
			throw new IllegalStateException("A session has ended, which is another experiment");
		}
		return after(cluster, tick, (int) Math.round((end - tick) / (double) period) + 1);
	}

	private static ItemRun inTheMiddle(JobCluster cluster, int item, long tick) throws Exception {
		ItemRun run = cluster.awaitRun(item, tick - A_SECOND);
		if (run.begin() - tick > LATE) {
			throw new IllegalStateException("The machine is too busy: the item began late");
		}
		JobCluster.awaitTime(run.begin() + 2 * A_SECOND);
		if (!cluster.works(run)) {
			throw new IllegalStateException("The item has ended too early, or its node");
		}
		return run;
	}

	// Until the last item has had its time: its work, or a period if one is missed.
	private static JobOutcome after(JobCluster cluster, long first, int ticks) throws Exception {
		Duration period = cluster.plan().period();
		List<Long> planned = LongStream.range(0, ticks).map((tick) -> first + tick * period.toNanos()).boxed().toList();
		long last = planned.get(ticks - 1);
		JobCluster.awaitTime(last + cluster.plan().work().toNanos() + 2 * A_SECOND);
		while (JobOutcome.of(cluster, planned).missed() > 0
				&& System.nanoTime() - last < period.plusSeconds(2).toNanos()) {
			JobCluster.awaitTime(System.nanoTime() + A_SECOND);
		}
		return JobOutcome.of(cluster, planned);
	}

}
