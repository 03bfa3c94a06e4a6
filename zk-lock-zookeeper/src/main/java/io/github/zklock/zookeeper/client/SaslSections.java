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

package io.github.zklock.zookeeper.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;

import org.jspecify.annotations.Nullable;

/**
 * The JAAS configuration of the JVM, with one more section for each of our clients.
 * ZooKeeper's client looks for its user only there. The earlier configuration still
 * works, and is restored when no client is left. If another library has wrapped this one
 * meanwhile, this one stays, and is empty.
 *
 * @since 0.1.0
 */
public final class SaslSections extends Configuration {

	private static final AtomicLong count = new AtomicLong();

	// Of all instances, so that a section can be removed whatever wraps an instance.
	private static final Map<String, AppConfigurationEntry> sections = new ConcurrentHashMap<>();

	private final @Nullable Configuration others;

	private SaslSections(@Nullable Configuration others) {
		this.others = others;
	}

	/**
	 * Add a section.
	 * @param loginModule the class of the login module
	 * @param options its options
	 * @return the name of the section
	 */
	public static synchronized String add(String loginModule, Map<String, String> options) {
		String section = "zk-lock-" + count.incrementAndGet();
		sections.put(section,
				new AppConfigurationEntry(loginModule, LoginModuleControlFlag.REQUIRED, Map.copyOf(options)));
		if (loginModule(section) == null) {
			Configuration.setConfiguration(new SaslSections(present()));
		}
		return section;
	}

	/**
	 * Remove a section.
	 * @param section its name
	 */
	public static synchronized void remove(String section) {
		sections.remove(section);
		if (sections.isEmpty() && present() instanceof SaslSections ours) {
			Configuration.setConfiguration(ours.others);
		}
	}

	/**
	 * Return the login module of a section.
	 * @param section the name of the section
	 * @return its class, or {@code null} if there is no such section
	 */
	public static @Nullable String loginModule(String section) {
		Configuration present = present();
		AppConfigurationEntry[] entries = (present != null) ? present.getAppConfigurationEntry(section) : null;
		return (entries != null && entries.length > 0) ? entries[0].getLoginModuleName() : null;
	}

	// A JVM without a configuration throws.
	private static @Nullable Configuration present() {
		try {
			return Configuration.getConfiguration();
		}
		catch (SecurityException ex) {
			return null;
		}
	}

	@Override
	public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String name) {
		AppConfigurationEntry section = sections.get(name);
		if (section != null) {
			return new AppConfigurationEntry[] { section };
		}
		return (this.others != null) ? this.others.getAppConfigurationEntry(name) : null;
	}

	@Override
	public void refresh() {
		if (this.others != null) {
			this.others.refresh();
		}
	}

}
