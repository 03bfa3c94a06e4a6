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

import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockCommitListener}: locks around transactions.
 */
class LockCommitListenerTests extends AbstractTransactionTests {

	private final TransactionTemplate required = template("listeningTransactionManager",
			TransactionDefinition.PROPAGATION_REQUIRED);

	private final TransactionTemplate requiresNew = template("listeningTransactionManager",
			TransactionDefinition.PROPAGATION_REQUIRES_NEW);

	@Test
	void transactionUnderALockCommits() {
		this.locked.run("a", () -> this.required.executeWithoutResult((status) -> this.events.add("work")));
		assertThat(this.events.list()).containsExactly("lock a", "body", "tx-begin", "work", "tx-commit", "unlock a");
	}

	@Test
	void transactionUnderALostLockIsRolledBack() {
		assertLost(() -> this.required.executeWithoutResult((status) -> this.provider.loseAll()));
		assertThat(this.events.list()).contains("tx-rollback").doesNotContain("tx-commit");
	}

	@Test
	void allLocksOfTheThreadAreChecked() {
		assertLost(() -> this.locked.run("b",
				() -> this.required.executeWithoutResult((status) -> this.provider.lose("a"))));
		assertThat(this.events.list()).contains("tx-rollback").doesNotContain("tx-commit");
	}

	@Test
	void lockOfATemplateIsCheckedAsWell() {
		LockTemplate template = this.context.getBean(LockTemplate.class);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> template.<Void, RuntimeException>execute(LockRequest.of("a"), (handle) -> {
				this.required.executeWithoutResult((status) -> this.provider.loseAll());
				return null;
			}));
		assertThat(this.events.list()).contains("tx-rollback").doesNotContain("tx-commit");
	}

	@Test
	void transactionThatIsCommittedBeforeTheLossStays() {
		assertLost(() -> this.required.executeWithoutResult((status) -> {
			this.requiresNew.executeWithoutResult((inner) -> this.events.add("work"));
			this.provider.loseAll();
		}));
		assertThat(this.events.list()).containsExactly("lock a", "body", "tx-begin", "tx-begin", "work", "tx-commit",
				"tx-rollback", "unlock a");
	}

	@Test
	void newTransactionUnderALostLockIsRolledBackToo() {
		assertLost(() -> this.required.executeWithoutResult((status) -> {
			this.provider.loseAll();
			this.requiresNew.executeWithoutResult((inner) -> this.events.add("work"));
		}));
		assertThat(this.events.list()).containsExactly("lock a", "body", "tx-begin", "tx-begin", "work", "tx-rollback",
				"tx-rollback", "unlock a");
	}

	// What runs after the check of the transaction's own synchronization.
	@Test
	void lossInALaterSynchronizationIsSeen() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.required.executeWithoutResult((status) -> {
				this.locked.run("a", () -> {
				});
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void beforeCommit(boolean readOnly) {
						LockCommitListenerTests.this.provider.loseAll();
					}

				});
			}));
		assertThat(this.events.list()).contains("tx-rollback").doesNotContain("tx-commit");
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void transactionWithoutLockIsLeftAlone() {
		this.locked.run("a", this.provider::keysInUse);
		this.required.executeWithoutResult((status) -> this.events.add("work"));
		assertThat(this.events.list()).containsExactly("lock a", "body", "unlock a", "tx-begin", "work", "tx-commit");
	}

	private void assertLost(Runnable body) {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.locked.run("a", body))
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("a"));
	}

}
