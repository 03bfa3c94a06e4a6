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

package io.github.zklock;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The engine has rooms, one above the other, and no class knows a room above its own.
 */
class EngineRoomsTests {

	private static final String ENGINE = "io.github.zklock.zookeeper";

	// From below; above them all are the provider and what belongs to it.
	private static final List<Set<String>> ROOMS = List.of(
			// Clock, timer and callbacks.
			Set.of("Tasks", "MendedTasks", "Mender", "EngineThreads", "StackRoom", "BoundedWait", "AdaptiveGuess"),
			// Names, paths, keys and parsed listings.
			Set.of("KeyEncoding", "KeyPattern", "LockPaths", "NodeAcls", "ContenderNames", "QueueNode", "QueueListing",
					"QueuePlace", "AtLeastStamp", "TickRecord", "OwnerData", "ReplyCode"),
			// What is sent, perhaps together.
			Set.of("CombinableRequest", "ListRequest", "EntryRequest", "RemovalRequest", "DirectoryRequest",
					"RequestBatch", "RequestCombiner", "WatchRemovals"),
			// A session and what lives in it.
			Set.of("LockSession", "SessionTracker", "SessionLease", "SessionPulse", "LeaseTerms", "LeaseHeartbeat",
					"LeaseMember", "LockNode", "ServerClock", "NodeJanitor", "ReleasedNode", "QuietQueues",
					"KnownDirectories", "NewDirectories", "AuthenticationFailures", "Connection", "CuratorConnection"),
			// One place in ZooKeeper's queue.
			Set.of("QueueContender", "NodeCreation", "DirectoryCreation", "PredecessorWatch", "AtLeastGate",
					"AtLeastTime", "AtLeastTimes", "StampMemory", "TickGate", "TickMemory", "ContenderKnowledge",
					"Contenders", "QueueMutex", "AttemptFailures", "HolderLookup"),
			// The queue of this process.
			Set.of("LocalQueue", "LocalQueues", "LocalHandOff", "LocalHolder", "LockAttempt", "Turn", "RemoteWaiters",
					"Waiters", "TryGrace", "CachedNode", "CachedNodes", "HeldLocks", "LostLocks",
					"ZooKeeperLockHandle"));

	// What users give and get.
	private static final Set<String> SETTINGS_AND_RESULTS = Set.of("OwnerDetail", "ZooKeeperLockProviderBuilder",
			"ZooKeeperLockSnapshot", "ZooKeeperLockStatus");

	private static final JavaClasses CLASSES = new ClassFileImporter().withImportOption(new DoNotIncludeTests())
		.importPackages(ENGINE);

	@Test
	void noClassKnowsARoomAboveItsOwn() {
		List<String> upward = new ArrayList<>();
		for (JavaClass type : CLASSES) {
			for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
				JavaClass target = dependency.getTargetClass().getBaseComponentType();
				if (target.getPackageName().equals(ENGINE) && room(target) > room(type)
						&& !SETTINGS_AND_RESULTS.contains(file(target))) {
					upward.add(dependency.getDescription());
				}
			}
		}
		assertThat(upward).isEmpty();
	}

	@Test
	void everyClassThatIsNamedIsThere() {
		Set<String> missing = new TreeSet<>();
		ROOMS.forEach(missing::addAll);
		CLASSES.forEach((type) -> missing.remove(file(type)));
		assertThat(missing).isEmpty();
	}

	private static int room(JavaClass type) {
		for (int i = 0; i < ROOMS.size(); i++) {
			if (ROOMS.get(i).contains(file(type))) {
				return i;
			}
		}
		return ROOMS.size();
	}

	private static String file(JavaClass type) {
		String name = type.getName().substring(type.getPackageName().length() + 1);
		return name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
	}

}
