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

package io.github.zklock.fencing;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.LockCommit;
import io.github.zklock.core.internal.LockOwners;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.fencing.FenceRaise.LaterHolder;
import io.github.zklock.fencing.FenceTable.Refusal;
import io.github.zklock.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The {@link FencedTransactions} of relational databases, each with a table of its own.
 *
 * @since 0.1.0
 */
public final class DatabaseFences implements FencedTransactions {

	private final Function<String, DataSource> dataSources;

	private final FenceSettings settings;

	private final Supplier<? extends Collection<FencedTransactions.Listener>> listeners;

	private final Map<String, FenceTable> tables = new ConcurrentHashMap<>();

	// Compared by identity, as long as they are used.
	private final Map<LockHandle, Raised> raised = Collections.synchronizedMap(new WeakHashMap<>());

	/**
	 * Create it.
	 * @param dataSources returns the data source of a name, or of {@link #DEFAULT}
	 * @param settings what holds for all of them
	 * @param listeners returns what is notified
	 */
	public DatabaseFences(Function<String, DataSource> dataSources, FenceSettings settings,
			Supplier<? extends Collection<FencedTransactions.Listener>> listeners) {
		this.dataSources = dataSources;
		this.settings = settings;
		this.listeners = listeners;
	}

	@Override
	public void raise(LockHandle handle, String dataSource) {
		FenceTable table = table(dataSource);
		LockScope scope = LockScope.ofThread();
		List<LockHandle> around = (scope != null) ? scope.locks() : List.of();
		for (LockHandle each : handle.handles()) {
			if (!NoOpLockProvider.isTurnedOff(each)) {
				requireChecked(each, scope, around);
				String database = raise(each, table, around);
				this.raised.computeIfAbsent(each, (unknown) -> new Raised()).tables.put(table, database);
			}
		}
	}

	// Returns in which database.
	private String raise(LockHandle handle, FenceTable table, List<LockHandle> around) {
		if (isInTransaction(table)) {
			// A nested lock has the token of the one around it, which was raised before
			// the transaction.
			return around.stream()
				.filter((other) -> isSame(other, handle))
				.map((other) -> raisedIn(other, table))
				.filter(Objects::nonNull)
				.findFirst()
				.orElseThrow(() -> insideATransaction(handle.key()));
		}
		FenceRaise.Result result = table.raise(handle);
		LaterHolder later = result.later();
		if (later != null) {
			notify((listener) -> listener.raiseRefused(handle));
			throw LockCommit.notBegun(handle, around, later.reason(handle), later.hint());
		}
		notify((listener) -> listener.raised(handle));
		return result.table();
	}

	private @Nullable String raisedIn(LockHandle handle, FenceTable table) {
		Raised found = this.raised.get(handle);
		return (found != null) ? found.tables.get(table) : null;
	}

	// A manager without synchronization binds its connection all the same.
	private static boolean isInTransaction(FenceTable table) {
		return TransactionSynchronizationManager.isActualTransactionActive()
				|| (!TransactionSynchronizationManager.isSynchronizationActive() && table.isInTransaction());
	}

	private boolean isSame(LockHandle one, LockHandle other) {
		return one.fencingToken() == other.fencingToken() && one.mode() == other.mode()
				&& this.settings.rows(one).equals(this.settings.rows(other));
	}

	private static void requireChecked(LockHandle handle, @Nullable LockScope scope, List<LockHandle> around) {
		if (scope == null || !around.contains(handle)) {
			throw new IllegalStateException("The fence of lock '" + handle.key()
					+ "' cannot be raised, since no commit "
					+ "of this thread would be checked: the thread does not run under the lock, or its loss is "
					+ "ignored. Raise the fence in the body of LockOperations.execute or LockHandle.call, for a lock "
					+ "without onLost = IGNORE");
		}
		if (LockOwners.isShared(scope, handle)) {
			throw new IllegalStateException("The fence of lock '" + handle.key() + "' cannot be raised, since it has "
					+ "permits, whose holders do not exclude each other. Acquire it without permits");
		}
	}

