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

package io.github.zklock.support;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what a follower sends to its leader, packet by packet. It can keep back the
 * confirmations of proposals, while pings and the requests of clients pass.
 */
final class QuorumAcks {

	private static final int ACK = 3;

	private final List<Packet> held = new ArrayList<>();

	private boolean holding;

	synchronized void hold(boolean holds) {
		this.holding = holds;
		if (holds) {
			return;
		}
		for (Packet packet : this.held) {
			try {
				packet.target.write(packet.bytes);
			}
			catch (IOException ex) {
				// That connection is gone.
			}
		}
		this.held.clear();
	}

	void pump(InputStream stream, Target target) throws IOException {
		DataInputStream in = new DataInputStream(stream);
		while (true) {
			int type = in.readInt();
			pass(type, new Packet(read(type, in), target));
		}
	}

	private synchronized void pass(int type, Packet packet) throws IOException {
		if (this.holding && type == ACK) {
			this.held.add(packet);
		}
		else {
			packet.target.write(packet.bytes);
		}
	}

	// A record of the type, the id of a transaction, data and a list of identities.
	private static byte[] read(int type, DataInputStream in) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(bytes);
		out.writeInt(type);
		out.writeLong(in.readLong());
		copyBuffer(in, out);
		int identities = in.readInt();
		out.writeInt(identities);
		for (int i = 0; i < identities; i++) {
			copyBuffer(in, out);
			copyBuffer(in, out);
		}
		return bytes.toByteArray();
	}

	private static void copyBuffer(DataInputStream in, DataOutputStream out) throws IOException {
		int length = in.readInt();
		out.writeInt(length);
		if (length > 0) {
			byte[] data = new byte[length];
			in.readFully(data);
			out.write(data);
		}
	}

	/**
	 * Where packets go.
	 */
	interface Target {

		void write(byte[] packet) throws IOException;

	}

	private record Packet(byte[] bytes, Target target) {

	}

}
