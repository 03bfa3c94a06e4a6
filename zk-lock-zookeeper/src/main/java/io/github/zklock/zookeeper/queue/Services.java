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

import java.util.List;
import java.util.function.BiConsumer;

import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.session.KeyDirectories;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.EngineTasks;

/**
 * What the contenders of a provider share.
 *
 * @param tracker provides the session
 * @param tasks provide the clock and threads
 * @param paths the paths and permissions of the keys
 * @param names creates the names of contenders
 * @param janitor deletes nodes that are not needed any more
 * @param directories the directories of the keys
 * @param gates make what stands between the first place of a queue and the lock, in the
 * order in which it is passed
 * @param found takes the session and path of a node that another client has created, so
 * that its ACL is compared
 */
public record Services(SessionTracker tracker, EngineTasks tasks, LockPaths paths, ContenderNames names,
		NodeJanitor janitor, KeyDirectories directories, List<Gate.Source> gates,
		BiConsumer<LockSession, String> found) {

}
