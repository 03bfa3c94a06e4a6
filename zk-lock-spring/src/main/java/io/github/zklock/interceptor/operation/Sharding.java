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

package io.github.zklock.interceptor.operation;

/**
 * Into how many shards the ticks of a method are split.
 *
 * @param shards the number, 1 if they are not split
 * @param perNode how many shards of one tick a node runs at once
 * @since 0.1.0
 */
public record Sharding(int shards, int perNode) {

	/** The ticks are not split. */
	public static final Sharding NONE = new Sharding(1, 1);

	/**
	 * Return the key of the lock of one shard.
	 * @param key the key of the job
	 * @param shard which shard, from 0
	 * @return the key
	 */
	public static String key(String key, int shard) {
		return key + "#" + shard;
	}

}
