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

package io.github.zklock.autoconfigure;

import io.github.zklock.core.spi.LockProvider;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for a ZooKeeper server within the application, for development. It
 * applies with {@code zk-lock.embedded.enabled=true}, unless there are connection details
 * already, such as the details of a container. A child context uses the server of its
 * parent.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = ZkLockAutoConfiguration.class)
@ConditionalOnClass(ZooKeeperServerEmbedded.class)
@ConditionalOnBooleanProperty("zk-lock.embedded.enabled")
@ConditionalOnBooleanProperty(name = "zk-lock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ZkLockProperties.class)
@Import(ZkLockPropertiesRegistrar.class)
public final class ZkLockEmbeddedAutoConfiguration {

	// A client of the application may want its address, or another server.
	@Bean
	@Lazy
	@ConditionalOnMissingBean({ ZkLockConnectionDetails.class, LockProvider.class })
	EmbeddedZooKeeper zkLockEmbeddedZooKeeper(ZkLockProperties properties, Environment environment) {
		return new EmbeddedZooKeeper(properties.embedded(), environment);
	}

}