	/**
	 * Refuse a call inside a transaction before its locks are acquired, unless it only
	 * re-enters locks whose fences were raised around the transaction.
	 */
	void requireNoTransaction(List<LockRequest> requests, String dataSource) {
		FenceTable table = table(dataSource);
		if (!isInTransaction(table)) {
			return;
		}
		LockScope scope = LockScope.ofThread();
		List<LockHandle> around = (scope != null) ? scope.locks() : List.of();
		for (LockRequest request : requests) {
			if (around.stream().noneMatch((other) -> isOf(other, request) && raisedIn(other, table) != null)) {
				throw insideATransaction(request.key());
			}
		}
	}

	private static boolean isOf(LockHandle handle, LockRequest request) {
		return handle.key().equals(request.key()) && handle.mode() == request.mode();
	}

	private static IllegalTransactionStateException insideATransaction(String key) {
		return new IllegalTransactionStateException("The fence of lock '" + key
				+ "' cannot be raised inside a transaction, which may have read before the lock was acquired. Call "
				+ "the @Fenced method outside the transaction and let it begin its own, as with @Transactional "
				+ "on the same method");
	}

	/**
	 * Check that a data source can be used, and make its table if that is wanted.
	 * @param dataSource the name of the data source
	 * @throws io.github.zklock.core.InvalidLockUsageException if not
	 */
	public void prepare(String dataSource) {
		table(dataSource).prepare();
	}

	private FenceTable table(String name) {
		FenceTable known = this.tables.get(name);
		if (known != null) {
			return known;
		}
		FenceTable table = new FenceTable(name.isEmpty() ? "default" : name, this.dataSources.apply(name),
				this.settings);
		FenceTable earlier = this.tables.putIfAbsent(name, table);
		return (earlier != null) ? earlier : table;
	}

	@Override
	public void beforeCommit(TransactionExecution transaction, List<LockHandle> locks) {
		// A nested transaction ends with the release of its savepoint, and commits
		// nothing.
		if (transaction instanceof TransactionStatus status && status.hasSavepoint()) {
			return;
		}
		Map<FenceTable, Map<LockHandle, String>> fences = fences(locks);
		if (fences.isEmpty()) {
			return;
		}
		// Hibernate would write only after the check, and keep the row locked longer.
		if (!transaction.isReadOnly() && transaction instanceof TransactionStatus status) {
			status.flush();
		}
		fences.forEach((table, handles) -> {
			Refusal refusal = table.check(handles, transaction.isReadOnly());
			if (refusal != null) {
				notify((listener) -> listener.commitRefused(refusal.handle()));
				throw LockCommit.refused(refusal.handle(), locks, refusal.reason(), refusal.cause());
			}
		});
		fences.values().forEach((handles) -> handles.keySet().forEach(this::used));
	}

	// With the databases in which they were raised.
	private Map<FenceTable, Map<LockHandle, String>> fences(List<LockHandle> locks) {
		Map<FenceTable, Map<LockHandle, String>> fences = new LinkedHashMap<>();
		for (LockHandle lock : locks) {
			Raised found = this.raised.get(lock);
			if (found != null) {
				found.tables.forEach((table, database) -> {
					if (table.isInTransaction()) {
						fences.computeIfAbsent(table, (unknown) -> new LinkedHashMap<>()).put(lock, database);
					}
				});
			}
		}
		return fences;
	}

	private void used(LockHandle handle) {
		Raised found = this.raised.get(handle);
		if (found != null) {
			found.used = true;
		}
	}

	/**
	 * Return whether a transaction was checked under a lock.
	 */
	boolean isUsed(LockHandle handle) {
		return handle.handles().stream().map(this.raised::get).anyMatch((found) -> found != null && found.used);
	}

	private void notify(Consumer<FencedTransactions.Listener> event) {
		this.listeners.get().forEach(event);
	}

	/**
	 * The tables in which a lock was raised, with their databases: a data source may
	 * route to several.
	 */
	private static final class Raised {

		final Map<FenceTable, String> tables = new ConcurrentHashMap<>();

		volatile boolean used;

	}

}
