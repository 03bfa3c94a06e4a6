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

package io.github.zklock.sample;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the whole sample application.
 *
 * @param nodes how many nodes to start in this process
 * @param port the first HTTP port to try; {@code 0} lets every node take any free port
 * @param accident whether one node hangs and loses its session while it runs the
 * stock-take; needs several nodes
 * @param console whether every node serves the page of the console
 * @param directory the directory of the database that several processes share;
 * {@code null} lets this process create one with a name that no other user can know
 */
@ConfigurationProperties("sample")
record SampleProperties(@DefaultValue("3") int nodes, @DefaultValue("8081") int port,
		@DefaultValue("true") boolean accident, @DefaultValue("true") boolean console, @Nullable Path directory) {

	SampleProperties {
		if (nodes < 1) {
			throw new IllegalArgumentException("sample.nodes is " + nodes + "; start at least one node");
		}
	}

}
