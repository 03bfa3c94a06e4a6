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

import java.util.List;

/**
 * A page of the keys that ZooKeeper has, with their queues.
 *
 * @param pattern the pattern that was asked for
 * @param page the number of the page, from 0
 * @param size how many keys a page has at most
 * @param matching how many keys match the pattern
 * @param keys how many keys there are, those without a contender included: ZooKeeper
 * deletes their nodes after a while
 * @param queues the queues of the page, in the order of the keys
 * @since 0.1.0
 * @see ZooKeeperLockInspector
 */
public record ZooKeeperLockQueues(String pattern, int page, int size, int matching, int keys,
		List<ZooKeeperLockQueue> queues) {

}
