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

package org.apache.zookeeper;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.LinkedBlockingDeque;

import io.github.zklock.simulation.Lane;
import org.apache.zookeeper.ClientCnxn.EventThread;
import org.apache.zookeeper.ClientCnxn.Packet;
import org.apache.zookeeper.ZooKeeper.WatchRegistration;
import org.jspecify.annotations.Nullable;

/**
 * The event thread of a client as a lane: each reply and each event is one task, and the
 * client's own code delivers it.
 */
final class EventDelivery {

	private static final Lookup LOOKUP = MethodHandles.lookup();

	private static final Class<?> PAIR = nested("WatcherSetEventPair");

	private static final MethodHandle WAITING = getter(EventThread.class, "waitingEvents");

	private static final MethodHandle KILLED = setter(EventThread.class, "wasKilled");

	private static final MethodHandle RUNNING = setter(EventThread.class, "isRunning");

	private static final MethodHandle PROCESS = process();

	private static final MethodHandle WATCHERS = getter(PAIR, "watchers");

	private static final MethodHandle EVENT = getter(PAIR, "event");

	private static final MethodHandle OUTGOING = getter(ClientCnxn.class, "outgoingQueue");

	private static final MethodHandle PENDING = getter(ClientCnxn.class, "pendingQueue");

	private static final MethodHandle WATCHER = getter(WatchRegistration.class, "watcher");

	private final EventThread thread;

	private final Lane lane;

	private final Queue<Object> waiting;

	/** The client keeps watchers in sets of identity; here they have an order. */
	private final Map<Object, Integer> numbers = new IdentityHashMap<>();

	private int scheduled;

	private boolean delivering;

	private boolean dead;

	EventDelivery(EventThread thread, Lane lane) {
		this.thread = thread;
		this.lane = lane;
		this.waiting = get(WAITING, thread);
	}

	boolean isDelivering() {
		return this.delivering;
	}

	void number(@Nullable WatchRegistration registration) {
		if (registration != null) {
			Object watcher = get(WATCHER, registration);
			this.numbers.putIfAbsent(watcher, this.numbers.size());
		}
	}

	/**
	 * Make a task of each reply or event that was queued meanwhile.
	 */
	void pump() {
		while (this.scheduled < this.waiting.size() && !this.lane.isStopped()) {
			this.scheduled++;
			this.lane.run("deliver", this::deliver);
		}
	}

	private void deliver() {
		this.scheduled--;
		Object next = this.waiting.remove();
		this.delivering = true;
		try {
			if (PAIR.isInstance(next)) {
				deliverEvent(next);
			}
			else if (next.getClass() == Object.class) {
				die();
			}
			else {
				call(PROCESS, this.thread, next);
			}
		}
		finally {
			this.delivering = false;
		}
		if (this.dead && this.waiting.isEmpty()) {
			call(RUNNING, this.thread, false);
			this.lane.stop();
		}
		pump();
	}

	// As the thread does at the end: from now on callbacks run where a request is made.
	private void die() {
		this.dead = true;
		call(RUNNING, this.thread, true);
		call(KILLED, this.thread, true);
	}

	private void deliverEvent(Object pair) {
		WatchedEvent event = get(EVENT, pair);
		Set<Watcher> set = get(WATCHERS, pair);
		List<Watcher> watchers = new ArrayList<>(set);
		if (watchers.size() > 1) {
			watchers.sort(Comparator.comparingInt((watcher) -> this.numbers.getOrDefault(watcher, -1)));
		}
		for (Watcher watcher : watchers) {
			try {
				watcher.process(event);
			}
			catch (RuntimeException | Error ex) {
				// The client only logs it.
			}
		}
	}

	static LinkedBlockingDeque<Packet> outgoing(ClientCnxn connection) {
		return get(OUTGOING, connection);
	}

	static Queue<Packet> pending(ClientCnxn connection) {
		return get(PENDING, connection);
	}

	private static Class<?> nested(String name) {
		for (Class<?> type : ClientCnxn.class.getDeclaredClasses()) {
			if (type.getSimpleName().equals(name)) {
				return type;
			}
		}
		throw new IllegalStateException(name);
	}

	private static MethodHandle getter(Class<?> type, String name) {
		try {
			Lookup lookup = MethodHandles.privateLookupIn(type, LOOKUP);
			return lookup.unreflectGetter(type.getDeclaredField(name)).asType(MethodType.genericMethodType(1));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static MethodHandle setter(Class<?> type, String name) {
		try {
			Lookup lookup = MethodHandles.privateLookupIn(type, LOOKUP);
			return lookup.unreflectSetter(type.getDeclaredField(name))
				.asType(MethodType.methodType(void.class, Object.class, Object.class));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static MethodHandle process() {
		try {
			Lookup lookup = MethodHandles.privateLookupIn(EventThread.class, LOOKUP);
			return lookup.unreflect(EventThread.class.getDeclaredMethod("processEvent", Object.class))
				.asType(MethodType.methodType(void.class, Object.class, Object.class));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static <T> T get(MethodHandle getter, Object target) {
		try {
			return (T) (Object) getter.invokeExact(target);
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void call(MethodHandle handle, Object target, Object argument) {
		try {
			handle.invokeExact(target, argument);
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

}
