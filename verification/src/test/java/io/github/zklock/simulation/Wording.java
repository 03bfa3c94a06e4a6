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
import java.util.Map;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link RecordedClient} writes down requests and replies: all of them but times
 * and the ids of sessions.
 */
final class Wording {

	private static final Map<Integer, String> KINDS = Map.of(OpCode.create, "create", OpCode.create2, "create2",
			OpCode.createContainer, "createContainer", OpCode.delete, "delete", OpCode.setData, "setData", OpCode.check,
			"check", OpCode.getData, "getData", OpCode.getChildren, "getChildren");

	private final Side side;

	Wording(Side side) {
		this.side = side;
	}

	static String of(Op operation) {
		return KINDS.getOrDefault(operation.getType(), "?") + " " + operation.getPath();
	}

	String of(@Nullable Stat stat) {
		if (stat == null) {
			return "no stat";
		}
		return String.format(
				"czxid @%d@ mzxid @%d@ pzxid @%d@ version %d cversion %d aversion %d owner %s length %d"
						+ " children %d",
				stat.getCzxid(), stat.getMzxid(), stat.getPzxid(), stat.getVersion(), stat.getCversion(),
				stat.getAversion(), this.side.owner(stat.getEphemeralOwner()), stat.getDataLength(),
				stat.getNumChildren());
	}

	String of(OpResult result) {
		if (result instanceof OpResult.CreateResult create) {
			return "created " + create.getPath() + " " + of(create.getStat());
		}
		if (result instanceof OpResult.SetDataResult set) {
			return "set " + of(set.getStat());
		}
		if (result instanceof OpResult.ErrorResult error) {
			return "error " + Code.get(error.getErr());
		}
		if (result instanceof OpResult.GetChildrenResult read) {
			return "children " + read.getChildren();
		}
		if (result instanceof OpResult.GetDataResult read) {
			return "data " + of(read.getData()) + " " + of(read.getStat());
		}
		return result.getClass().getSimpleName();
	}

	static String of(byte @Nullable [] data) {
		return (data != null) ? new String(data, StandardCharsets.UTF_8) : "no data";
	}

}
