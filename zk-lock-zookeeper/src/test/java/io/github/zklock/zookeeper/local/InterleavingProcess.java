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

package io.github.zklock.zookeeper.local;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.zklock.support.Interleaving;
import io.github.zklock.zookeeper.session.LeaseHeartbeat;
import io.github.zklock.zookeeper.session.SessionLease;
import io.github.zklock.zookeeper.tasks.StackRoom;
import org.slf4j.LoggerFactory;

/**
 * Checks interleavings, one after the other, in a process of its own: Lincheck changes
 * the classes of its process, and takes less time where these are not optimised.
 */
public final class InterleavingProcess {

	private static final String DETAILS = "Detailed trace:";

	private InterleavingProcess() {
	}

	/**
	 * Print for each whether it holds, or the order of steps that breaks it.
	 * @param arguments names of classes
	 */
	public static void main(String[] arguments) throws Exception {
		((Logger) LoggerFactory.getLogger(HeldLocks.class)).setLevel(Level.OFF);
		for (String name : arguments) {
			Class<? extends Interleaving> interleaving = Class.forName(name).asSubclass(Interleaving.class);
			try {
				Interleaving.check(interleaving, StackRoom.class, SessionLease.class, SessionLease.Terms.class,
						LeaseHeartbeat.class);
				System.out.println(name + " holds");
			}
			catch (Throwable ex) {
				System.out.println(ex.toString().split(DETAILS)[0]);
				System.out.println(name + " is broken");
			}
		}
	}

}
