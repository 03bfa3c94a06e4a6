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

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.zklock.core.LockLimits;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.zookeeper.node.KeyDigest;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.session.Connection;
import io.github.zklock.zookeeper.session.CuratorConnection;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.EngineThreads;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link ZooKeeperLockProvider}.
 *
 * @since 0.1.0
 */
public final class ZooKeeperLockProviderBuilder {

	final Connection connection;

	private String name = "";

	Duration shutdownGrace = Duration.ZERO;

	String root = "/locks";

	ACLProvider aclProvider = new DefaultACLProvider();

	String application = "application";

	String instance = OwnerData.hostName() + ":" + ProcessHandle.current().pid();

	OwnerDetail ownerDetail = OwnerDetail.FULL;

	Duration tryTimeout = Duration.ofMillis(500);

	// No lease is longer.
	Duration commitWait = Duration.ofMillis(Integer.MAX_VALUE);

	Duration serverTick = Duration.ofSeconds(2);

	Fairness fairness = Fairness.BOUNDED;

	boolean awaitRelease = true;

	LockLimits limits = LockLimits.DEFAULT;

	@Nullable Duration outageFailFast;

	UnaryOperator<String> shownKey = UnaryOperator.identity();

	Supplier<@Nullable String> connectionProblem = () -> null;

	Supplier<@Nullable String> traceId = () -> null;

	// Two copies of one machine may draw the same number. Their sessions differ.
	LongUnaryOperator processNumber = (session) -> new SecureRandom().nextLong() ^ session ^ (session >>> 24);

	private int callbackThreads = EngineThreads.CALLBACK_THREADS;

	private @Nullable Tasks tasks;

	ZooKeeperLockProviderBuilder(CuratorFramework client) {
		this(new CuratorConnection(Objects.requireNonNull(client, "client must not be null")));
	}

