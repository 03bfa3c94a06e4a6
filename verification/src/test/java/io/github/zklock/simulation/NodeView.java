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

import java.util.List;

/**
 * A node of the committed tree, as the judge sees it.
 *
 * @param path where it is
 * @param czxid the transaction that created it
 * @param version how often its data was written
 * @param ephemeralOwner the session it belongs to, or 0; see {@code EphemeralType} for
 * containers
 * @param data what it holds
 * @param children the names of its children, in their order
 */
public record NodeView(String path, long czxid, int version, long ephemeralOwner, byte[] data, List<String> children) {

}
