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

package io.github.zklock.benchmarks.service;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.lock.LockResponse;
import io.etcd.jetcd.options.GetOption;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/**
 * The lock service of etcd. Each thread has a lease of its own, which is kept alive,
 * since one lease counts as one owner.
 */
final class EtcdLocks implements Locks {

	// jetcd has no default. The sessions of etcd's Go client have this one.
	private static final long DEFAULT_LEASE_SECONDS = 60;

	private final Client client;

	private final long leaseSeconds;

	private final ThreadLocal<Lease> leases = ThreadLocal.withInitial(this::grant);

	EtcdLocks(String address, Duration lease) {
		this.client = Client.builder().endpoints("http://" + address).build();
		this.leaseSeconds = lease.isZero() ? DEFAULT_LEASE_SECONDS : lease.toSeconds();
	}

	@Override
	public Held lock(String key) throws Exception {
		Lease lease = this.leases.get();
		return held(lease, this.client.getLockClient().lock(bytes(key), lease.id).get());
	}

	/**
	 * There is no such call: an attempt reads the queue, and a bounded wait gives up
	 * waiting for the answer.
	 */
	@Override
	public @Nullable Held tryLock(String key, Duration wait) throws Exception {
		Lease lease = this.leases.get();
		if (wait.isZero() && !this.client.getKVClient()
			.get(bytes(key + "/"), GetOption.builder().isPrefix(true).withLimit(1).build())
			.get()
			.getKvs()
			.isEmpty()) {
			return null;
		}
		return held(lease,
				this.client.getLockClient()
					.lock(bytes(key), lease.id)
					.get(Math.max(1, wait.toMillis()), TimeUnit.MILLISECONDS));
	}

	@Override
	public void close() {
		this.client.close();
	}

	private Lease grant() {
		try {
			long id = this.client.getLeaseClient().grant(this.leaseSeconds).get().getID();
			Lease lease = new Lease(id);
			this.client.getLeaseClient().keepAlive(id, lease);
			return lease;
		}
		catch (Exception ex) {
			throw new IllegalStateException("No lease", ex);
		}
	}

	private Held held(Lease lease, LockResponse response) {
		return new Held() {

			@Override
			public boolean seemsHeld() {
				return !lease.ended;
			}

			@Override
			public long token() {
				return response.getHeader().getRevision();
			}

			@Override
			public void unlock() throws Exception {
				EtcdLocks.this.client.getLockClient().unlock(response.getKey()).get();
			}

		};
	}

	private static ByteSequence bytes(String key) {
		return ByteSequence.from(key, StandardCharsets.UTF_8);
	}

	private static final class Lease implements StreamObserver<LeaseKeepAliveResponse> {

		private final long id;

		private volatile boolean ended;

		private Lease(long id) {
			this.id = id;
		}

		@Override
		public void onNext(LeaseKeepAliveResponse response) {
		}

		@Override
		public void onError(Throwable error) {
			this.ended = true;
		}

		@Override
		public void onCompleted() {
			this.ended = true;
		}

	}

}
