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

/**
 * Distributed locks: handles, requests, templates, and what a backend implements.
 */
module io.github.zklock.core {

	requires org.slf4j;

	requires static transitive org.jspecify;

	exports io.github.zklock.core;
	exports io.github.zklock.core.spi;
	exports io.github.zklock.core.spi.support;

	// The other modules of zk-lock, which have automatic names.
	exports io.github.zklock.core.internal to io.github.zklock.zookeeper, io.github.zklock.spring,
			io.github.zklock.boot.autoconfigure, io.github.zklock.test;

}
