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
import org.apache.zookeeper.data.ACL;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may do what with a node, in the words of the application. If it has none, or fails,
 * the server gets an empty list, which it refuses: whoever wants the lock is told so, and
 * nothing is left half done.
 */
public final class NodeAcls {

	private static final Logger logger = LoggerFactory.getLogger(NodeAcls.class);

	private final ACLProvider provider;

	public NodeAcls(ACLProvider provider) {
		this.provider = provider;
	}

	public List<ACL> of(String path) {
		try {
			List<ACL> acl = this.provider.getAclForPath(path);
			return (acl != null) ? acl : List.of();
		}
		catch (Throwable ex) {
			logger.error("The ACL provider {} has failed, so the lock at {} is refused", this.provider, path, ex);
			return List.of();
		}
	}

}
