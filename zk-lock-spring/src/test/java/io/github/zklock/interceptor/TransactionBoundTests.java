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

package io.github.zklock.interceptor;

import java.util.List;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * When a lock is released that was taken inside a transaction.
 */
class TransactionBoundTests extends AbstractTransactionTests {

	@Test
	void lockIsKeptUntilTheCommit() {
		inTransaction(() -> {
			this.locked.run("a", () -> assertThat(LockHandle.current().key()).isEqualTo("a"));
			this.events.add("work");
			assertThatIllegalStateException().isThrownBy(LockHandle::current);
		});
		assertThat(this.events.list()).containsExactly("tx-begin", "lock a", "body", "work", "tx-commit", "unlock a");
	}

	@Test
	void lockIsKeptUntilTheRollback() {
		assertThatIllegalStateException().isThrownBy(() -> inTransaction(() -> {
			this.locked.run("a", () -> {
			});
			throw new IllegalStateException("wanted");
		}));
		assertThat(this.events.list()).containsExactly("tx-begin", "lock a", "body", "tx-rollback", "unlock a");
	}

	@Test
	void lockOfAMethodThatThrowsIsKeptSinceTheTransactionMayGoOn() {
		inTransaction(() -> {
			assertThatIllegalStateException().isThrownBy(() -> this.locked.run("a", () -> {
				throw new IllegalStateException("wanted");
			})).satisfies((ex) -> assertThat(ex).hasNoSuppressedExceptions());
			this.events.add("caught");
		});
		assertThat(this.events.list()).containsExactly("tx-begin", "lock a", "body", "caught", "tx-commit", "unlock a");
	}

	@Test
	void releaseMethodGivesTheLockBackAtTheEndOfTheMethod() {
		inTransaction(this.locked::released);
		assertThat(this.events.list()).containsExactly("tx-begin", "lock method", "body", "unlock method", "tx-commit");
	}

	@Test
	void withoutTransactionTheLockIsReleasedAtTheEndOfTheMethod() {
		TransactionTemplate supports = template("transactionManager", TransactionDefinition.PROPAGATION_SUPPORTS);
		supports.executeWithoutResult((status) -> {
			this.locked.run("a", () -> {
			});
			this.events.add("work");
		});
		assertThat(this.events.list()).containsExactly("lock a", "body", "unlock a", "work");
	}

	@Test
	void locksAreReleasedInReverse() {
		inTransaction(() -> {
			this.locked.runAll(List.of("d", "c"));
			this.locked.run("a", () -> this.locked.run("b", () -> {
			}));
			this.locked.run("a", () -> {
			});
		});
		assertThat(this.events.list()).containsSubsequence("tx-commit", "unlock a", "unlock b", "unlock a", "unlock d",
				"unlock c");
	}

	@Test
	void transactionThatIsSuspendedKeepsItsLocks() {
		inTransaction(() -> {
			this.locked.run("a", () -> {
			});
			for (String manager : List.of("transactionManager", "otherTransactionManager")) {
				template(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult((status) -> {
					this.locked.run("b", () -> {
					});
					this.locked.run("a", () -> {
					});
				});
			}
			this.locked.run("c", () -> {
			});
		});
		assertThat(this.events.list().stream().filter((event) -> !"body".equals(event))).containsExactly("tx-begin",
				"lock a", "tx-begin", "lock b", "lock a", "tx-commit", "unlock a", "unlock b", "tx-begin", "lock b",
				"lock a", "tx-commit", "unlock a", "unlock b", "lock c", "tx-commit", "unlock c", "unlock a");
	}

	@Test
	void lockInANestedTransactionIsKeptUntilTheWholeOneEnds() {
		inTransaction(() -> template("transactionManager", TransactionDefinition.PROPAGATION_NESTED)
			.executeWithoutResult((status) -> {
				this.locked.run("a", () -> {
				});
				status.setRollbackOnly();
			}));
		assertThat(this.events.list()).containsExactly("tx-begin", "lock a", "body", "tx-commit", "unlock a");
	}

	@Test
	void otherSynchronizationsEndBeforeTheLockIsReleased() {
		inTransaction(() -> {
			this.locked.run("a", () -> {
			});
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					TransactionBoundTests.this.locked.run("b", () -> {
					});
				}

				@Override
				public void afterCompletion(int status) {
					TransactionBoundTests.this.events.add("completed");
					TransactionBoundTests.this.locked.run("c", () -> {
					});
				}

			});
		});
		assertThat(this.events.list()).containsExactly("tx-begin", "lock a", "body", "tx-commit", "lock b", "body",
				"completed", "lock c", "body", "unlock c", "unlock b", "unlock a");
	}

	@Test
	void refusalLeavesTheTransactionAlone() {
		LockHandle holder = this.provider.acquire(LockRequest.of("a").withOwner("another"));
		inTransaction(() -> assertThat(this.locked.skipped("a")).isNull());
		holder.release();
		inTransaction(() -> assertThat(this.locked.skipped("a")).isEqualTo("ran"));
		assertThat(this.events.list()).containsExactly("tx-begin", "refused a", "tx-commit", "tx-begin", "lock a",
				"body", "tx-commit", "unlock a");
	}

}
