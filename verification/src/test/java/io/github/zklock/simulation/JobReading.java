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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.spi.JobStore.EarlierPause;
import io.github.zklock.core.spi.JobStore.Pause;
import io.github.zklock.core.spi.JobStore.Run;
import io.github.zklock.core.spi.JobStore.State;
import io.github.zklock.zookeeper.node.EarlierRun;
import io.github.zklock.zookeeper.node.JobRecord;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads the node of a job as {@code ZooKeeperJobs} does, but waits on no thread.
 */
final class JobReading {

	private final ZooKeeper zooKeeper;

	private final String directory;

	// Ends with null if the job cannot be read.
	private final CompletableFuture<@Nullable State> read = new CompletableFuture<>();

	private JobReading(ZooKeeper zooKeeper, String directory) {
		this.zooKeeper = zooKeeper;
		this.directory = directory;
	}

	static CompletableFuture<@Nullable State> of(@Nullable ZooKeeper zooKeeper, String job, String directory) {
		if (zooKeeper == null) {
			return CompletableFuture.completedFuture(null);
		}
		JobReading reading = new JobReading(zooKeeper, directory);
		zooKeeper.getData(job, false, (int rc, String asked, Object context, byte @Nullable [] data,
				@Nullable Stat stat) -> reading.found(rc, JobRecord.parse(data)), null);
		return reading.read;
	}

	private void found(int rc, @Nullable JobRecord record) {
		if (rc != Code.OK.intValue()) {
			this.read.complete((rc == Code.NONODE.intValue()) ? state(null, false) : null);
		}
		else if (record == null || !record.isOpen()) {
			this.read.complete(state(record, false));
		}
		else {
			this.zooKeeper.exists(this.directory + "/" + record.last().lock(), false,
					(int code, String asked, Object context, @Nullable Stat stat) -> held(code, record), null);
		}
	}

	private void held(int rc, JobRecord record) {
		boolean known = rc == Code.OK.intValue() || rc == Code.NONODE.intValue();
		this.read.complete(known ? state(record, rc == Code.OK.intValue()) : null);
	}

	private static State state(@Nullable JobRecord record, boolean held) {
		List<LockJob.Run> runs = new ArrayList<>();
		if (record != null && record.last() != null) {
			runs.add(run(record.lastAsEarlier(), held));
			record.earlier().forEach((earlier) -> runs.add(run(earlier, false)));
		}
		List<EarlierPause> pauses = (record != null) ? pauses(record) : List.of();
		JobRecord.Pause paused = (record != null) ? record.paused() : null;
		return new State((paused != null) ? new Pause(instant(paused.since()), paused.by()) : null, pauses, runs);
	}

	private static List<EarlierPause> pauses(JobRecord record) {
		return record.pauses()
			.stream()
			.map((over) -> new EarlierPause(instant(over.since()), instant(over.until())))
			.toList();
	}

	private static Run run(EarlierRun run, boolean held) {
		return new Run(instant(run.tick()), run.byHand(), run.attempt(), run.knownRunner(),
				Instant.ofEpochMilli(run.began()), instant(run.ended()), Run.outcome(run.outcome(), held));
	}

	private static @Nullable Instant instant(@Nullable Long millis) {
		return (millis != null) ? Instant.ofEpochMilli(millis) : null;
	}

}
