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

import io.github.zklock.zookeeper.ZooKeeperLockProviderBuilder;

/**
 * Callback for beans that customize the provider of the locks before it is built, after
 * the properties were applied. It sets what has no property, such as the name of the
 * instance or the number of callback threads. Not called for a {@code LockProvider} bean
 * of the application.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ZooKeeperLockProviderBuilderCustomizer {

	/**
	 * Customize the builder of the provider.
	 * @param builder the builder
	 */
	void customize(ZooKeeperLockProviderBuilder builder);

}
