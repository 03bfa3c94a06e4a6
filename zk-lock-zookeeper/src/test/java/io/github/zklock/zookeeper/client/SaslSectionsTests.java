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

import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;

import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sections of our clients beside other libraries that set the configuration of the
 * JVM.
 */
class SaslSectionsTests {

	private static final Configuration NONE = new Wrapper(null);

	@BeforeEach
	@AfterEach
	void reset() {
		Configuration.setConfiguration(NONE);
	}

	@Test
	void sectionIsRemovedEvenIfAnotherLibraryHasWrappedTheConfiguration() {
		String first = add();
		Configuration.setConfiguration(new Wrapper(Configuration.getConfiguration()));
		String second = add();
		assertThat(SaslSections.loginModule(first)).isNotNull();
		assertThat(SaslSections.loginModule(second)).isNotNull();
		SaslSections.remove(first);
		assertThat(SaslSections.loginModule(first)).isNull();
		assertThat(SaslSections.loginModule(second)).isNotNull();
		SaslSections.remove(second);
		assertThat(SaslSections.loginModule(second)).isNull();
		assertThat(Configuration.getConfiguration()).isInstanceOf(Wrapper.class);
	}

	@Test
	void earlierConfigurationIsRestored() {
		String section = add();
		assertThat(Configuration.getConfiguration()).isInstanceOf(SaslSections.class);
		SaslSections.remove(section);
		assertThat(Configuration.getConfiguration()).isSameAs(NONE);
	}

	private static String add() {
		return SaslSections.add(DigestLoginModule.class.getName(), Map.of("username", "app"));
	}

	private static final class Wrapper extends Configuration {

		private final Configuration wrapped;

		Wrapper(Configuration wrapped) {
			this.wrapped = wrapped;
		}

		@Override
		public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
			return (this.wrapped != null) ? this.wrapped.getAppConfigurationEntry(name) : null;
		}

	}

}
