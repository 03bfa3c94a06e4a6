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

package io.github.zklock.zookeeper.local;

import io.github.zklock.support.Interleaving;

/**
 * What two threads do at once to a node that is kept, for {@link InterleavingTests}.
 */
public final class KeptNodeInterleavings {

	private KeptNodeInterleavings() {
	}

	/** Who takes a lock by a kept node while the session ends learns that. */
	public static class Loss extends Interleaving {

		private LincheckScene scene;

		private ZooKeeperLockHandle taken;

		@Override
		public void begin() {
			this.scene = LincheckScene.keeping();
		}

		@Override
		public void one() {
			this.taken = this.scene.takeAtOnce();
		}

		@Override
		public void other() {
			this.scene.session().lose();
		}

		@Override
		public void end() {
			// A look at its state would tell of the loss.
			require(this.scene.held().size() == 0, "nobody holds it");
			require(this.taken == null || this.taken.loss() != null, "its holder can know");
		}

	}

	/** Who takes a lock by a kept node while that is found gone learns that. */
	public static class Delete extends Interleaving {

		private LincheckScene scene;

		private Turn kept;

		private ZooKeeperLockHandle taken;

		@Override
		public void begin() {
			this.scene = LincheckScene.keeping();
			this.kept = this.scene.kept();
		}

		@Override
		public void one() {
			this.taken = this.scene.takeAtOnce();
		}

		@Override
		public void other() {
			this.kept.lost();
		}

		@Override
		public void end() {
			require(this.scene.held().size() == 0, "nobody holds it");
			require(this.taken == null || this.taken.loss() != null, "its holder is told");
			require(this.scene.engine().cache().size() == 0, "no node is kept");
		}

	}

	/** A node that is released while its process ends is not kept. */
	public static class End extends Interleaving {

		private LincheckScene scene;

		private ZooKeeperLockHandle handle;

		@Override
		public void begin() {
			this.scene = LincheckScene.keeping();
			this.handle = this.scene.takeAtOnce();
		}

		@Override
		public void one() {
			this.handle.releaseAsync();
		}

		@Override
		public void other() {
			this.scene.engine().cache().close();
		}

		@Override
		public void end() {
			require(this.scene.engine().cache().size() == 0, "no node is kept");
			require(this.scene.takeAtOnce() == null, "nobody can have it");
		}

	}

}
