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

import org.apache.jute.Record;
import org.apache.zookeeper.proto.CheckVersionRequest;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.RemoveWatchesRequest;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.proto.SyncRequest;
import org.jspecify.annotations.Nullable;

/**
 * Which node a request is about.
 */
final class RequestPaths {

	private RequestPaths() {
	}

	/**
	 * Return the path of a request, or nothing when it has none or several.
	 */
	static String of(@Nullable Record record) {
		if (record instanceof CreateRequest create) {
			return create.getPath();
		}
		if (record instanceof DeleteRequest delete) {
			return delete.getPath();
		}
		if (record instanceof SetDataRequest write) {
			return write.getPath();
		}
		if (record instanceof SyncRequest sync) {
			return sync.getPath();
		}
		return ofRead(record);
	}

	private static String ofRead(@Nullable Record record) {
		if (record instanceof ExistsRequest exists) {
			return exists.getPath();
		}
		if (record instanceof GetDataRequest read) {
			return read.getPath();
		}
		if (record instanceof GetChildrenRequest list) {
			return list.getPath();
		}
		if (record instanceof GetChildren2Request list) {
			return list.getPath();
		}
		if (record instanceof RemoveWatchesRequest remove) {
			return remove.getPath();
		}
		return (record instanceof CheckVersionRequest check) ? check.getPath() : "";
	}

}
