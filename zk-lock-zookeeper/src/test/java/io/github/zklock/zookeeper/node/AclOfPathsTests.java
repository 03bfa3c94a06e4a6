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

import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ACLs of the nodes above all keys are asked for until the provider knows them.
 */
class AclOfPathsTests {

	private List<ACL> answer;

	private final LockPaths paths = new LockPaths("", "/locks", new ACLProvider() {

		@Override
		public List<ACL> getDefaultAcl() {
			return AclOfPathsTests.this.answer;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return AclOfPathsTests.this.answer;
		}

	});

	@Test
	void onlyAnAclThatIsNotEmptyIsRemembered() {
		this.paths.askForAcls("a");
		assertThat(this.paths.aclOfSessions()).as("null").isEmpty();
		this.answer = List.of();
		this.paths.askForAcls("a");
		assertThat(this.paths.aclOfSessions()).isEmpty();
		this.answer = Ids.CREATOR_ALL_ACL;
		this.paths.askForAcls("a");
		assertThat(this.paths.aclOfSessions()).isEqualTo(Ids.CREATOR_ALL_ACL);
		this.answer = Ids.OPEN_ACL_UNSAFE;
		this.paths.askForAcls("a");
		assertThat(this.paths.aclOfSessions()).isEqualTo(Ids.CREATOR_ALL_ACL);
	}

}
