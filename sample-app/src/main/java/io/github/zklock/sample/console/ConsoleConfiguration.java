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

package io.github.zklock.sample.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What the consoles of all nodes of this process share.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "sample.console", matchIfMissing = true)
public class ConsoleConfiguration {

	@Bean
	LockHistory lockHistory() {
		return new LockHistory();
	}

	@Bean
	ConsoleToken consoleToken() {
		return new ConsoleToken();
	}

	@Bean
	NodeStates nodeStates(ConsoleCluster cluster) {
		return new NodeStates(cluster);
	}

	@Bean
	ClusterView clusterView(ConsoleCluster cluster, LockHistory history) {
		return new ClusterView(cluster, history);
	}

	@Bean
	ConsoleEvents consoleEvents(NodeStates nodes, ClusterView view, LockHistory history) {
		return new ConsoleEvents(nodes, view, history);
	}

	@Bean
	Together together() {
		return new Together();
	}

	@Bean
	ConsoleThreads consoleThreads() {
		return new ConsoleThreads();
	}

	@Bean
	ConsoleActions consoleActions(ConsoleCluster cluster, NodeStates nodes, Together together, ConsoleEvents events,
			ConsoleThreads threads, @Value("${zk-lock.session-timeout}") Duration sessionTimeout) {
		List<ConsoleAction> actions = new ArrayList<>();
		actions.addAll(new NodeActions(cluster, nodes, new ReportTicks(cluster)).all());
		actions.addAll(new StaleWrites(cluster, nodes, sessionTimeout, threads).all());
		actions.addAll(new LateCommits(cluster, nodes, threads).all());
		actions.addAll(new Scenes(cluster, together, threads).all());
		actions.addAll(new NodeDeaths(cluster).all());
		actions.addAll(new JobScenes(cluster).all());
		actions.addAll(new RoleScenes(cluster).all());
		return new ConsoleActions(cluster, events, threads, List.copyOf(actions));
	}

}
