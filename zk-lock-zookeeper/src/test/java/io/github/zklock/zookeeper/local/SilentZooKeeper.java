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

import java.util.function.Consumer;

import org.apache.zookeeper.AsyncCallback.Children2Callback;
import org.apache.zookeeper.AsyncCallback.ChildrenCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.objenesis.ObjenesisStd;

/**
 * A client whose requests are never answered, unless a test says what was read. It has no
 * thread and no socket.
 */
class SilentZooKeeper extends ZooKeeper {

	private LincheckScene scene;

	private Consumer<VoidCallback> deletes;

	private boolean disconnected;

	// It is never called: that would start threads.
	SilentZooKeeper() throws Exception {
		super("localhost", 0, null);
	}

	static SilentZooKeeper create() {
		return new ObjenesisStd().newInstance(SilentZooKeeper.class);
	}

	void begin(LincheckScene scene) {
		this.scene = scene;
		this.deletes = null;
		this.disconnected = false;
	}

	void disconnect() {
		this.disconnected = true;
	}

	/**
	 * Hand what asks for a delete to the test, to be answered by that.
	 */
	void begin(Consumer<VoidCallback> deletes) {
		this.deletes = deletes;
	}

	@Override
	public States getState() {
		return this.disconnected ? States.CONNECTING : States.CONNECTED;
	}

	@Override
	public long getSessionId() {
		return 1;
	}

	@Override
	public int getSessionTimeout() {
		return LincheckScene.SESSION_TIMEOUT;
	}

	@Override
	public void delete(String path, int version, VoidCallback callback, Object context) {
		if (this.deletes != null) {
			this.deletes.accept(callback);
		}
		else {
			this.scene.deleted(path);
		}
	}

	@Override
	public void getChildren(String path, Watcher watcher, ChildrenCallback callback, Object context) {
		this.scene.asked((children) -> callback.processResult(0, path, context, children));
	}

	@Override
	public void getChildren(String path, boolean watch, ChildrenCallback callback, Object context) {
	}

	@Override
	public void getChildren(String path, Watcher watcher, Children2Callback callback, Object context) {
	}

}
