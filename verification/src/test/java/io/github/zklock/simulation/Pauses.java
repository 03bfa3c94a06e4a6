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
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import io.github.zklock.simulation.KeyPlan.Use;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.JobRecord.Pause;
import io.github.zklock.zookeeper.node.LockPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * An operator who pauses and resumes the job of a key, through any client, with the
 * writes of {@code LockJobs}.
 */
final class Pauses {

	private static final int MOST = 12;

	private final World world;

	private final SplittableRandom random;

	private final KeyPlan plan;

	private final String path;

	private int left = MOST;

	private long number;

	Pauses(World world) {
		this.world = world;
		this.random = world.setup().randomOf(-1, 0);
		this.plan = world.setup().keys().get(0);
		this.path = new LockPaths("", "/locks", null).job("job", this.plan.use() == Use.PERIODIC, this.plan.key());
		later();
	}

	private void later() {
		if (this.left-- > 0) {
			this.world.later(TimeUnit.MICROSECONDS.toNanos(1 + this.random.nextInt(60_000)), "looks at the job",
					this::read);
		}
	}

	private void read() {
		int client = this.random.nextInt(this.world.clients().size());
		ZooKeeper zooKeeper = this.world.clients().get(client).process().handle();
		if (zooKeeper == null) {
			later();
			return;
		}
		zooKeeper.getData(this.path, false, (int rc, String asked, Object context, byte @Nullable [] data,
				@Nullable Stat stat) -> write(zooKeeper, rc, data, stat), null);
	}

	private void write(ZooKeeper zooKeeper, int rc, byte @Nullable [] data, @Nullable Stat stat) {
		JobRecord found = JobRecord.parse(data);
		if (rc == Code.OK.intValue() && found != null && stat != null) {
			boolean resumes = found.paused() != null;
			byte[] written = found.withPause(resumes ? null : pause(), stat.getMtime()).data();
			sent(resumes);
			zooKeeper.setData(this.path, written, stat.getVersion(),
					(int done, String asked, Object context, Stat after) -> replied(done, resumes), null);
		}
		else if (rc == Code.NONODE.intValue()) {
			byte[] written = JobRecord.of("job", this.plan.key()).withPause(pause(), 0).data();
			sent(false);
			zooKeeper.create(this.path, written, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT,
					(done, asked, context, name) -> replied(done, false), null);
		}
		else {
			later();
		}
	}

	private Pause pause() {
		return new Pause(this.number, "operator");
	}

	private void sent(boolean resumes) {
		if (resumes) {
			this.world.judge().ticks().resumes();
		}
		else {
			this.world.judge().ticks().pauses(Instant.ofEpochMilli(this.number));
			this.number++;
		}
	}

	private void replied(int rc, boolean resumes) {
		if (rc == Code.OK.intValue() && !resumes) {
			this.world.counts().pauses++;
			this.world.judge().ticks().paused();
		}
		later();
	}

}
