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

import java.io.IOException;

import io.github.zklock.simulation.Cable;
import io.github.zklock.simulation.FailedStep;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooKeeper.WatchRegistration;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * A client at whose requests the step of the engine that sends them may fail.
 */
final class FailingClient extends SimulatedClient {

	private final FailedStep.Place failing;

	FailingClient(Cable cable, HostProvider hosts, int sessionTimeout, ZKClientConfig config, Watcher watcher,
			SimulatedSocket socket, boolean readOnly, @Nullable String chroot) throws IOException {
		super(cable, hosts, sessionTimeout, config, watcher, socket, readOnly, chroot);
		this.failing = new FailedStep.Place(cable.schedule().trace());
	}

	FailedStep.Place failing() {
		return this.failing;
	}

	@Override
	public Packet queuePacket(RequestHeader header, @Nullable ReplyHeader reply, @Nullable Record request,
			@Nullable Record response, @Nullable AsyncCallback callback, @Nullable String clientPath,
			@Nullable String serverPath, @Nullable Object context, @Nullable WatchRegistration registration,
			@Nullable WatchDeregistration deregistration) {
		boolean fails = callback != null && this.failing.isAfter(header.getType());
		Packet packet = super.queuePacket(header, reply, request, response, callback, clientPath, serverPath, context,
				registration, deregistration);
		if (fails) {
			this.failing.end();
		}
		return packet;
	}

}
