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

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.TrustManagerFactory;

import org.apache.curator.framework.CuratorFrameworkFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

/**
 * Does in the background, while the application reads its configuration, what the first
 * client for ZooKeeper in a JVM would wait for. ZooKeeper's client asks the JVM for its
 * TLS protocols, even if it uses none, and for the answer the JVM reads its trusted
 * certificates. They are shared as long as somebody has them. The default
 * {@link javax.net.ssl.SSLContext} is left alone, since beans may still set the
 * properties that it is made of.
 */
class ZooKeeperClientPreparation implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final Logger logger = LoggerFactory.getLogger(ZooKeeperClientPreparation.class);

	// For ever, like the JVM's default context.
	private static final AtomicReference<@Nullable TrustManagerFactory> certificates = new AtomicReference<>();

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		ClassLoader classLoader = context.getClassLoader();
		if (Runtime.getRuntime().availableProcessors() > 1 && !NativeDetector.inNativeImage()
				&& context.getEnvironment().getProperty("zk-lock.enabled", "true").equals("true")
				&& ClassUtils.isPresent("org.apache.curator.framework.CuratorFrameworkFactory", classLoader)) {
			DaemonThreads.start("zk-lock-preparation", ZooKeeperClientPreparation::prepare);
		}
	}

	private static void prepare() {
		try {
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			if (certificates.compareAndSet(null, factory)) {
				factory.init((KeyStore) null);
				CuratorFrameworkFactory.builder();
			}
		}
		catch (GeneralSecurityException | RuntimeException | LinkageError ex) {
			logger.debug("The first client for ZooKeeper is not prepared, and will be slower", ex);
		}
	}

}
