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

package io.github.zklock.zookeeper.queue;

import java.lang.reflect.Field;
import java.util.stream.Stream;

import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.queue.MinimumHolds.MinimumHold;
import io.github.zklock.zookeeper.session.LockNode;

/**
 * Places that hold a lock, for tests that let nothing enter ZooKeeper's queue.
 */
public final class HeldPlaces {

	private HeldPlaces() {
	}

	/**
	 * Return a place that is first with this node.
	 */
	public static Place of(Services services, LockNode node, LockRequest request) {
		Place place = place(services, node, request);
		place.hold();
		return place;
	}

	/**
	 * Return a place with the minimum time of a request.
	 */
	public static Place stamped(Services services, LockNode node, LockRequest request) {
		Place place = place(services, node, request);
		setStamp(place, AtLeastStamp.of(node.contender(), 1, request, 100));
		place.hold();
		return place;
	}

	private static Gate atLeastGate(Place place) throws ReflectiveOperationException {
		Field gates = Gates.class.getDeclaredField("gates");
		gates.setAccessible(true);
		return Stream.of((Gate[]) gates.get(place.gates()))
			.filter(AtLeastGate.class::isInstance)
			.findFirst()
			.orElseThrow();
	}

	private static void setStamp(Place place, AtLeastStamp stamp) {
		try {
			Field own = AtLeastGate.class.getDeclaredField("own");
			own.setAccessible(true);
			own.set(atLeastGate(place), stamp);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Place place(Services services, LockNode node, LockRequest request) {
		Place place = new Place(services, node.session(), request, new byte[0],
				services.paths().askForAcls(request.key()), new QueueMutex(services.tasks()), null);
		// Its node has another name.
		services.names().forget(place.name);
		place.to(PlaceState.CREATING);
		place.nodeCreated(node);
		return place;
	}

	/**
	 * Return whether the time has begun and is not over.
	 */
	public static boolean isRunning(MinimumHold time) {
		return time.isRunning();
	}

}
