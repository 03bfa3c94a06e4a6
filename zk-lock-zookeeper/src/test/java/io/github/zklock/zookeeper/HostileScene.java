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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.JobRecord.Run;
import io.github.zklock.zookeeper.node.LockPaths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two clients of an application. One of them holds a key and the other one waits for it,
 * with a reader between them, while both hold and take locks of other keys. The scene
 * judges what becomes of these locks, as their holders see it.
 */
final class HostileScene implements AutoCloseable {

	static final Duration PATIENCE = Duration.ofSeconds(60);

	static final String JOB = "Jobs.report";

	private static final Duration SHORT = Duration.ofSeconds(1);

	private static final int ROUNDS = 5;

	private static final String KEY = "key";

	private final String root = "/" + UUID.randomUUID();

	private final ZooKeeperServerFixture server;

	private final HostileStranger stranger;

	private final Duration session;

	private final Instant start = Instant.now().minusMillis(ROUNDS);

	private final Set<HostileHarm> harm = EnumSet.noneOf(HostileHarm.class);

	private final Map<String, AtomicInteger> holders = new ConcurrentHashMap<>();

	private final Map<Integer, AtomicInteger> runs = new ConcurrentHashMap<>();

	private LockClient<ZooKeeperLockProvider> one;

	private LockClient<ZooKeeperLockProvider> other;

	private volatile boolean over;

	HostileScene(ZooKeeperServerFixture server, HostileStranger stranger) {
		this(server, stranger, PATIENCE);
	}

	HostileScene(ZooKeeperServerFixture server, HostileStranger stranger, Duration session) {
		this.server = server;
		this.stranger = stranger;
		this.session = session;
		connect();
		this.one.locks().acquire(request("first")).release();
	}

	private void connect() {
		this.one = this.stranger.application(this.server.connectString(), this.root, this.session);
		this.other = this.stranger.application(this.server.connectString(), this.root, this.session);
	}

