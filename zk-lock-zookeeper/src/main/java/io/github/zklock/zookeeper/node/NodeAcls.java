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

package io.github.zklock.zookeeper.node;

import java.util.List;

import org.apache.zookeeper.data.ACL;

/**
 * The path of a request and the ACLs of its nodes. The application was asked for them
 * before the request took any lock of the engine.
 *
 * @param path the full path of the directory of the key
 * @param directory the ACL of that directory
 * @param nodes the ACL of each node in it
 */
public record NodeAcls(String path, List<ACL> directory, List<ACL> nodes) {

}
