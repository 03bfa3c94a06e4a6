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

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.PlainLockHandle;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A client without this library, with Curator's read-write lock on the key of the others:
 * it sends what {@code InterProcessReadWriteLock} sends. It writes, may take the read
 * lock too, by a node that bears the number of its writer, and gives the write lock back.
 * One of our clients, or rather somebody else who uses its connection, watches the node
 * of its writer.
 */
final class PlainCurator implements Participant {

	private static final String KEY = "k1";

	private static final String DIRECTORY = "/locks/" + KEY;

	private static final String WRITER = "__WRIT__";

	private static final String READER = "__READ__";

	private static final byte[] DATA = "10.0.0.1".getBytes(StandardCharsets.UTF_8);

	/** The tokens of a node of ours are as far from each other. */
	private static final long TOKENS = 1 << 12;

	private final World world;

	private final SplittableRandom random;

	private final SimulatedZooKeeper handle;

	private final Lane lane;

	private int left = 4;

	// How many watches on nodes of its writer have not been told of their end.
	private int watched;

	private boolean finished;

	PlainCurator(World world) {
		this.world = world;
		this.random = world.setup().randomOf(-1, 0);
		this.handle = world.ensemble().connect(name(), world.setup().timeoutMillis(), (event) -> {
		}, false, IntStream.rangeClosed(1, world.setup().servers()).boxed().toList());
		this.lane = world.schedule().lane(name() + ".1");
		this.lane.after(millis(20), "begins", this::next);
	}

	boolean isFinished() {
		return this.finished && this.watched == 0;
	}

	void close() {
		this.handle.close();
	}

	private long millis(int most) {
		return TimeUnit.MICROSECONDS.toNanos(this.random.nextInt(1000 * most) + 1);
	}

	private String prefix() {
		return DIRECTORY + "/_c_" + new UUID(this.random.nextLong(), this.random.nextLong()) + "-";
	}

	private void next() {
		if (this.left-- == 0) {
			this.finished = true;
			return;
		}
		this.world.judge().asks(KEY);
		create(prefix() + WRITER);
	}

	private void create(String prefix) {
		this.handle.create(prefix, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL,
				(int rc, String asked, Object context, @Nullable String created, @Nullable Stat stat) -> {
					if (created != null && stat != null) {
						look(created, stat.getCzxid() * TOKENS);
					}
					else {
						createDirectory(() -> create(prefix));
					}
				}, null);
	}

	private void createDirectory(Runnable then) {
		this.handle.create("/locks", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER,
				(int rc, String asked, Object context, @Nullable String created) -> {
				}, null);
		this.handle.create(DIRECTORY, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER,
				(int rc, String asked, Object context, @Nullable String created) -> then.run(), null);
	}

	private void look(String own, long token) {
		this.handle.getChildren(DIRECTORY, false, (int rc, String asked, Object context,
				@Nullable List<String> children) -> listed(own, token, (children != null) ? children : List.of()),
				null);
	}

	private void listed(String own, long token, List<String> children) {
		List<String> queue = children.stream().sorted(Comparator.comparing(PlainCurator::sequence)).toList();
		int place = queue.indexOf(own.substring(DIRECTORY.length() + 1));
		if (place < 0) {
			throw this.world.judge().violated("watches", own + " is gone", null);
		}
		if (place == 0) {
			writes(own, token);
			return;
		}
		this.handle.getData(DIRECTORY + "/" + queue.get(place - 1), (event) -> look(own, token),
				(int rc, String asked, Object context, byte @Nullable [] data, @Nullable Stat stat) -> {
					if (rc == Code.NONODE.intValue()) {
						look(own, token);
					}
				}, null);
	}

	// As ReadWriteLock sorts: what is neither a reader nor a writer comes last.
	private static String sequence(String name) {
		int mode = Math.max(name.lastIndexOf(WRITER), name.lastIndexOf(READER));
		return (mode >= 0) ? name.substring(mode + WRITER.length()) : "~" + name;
	}

	private void writes(String own, long token) {
		Hold hold = enter(LockMode.WRITE, token);
		watchByAnother(own);
		boolean reads = this.random.nextInt(3) > 0;
		this.lane.after(millis(60), reads ? "reads too" : "releases", () -> {
			if (reads) {
				reads(own, hold);
			}
			else {
				leave(own, hold);
			}
		});
	}

	private void reads(String writer, Hold hold) {
		String reader = prefix() + READER + sequence(writer);
		this.handle.create(reader, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL,
				(int rc, String asked, Object context, @Nullable String created) -> {
					this.world.judge().exited(hold, false);
					this.world.judge().asks(KEY);
					Hold reading = enter(LockMode.READ, hold.token() + 1);
					delete(writer, () -> {
					});
					this.lane.after(millis(40), "releases", () -> leave(reader, reading));
				}, null);
	}

	private Hold enter(LockMode mode, long token) {
		LockRequest request = LockRequest.of(KEY).withMode(mode);
		Hold hold = new Hold(this, name() + ".1", request, new PlainLockHandle(request, token),
				this.world.schedule().now());
		this.world.judge().watch(() -> this.world.judge().entered(hold));
		return hold;
	}

	private void leave(String node, Hold hold) {
		this.world.judge().exited(hold, false);
		delete(node, () -> this.lane.after(millis(40), "goes on", this::next));
	}

	private void delete(String node, Runnable then) {
		this.handle.delete(node, -1, (int rc, String asked, Object context) -> then.run(), null);
	}

	private void watchByAnother(String node) {
		SimulatedZooKeeper another = this.world.clients().get(0).process().handle();
		if (another == null) {
			return;
		}
		this.watched++;
		another.getData(node, this::told,
				(int rc, String asked, Object context, byte @Nullable [] data, @Nullable Stat stat) -> {
					if (rc != Code.OK.intValue()) {
						this.watched--;
					}
				}, null);
	}

	private void told(WatchedEvent event) {
		if (event.getType() != EventType.NodeDeleted) {
			throw this.world.judge()
				.violated("watches", "somebody else's watch on " + event.getPath() + " is told " + event.getType(),
						null);
		}
		this.watched--;
	}

	@Override
	public String name() {
		return "p1";
	}

	@Override
	public boolean isPaused() {
		return false;
	}

	@Override
	public long pausedNanos() {
		return 0;
	}

	@Override
	public long session() {
		return this.handle.getSessionId();
	}

	@Override
	public void whenResumed(Runnable action) {
	}

	/**
	 * What the judge asks of a lock.
	 */

}
