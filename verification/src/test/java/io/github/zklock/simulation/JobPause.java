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

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.JobRecord.Pause;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * An operator pauses a job that makes up for its ticks, and resumes it later, as
 * {@code ZooKeeperJobs} does. Each write is repeated, by any client, until it is
 * confirmed.
 */
final class JobPause {

	private static final long BETWEEN_WRITES = TimeUnit.MILLISECONDS.toNanos(200);

	private final World world;

	private final String job;

	private final long lasts;

	private int writes;

	private long resumeAt;

	// The pause that the servers have, once it is confirmed.
	private @Nullable Instant since;

	private @Nullable Instant until;

	/**
	 * Pause the job now.
	 * @param job the path of its node
	 * @param lasts for how long
	 */
	JobPause(World world, String job, long lasts) {
		this.world = world;
		this.job = job;
		this.lasts = lasts;
		write();
	}

	boolean isOver() {
		return this.until != null;
	}

	boolean isAfter(Instant time) {
		return this.since != null && time.isBefore(this.since);
	}

	boolean contains(Instant time) {
		return this.since != null && this.until != null && !time.isBefore(this.since) && time.isBefore(this.until);
	}

	// A client may be gone before it has an answer.
	private void write() {
		if (this.until != null) {
			return;
		}
		this.world.later(BETWEEN_WRITES, "the operator looks again", this::write);
		Client client = this.world.clients().get(this.writes++ % this.world.clients().size());
		ZooKeeper zooKeeper = client.process().handle();
		if (zooKeeper != null && this.world.schedule().now() >= this.resumeAt) {
			zooKeeper.getData(this.job, false, (int rc, String asked, Object context, byte @Nullable [] data,
					@Nullable Stat stat) -> found(zooKeeper, JobRecord.parse(data), stat), null);
		}
	}

	private void found(ZooKeeper zooKeeper, @Nullable JobRecord record, @Nullable Stat stat) {
		if (record == null || stat == null) {
			return;
		}
		if (this.since == null) {
			begin(zooKeeper, record, stat);
		}
		else if (this.until == null && this.world.schedule().now() >= this.resumeAt) {
			end(zooKeeper, record, stat);
		}
	}

	private long now() {
		return TimeUnit.NANOSECONDS.toMillis(this.world.schedule().now());
	}

	private void begin(ZooKeeper zooKeeper, JobRecord record, Stat stat) {
		Pause known = record.paused();
		if (known != null) {
			confirmed(known);
			return;
		}
		Pause pause = new Pause(now(), "operator");
		this.world.judge().ticks().pauses(Instant.ofEpochMilli(pause.since()));
		write(zooKeeper, record, stat, (found, now) -> found.withPause(pause, now), () -> confirmed(pause));
	}

	private void confirmed(Pause pause) {
		if (this.since == null) {
			this.since = Instant.ofEpochMilli(pause.since());
			this.world.counts().pauses++;
			this.world.judge().ticks().paused();
			this.resumeAt = this.world.schedule().now() + this.lasts;
		}
	}

	private void end(ZooKeeper zooKeeper, JobRecord record, Stat stat) {
		this.world.judge().ticks().resumes();
		if (record.paused() == null) {
			// A server that is late does not know the pause yet.
			if (!record.pauses().isEmpty()) {
				resumed(record);
			}
			return;
		}
		JobRecord[] written = new JobRecord[1];
		write(zooKeeper, record, stat, (found, now) -> written[0] = found.withPause(null, now),
				() -> resumed(written[0]));
	}

	private void resumed(JobRecord record) {
		if (this.until == null) {
			this.until = Instant.ofEpochMilli(record.pauses().get(0).until());
			this.world.disturbed(0);
		}
	}

	// The first of the two writes only returns the time of the leader. It is known here.
	private void write(ZooKeeper zooKeeper, JobRecord record, Stat stat, BiFunction<JobRecord, Long, JobRecord> change,
			Runnable confirmed) {
		JobRecord touched = record.withPause(record.paused(), stat.getMtime());
		zooKeeper.setData(this.job, change.apply(touched, now()).data(), stat.getVersion(),
				(int rc, String asked, Object context, Stat after) -> {
					if (rc == Code.OK.intValue()) {
						confirmed.run();
					}
				}, null);
	}

}