	/**
	 * Play an attack and then go on, and return all the harm that came of it.
	 * @param attack the attack, once the key is held and waited for
	 * @param expected the harm that is expected
	 */
	Set<HostileHarm> judge(Play attack, Set<HostileHarm> expected) throws Exception {
		List<LockHandle> bystanders = List.of(this.one.locks().acquire(request("held")),
				this.other.locks().acquire(request("held-too")));
		List<CompletableFuture<Void>> others = List.of(CompletableFuture.runAsync(() -> takeAnother(this.one)),
				CompletableFuture.runAsync(() -> takeAnother(this.other)));
		boolean busy = isBusy();
		if (!busy) {
			run(this.one, 0);
			Duration patience = expected.contains(HostileHarm.BUSY_KEY) ? SHORT : PATIENCE;
			busy = isBusyAfter(attack, patience) || isBusy(patience);
		}
		this.over = true;
		for (CompletableFuture<Void> taking : others) {
			taking.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		bystanders.forEach(this::end);
		if (busy) {
			add(HostileHarm.BUSY_KEY);
			removeWhatIsLeft();
		}
		playOn();
		return this.harm;
	}

	private void takeAnother(LockClient<ZooKeeperLockProvider> client) {
		do {
			use(client, "another", client.locks().acquire(request("another")));
		}
		while (!this.over);
	}

	/**
	 * Return whether the key cannot be locked.
	 */
	boolean isBusy() {
		return isBusy(PATIENCE);
	}

	private boolean isBusy(Duration patience) {
		try {
			this.one.locks().acquire(request(KEY).withWait(patience)).release();
			return false;
		}
		catch (LockException ex) {
			return true;
		}
	}

	private boolean isBusyAfter(Play attack, Duration patience) throws Exception {
		LockHandle holder = this.one.locks().acquire(request(KEY));
		CompletableFuture<LockHandle> between = this.one.locks().acquireAsync(request(KEY).withMode(LockMode.READ));
		await().until(() -> contenders().size() == 2);
		CompletableFuture<LockHandle> waiting = this.other.locks().acquireAsync(request(KEY));
		await().until(() -> contenders().size() == 3);
		String held = held();
		long waiter = this.other.sessionId();
		attack.play(this);
		// The waiter lists the queue again, with what the stranger has done to it.
		if (!between.cancel(true)) {
			end(between.join());
		}
		await().atMost(PATIENCE).until(() -> waiting.isDone() || this.server.watchedBy(waiter).contains(held));
		if (waiting.isDone() && !waiting.isCompletedExceptionally()) {
			add(HostileHarm.OVERLAP);
			assertThat(waiting.join().fencingToken()).isGreaterThan(holder.fencingToken());
		}
		end(holder);
		try {
			end(waiting.get(patience.toMillis(), TimeUnit.MILLISECONDS));
			return false;
		}
		catch (TimeoutException | ExecutionException ex) {
			waiting.cancel(true);
			await().atMost(PATIENCE)
				.until(() -> contenders().stream().noneMatch((path) -> this.server.owner(path) == waiter));
			return true;
		}
	}

	// What the application may delete, and with clients that have not refused the key.
	private void removeWhatIsLeft() throws Exception {
		for (String node : this.server.children(directory())) {
			this.one.curator().delete().quietly().forPath(directory() + "/" + node);
		}
		if (this.server.children(directory()).isEmpty()) {
			this.one.curator().delete().quietly().forPath(directory());
		}
		close();
		connect();
	}

	private void playOn() throws Exception {
		for (CompletableFuture<Void> play : List.of(CompletableFuture.runAsync(() -> playOn(this.one)),
				CompletableFuture.runAsync(() -> playOn(this.other)))) {
			play.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		this.one.locks().acquire(request(KEY).withPermits(3)).release();
		for (int i = 0; i < ROUNDS; i++) {
			int times = (this.runs.get(i) != null) ? this.runs.get(i).get() : 0;
			if (times != 1) {
				add((times == 0) ? HostileHarm.LOST_TICK : HostileHarm.TICK_TWICE);
			}
		}
	}

	private void playOn(LockClient<ZooKeeperLockProvider> client) {
		try {
			for (int i = 0; i < ROUNDS; i++) {
				run(client, i);
				use(client, KEY, client.locks().acquire(request(KEY)));
			}
		}
		catch (LockException ex) {
			add(HostileHarm.STUCK_KEY);
			throw ex;
		}
	}

	private void run(LockClient<ZooKeeperLockProvider> client, int run) {
		try {
			LockHandle handle = client.locks().acquire(request(KEY).withTick(tick(run)));
			this.runs.computeIfAbsent(run, (none) -> new AtomicInteger()).incrementAndGet();
			use(client, KEY, handle);
		}
		catch (LockNotAcquiredException ex) {
			// The other client has run it.
		}
	}

	// It asks the server something, and so takes some time.
	private void use(LockClient<ZooKeeperLockProvider> client, String key, LockHandle handle) {
		AtomicInteger holders = this.holders.computeIfAbsent(key, (none) -> new AtomicInteger());
		if (holders.incrementAndGet() > 1) {
			add(HostileHarm.OVERLAP);
		}
		try {
			client.curator().checkExists().forPath("/");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		holders.decrementAndGet();
		end(handle);
	}

	private void end(LockHandle handle) {
		if (handle.state() == LockState.UNCERTAIN) {
			await().atMost(PATIENCE).until(() -> handle.state() != LockState.UNCERTAIN);
		}
		handle.release();
		if (handle.state() == LockState.LOST) {
			add(HostileHarm.LOST_LOCK);
		}
	}

	private synchronized void add(HostileHarm harm) {
		this.harm.add(harm);
	}

	String root() {
		return this.root;
	}

	String directory() {
		return this.root + "/" + KEY;
	}

	/**
	 * Return the path of the directory of the heartbeats.
	 */
	String sessions() {
		return this.root + "/~sessions";
	}

	/**
	 * Return the paths of the nodes of the heartbeats of both clients.
	 */
	List<String> heartbeats() {
		return Stream.of(this.one, this.other)
			.map((client) -> new LockPaths("", this.root, null).session(client.sessionId()))
			.toList();
	}

	/**
	 * Wait for longer than a lock is held without a heartbeat.
	 */
	void outliveTheLease() {
		await().pollDelay(this.session).atMost(PATIENCE).until(() -> true);
	}

	void reapContainers() {
		this.server.reapContainers();
	}

	/**
	 * Return the path of the node of the holder.
	 */
	String held() {
		return contenders().get(0);
	}

	/**
	 * Return the name of the node of the waiter.
	 */
	String waiter() {
		return contenders().get(2).substring(directory().length() + 1);
	}

	// In the order in which they came.
	private List<String> contenders() {
		return this.server.children(directory())
			.stream()
			.map((name) -> directory() + "/" + name)
			.filter((path) -> this.server.owner(path) != 0)
			.sorted(Comparator.comparing((path) -> path.substring(path.length() - 10)))
			.toList();
	}

	long sessionOfTheHolder() {
		return this.one.sessionId();
	}

	List<?> inspect() {
		return this.one.locks().inspector().queue(KEY, PATIENCE).contenders();
	}

	/**
	 * Return what both clients report of nodes that others may change.
	 */
	List<String> exposed() {
		return Stream.of(this.one, this.other)
			.flatMap((client) -> client.locks().status().exposed().stream())
			.distinct()
			.toList();
	}

	LockTick nextTick() {
		return tick(1);
	}

	/**
	 * Return the path of the node of the job.
	 */
	String job() {
		return new LockPaths("", this.root, null).job(nextTick(), KEY);
	}

	Map<JobStore.Job, Set<String>> renamed() {
		return this.one.locks().jobs().renamed(List.of(new JobStore.Job(JOB, false, KEY)), PATIENCE);
	}

	/**
	 * Return what a client writes there that runs a tick.
	 */
	byte[] record(LockTick tick) {
		return record(tick, System.currentTimeMillis());
	}

	byte[] record(LockTick tick, long began) {
		Run run = new Run(tick.time().toEpochMilli(), false, tick.call(), 1, "z0-1-lock-0000000000", "0", began, null,
				null, 1);
		return JobRecord.of(tick.schedule(), KEY).with(run, new byte[0], 0).data();
	}

	private LockTick tick(int run) {
		return LockTick.at(JOB, this.start.plusMillis(run));
	}

	private static LockRequest request(String key) {
		return LockRequest.of(key).withWait(PATIENCE);
	}

	@Override
	public void close() {
		this.one.close();
		this.other.close();
	}

	/**
	 * What a stranger does meanwhile.
	 */
	interface Play {

		void play(HostileScene scene) throws Exception;

	}

}