	ZooKeeperLockProviderBuilder(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Set a name for messages and threads, if there are several providers.
	 * @param name the name. The default is the empty text: no name
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder name(String name) {
		this.name = Objects.requireNonNull(name, "name must not be null");
		return this;
	}

	/**
	 * Set how long {@link ZooKeeperLockProvider#close()} waits for locks that are held.
	 * @param shutdownGrace the longest wait. The default is zero
	 * @return this builder
	 * @throws IllegalArgumentException if it is negative
	 */
	public ZooKeeperLockProviderBuilder shutdownGrace(Duration shutdownGrace) {
		if (shutdownGrace.isNegative()) {
			throw new IllegalArgumentException("shutdownGrace " + shutdownGrace + " is negative: give zero or more");
		}
		this.shutdownGrace = shutdownGrace;
		return this;
	}

	/**
	 * Set the node under which the keys live.
	 * @param root a path. The default is {@code /locks}
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder root(String root) {
		this.root = Objects.requireNonNull(root, "root must not be null");
		return this;
	}

	/**
	 * Set the permissions of the nodes.
	 * @param aclProvider the ACL of each path. It is asked on the thread that requests a
	 * lock, which it may block. The default is open to all clients
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder aclProvider(ACLProvider aclProvider) {
		this.aclProvider = Objects.requireNonNull(aclProvider, "aclProvider must not be null");
		return this;
	}

	/**
	 * Set the name of the application that the nodes show.
	 * @param application the name. The default is {@code application}
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder application(String application) {
		this.application = Objects.requireNonNull(application, "application must not be null");
		return this;
	}

	/**
	 * Set the instance of the application that the nodes show.
	 * @param instance the instance. The default is {@code <host>:<pid>}
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder instance(String instance) {
		this.instance = Objects.requireNonNull(instance, "instance must not be null");
		return this;
	}

	/**
	 * Set how much the nodes show about the holder of a lock.
	 * @param ownerDetail how much. The default is {@link OwnerDetail#FULL}
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder ownerDetail(OwnerDetail ownerDetail) {
		this.ownerDetail = Objects.requireNonNull(ownerDetail, "ownerDetail must not be null");
		return this;
	}

	/**
	 * Set how long a non-blocking request may take to get its answer, or all requests for
	 * several keys together. While the first connection of the client is being made, they
	 * wait for it as well, for the connection timeout of the client at most.
	 * @param tryTimeout the bound. The default is 500 milliseconds
	 * @return this builder
	 * @throws IllegalArgumentException if it is not greater than zero
	 */
	public ZooKeeperLockProviderBuilder tryTimeout(Duration tryTimeout) {
		this.tryTimeout = positive(tryTimeout, "tryTimeout", "a bound like Duration.ofMillis(500)");
		return this;
	}

	/**
	 * Set how long a commit waits for an interrupted connection. The wait ends in any
	 * case when the locks can be lost.
	 * @param commitWait the bound, zero for no wait. By default only the end of the lease
	 * ends the wait
	 * @return this builder
	 * @throws IllegalArgumentException if it is negative
	 * @see io.github.zklock.core.LockHandle#whenCertain()
	 */
	public ZooKeeperLockProviderBuilder commitWait(Duration commitWait) {
		if (commitWait.isNegative()) {
			throw new IllegalArgumentException(
					"commitWait " + commitWait + " is negative: set a bound like Duration.ofSeconds(5), or zero");
		}
		this.commitWait = commitWait;
		return this;
	}

	/**
	 * Set the tick of the servers, which a client cannot query. A lock is certain to be
	 * held until shortly before its session could end. If the tick is set too short, that
	 * moment is too late; if it is set too long, it is earlier than needed. The leader
	 * hears of clients every half tick. It hears of the clients of an observer that
	 * follows a follower ({@code observerMasterPort}) half a tick later: then it has to
	 * be twice as long.
	 * @param serverTick the {@code tickTime} in the configuration of the servers. The
	 * default is 2 seconds
	 * @return this builder
	 * @throws IllegalArgumentException if it is not greater than zero
	 */
	public ZooKeeperLockProviderBuilder serverTick(Duration serverTick) {
		this.serverTick = positive(serverTick, "serverTick", "the tickTime of the servers, like Duration.ofSeconds(2)");
		return this;
	}

	/**
	 * Set the order in which callers that wait for a key get it.
	 * @param fairness the order. The default is {@link Fairness#BOUNDED}
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder fairness(Fairness fairness) {
		this.fairness = Objects.requireNonNull(fairness, "fairness must not be null");
		return this;
	}

	/**
	 * Set whether {@link io.github.zklock.core.LockHandle#release()} waits until
	 * ZooKeeper has confirmed it, one second at most, or three while the connection is
	 * lost. Otherwise the lock is free after one more trip to ZooKeeper. The next request
	 * of the same process still comes after it, but a non-blocking attempt of another
	 * process may find the key taken. A loss that shows only then is logged and reported
	 * to listeners, but no call fails.
	 * @param awaitRelease whether it waits. The default is {@code true}
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder awaitRelease(boolean awaitRelease) {
		this.awaitRelease = awaitRelease;
		return this;
	}

	/**
	 * Set how much callers may request.
	 * @param limits the limits. The default is {@link LockLimits#DEFAULT}
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder limits(LockLimits limits) {
		this.limits = Objects.requireNonNull(limits, "limits must not be null");
		return this;
	}

	/**
	 * Set after which time without a connection requests are refused at once, until the
	 * connection is back. Requests that wait already are refused then as well.
	 * @param outageFailFast the time, or {@code null} for never. The default is never
	 * @return this builder
	 * @throws IllegalArgumentException if it is not greater than zero
	 */
	public ZooKeeperLockProviderBuilder outageFailFast(@Nullable Duration outageFailFast) {
		this.outageFailFast = (outageFailFast != null)
				? positive(outageFailFast, "outageFailFast", "a time like Duration.ofSeconds(5)") : null;
		return this;
	}

	/**
	 * Set a secret: ZooKeeper then sees a digest (HMAC-SHA-256) in place of each key. Use
	 * it if keys are personal data. All clients of a lock need the same.
	 * @param keyDigestSecret the secret, or {@code null} to show the keys. The default is
	 * {@code null}
	 * @return this builder
	 * @throws IllegalArgumentException if it has less than 16 characters
	 */
	public ZooKeeperLockProviderBuilder keyDigestSecret(@Nullable String keyDigestSecret) {
		if (keyDigestSecret != null && keyDigestSecret.length() < 16) {
			throw new IllegalArgumentException("keyDigestSecret is too short: give 16 characters or more");
		}
		this.shownKey = (keyDigestSecret != null) ? new KeyDigest(keyDigestSecret) : UnaryOperator.identity();
		return this;
	}

	/**
	 * Set the source of the reason why the client has no connection.
	 * @param connectionProblem returns the reason, as the end of a sentence, or
	 * {@code null} while it knows none; must not block. The default knows none
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder connectionProblem(Supplier<@Nullable String> connectionProblem) {
		this.connectionProblem = Objects.requireNonNull(connectionProblem, "connectionProblem must not be null");
		return this;
	}

	/**
	 * Set the source of the trace of the calling thread, which the nodes show with
	 * {@link OwnerDetail#FULL}.
	 * @param traceId returns the trace id as W3C Trace Context writes it, 32 hexadecimal
	 * digits; anything else is left out. Called on the thread that requests a lock, each
	 * time. The default knows none
	 * @return this builder
	 */
	public ZooKeeperLockProviderBuilder traceId(Supplier<@Nullable String> traceId) {
		this.traceId = Objects.requireNonNull(traceId, "traceId must not be null");
		return this;
	}

	/**
	 * Set how many threads run what depends on asynchronous requests, and listeners for
	 * the loss of a lock. More are started while none of them ends within a second, since
	 * they may wait for each other.
	 * @param callbackThreads the number. The default is 64
	 * @return this builder
	 * @throws IllegalArgumentException if it is not greater than zero
	 */
	public ZooKeeperLockProviderBuilder callbackThreads(int callbackThreads) {
		if (callbackThreads < 1) {
			throw new IllegalArgumentException(
					"callbackThreads " + callbackThreads + " is not greater than zero: give a number like 64");
		}
		this.callbackThreads = callbackThreads;
		return this;
	}

	/**
	 * Set what stands for time and threads, instead of the threads of this library.
	 */
	ZooKeeperLockProviderBuilder tasks(Tasks tasks) {
		this.tasks = tasks;
		return this;
	}

	/**
	 * Set the source of the process number in node names, one for each session. It is
	 * random by default.
	 */
	ZooKeeperLockProviderBuilder processNumber(LongUnaryOperator processNumber) {
		this.processNumber = processNumber;
		return this;
	}

	/**
	 * Build the provider, which takes note of the client's connection from now on.
	 * @return the provider
	 * @throws IllegalArgumentException if the root is not a valid path below {@code /}
	 */
	public ZooKeeperLockProvider build() {
		ZooKeeperLockProvider provider = new ZooKeeperLockProvider(this);
		provider.engine.start();
		return provider;
	}

	/**
	 * Return the name as messages show it.
	 */
	String label() {
		return this.name.isEmpty() ? "" : " (provider '" + LockKeys.printable(this.name) + "')";
	}

	SessionTracker.Client client() {
		return new SessionTracker.Client(this.connection, label(), this.serverTick, this.connectionProblem);
	}

	OwnerData ownerData() {
		return new OwnerData(this.application, this.instance, this.ownerDetail == OwnerDetail.FULL, this.traceId);
	}

	Tasks tasks() {
		return (this.tasks != null) ? this.tasks : new EngineThreads(this::threads, this.callbackThreads);
	}

	private ThreadFactory threads(String purpose) {
		return EngineThreads.daemons("zk-lock-" + (this.name.isEmpty() ? "" : this.name + "-") + purpose + "-");
	}

	private static Duration positive(Duration value, String name, String remedy) {
		Objects.requireNonNull(value, () -> name + " must not be null");
		if (value.isZero() || value.isNegative()) {
			throw new IllegalArgumentException(name + " " + value + " is not greater than zero: give " + remedy);
		}
		return value;
	}

}
