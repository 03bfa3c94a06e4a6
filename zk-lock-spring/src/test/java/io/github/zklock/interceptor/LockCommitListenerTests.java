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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.transaction.LockCommitListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockCommitListener}: locks around transactions.
 */
@ExtendWith(OutputCaptureExtension.class)
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
	void rollbackIsNotContradictedByASuppressedException() {
		Consumer<Runnable> locked = (body) -> this.locked.run("a", body);
		Consumer<Runnable> inTransaction = (body) -> this.required
			.executeWithoutResult((status) -> this.locked.run("a", body));
		assertThat(List.of(locked, inTransaction)).allSatisfy((call) -> {
			Runnable lost = () -> this.requiresNew.executeWithoutResult((status) -> this.provider.loseAll());
			assertThatExceptionOfType(LockLostBeforeCommitException.class).isThrownBy(() -> call.accept(lost))
				.withMessageContaining("safe to try it again")
				.satisfies((ex) -> assertThat(ex).hasNoSuppressedExceptions());
		});
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
		assertStays(() -> this.required.executeWithoutResult((status) -> {
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
	void newTransactionInsideOneWhoseLockIsLostIsRolledBackToo() {
		assertThatExceptionOfType(LockLostBeforeCommitException.class)
			.isThrownBy(() -> this.required.executeWithoutResult((status) -> {
				this.locked.run("a", () -> {
				});
				this.provider.loseAll();
				this.requiresNew.executeWithoutResult((inner) -> this.events.add("work"));
			}));
		assertThat(this.events.list()).containsExactly("tx-begin", "lock a", "body", "tx-begin", "work", "tx-rollback",
				"tx-rollback", "unlock a");
	}

	@Test
	void newTransactionInsideOneWhoseLockIsHeldCommits() {
		this.required.executeWithoutResult((status) -> {
			this.locked.run("a", () -> {
			});
			this.requiresNew.executeWithoutResult((inner) -> this.events.add("work"));
		});
		assertThat(this.events.list()).containsExactly("tx-begin", "lock a", "body", "tx-begin", "work", "tx-commit",
				"tx-commit", "unlock a");
	}

	@Test
	void transactionOnAnotherThreadIsNotCheckedAndAWarningSaysSo(CapturedOutput output) {
		CompletableFuture<Void> result = async(UnaryOperator.identity());
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result.get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockLostException.class);
		assertThat(this.events.list()).contains("tx-commit");
		assertThat(output.toString().lines().filter((line) -> line.contains("transactions there were not rolled back")))
			.hasSize(1)
			.allMatch((line) -> line.contains("WARN"));
	}

	@Test
	void transactionOnAnotherThreadThatTakesTheScopeAlongIsRolledBack(CapturedOutput output) {
		CompletableFuture<Void> result = async(LockHandle::propagate);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> result.get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockLostBeforeCommitException.class)
			.satisfies((ex) -> assertThat(ex.getCause()).hasNoSuppressedExceptions());
		assertThat(this.events.list()).contains("tx-rollback").doesNotContain("tx-commit");
		assertThat(output.toString()).contains("No commit: ").doesNotContain("were not rolled back");
	}

	private CompletableFuture<Void> async(UnaryOperator<Runnable> decorator) {
		return this.context.getBean(LockTemplate.class)
			.executeAsync(LockRequest.of("a"), (handle) -> CompletableFuture
				.runAsync(decorator.apply(() -> this.required.executeWithoutResult(this::loseAll))));
	}

	private void loseAll(TransactionStatus status) {
		this.provider.loseAll();
	}

	@Test
	void transactionWithoutLockIsLeftAlone() {
		this.locked.run("a", this.provider::keysInUse);
		this.required.executeWithoutResult((status) -> this.events.add("work"));
		assertThat(this.events.list()).containsExactly("lock a", "body", "unlock a", "tx-begin", "work", "tx-commit");
	}

	// The call of the outer method must not be tried again, whatever the inner one did.
	@Test
	void transactionThatIsCommittedUnderALockAroundTheLostOneStays() {
		assertStays(() -> {
			this.required.executeWithoutResult((status) -> this.events.add("work"));
			this.locked.run("b", () -> this.required.executeWithoutResult((status) -> this.provider.loseAll()));
		});
	}

	@Test
	void transactionOfTheLockBeforeDoesNotCount() {
		this.locked.run("a", () -> this.required.executeWithoutResult((status) -> this.events.add("work")));
		assertSafe(() -> this.required.executeWithoutResult((status) -> this.provider.loseAll()));
	}

	@Test
	void transactionThatWasRolledBackDoesNotStay() {
		assertSafe(() -> {
			this.required.executeWithoutResult(TransactionStatus::setRollbackOnly);
			this.required.executeWithoutResult((status) -> this.provider.loseAll());
		});
	}

	@Test
	void transactionThatOnlyReadDoesNotStay() {
		TransactionTemplate reading = template("listeningTransactionManager",
				TransactionDefinition.PROPAGATION_REQUIRED);
		reading.setReadOnly(true);
		assertSafe(() -> {
			reading.executeWithoutResult((status) -> this.events.add("work"));
			this.required.executeWithoutResult((status) -> this.provider.loseAll());
		});
	}

	private void assertStays(Runnable body) {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.locked.run("a", body))
			.isNotInstanceOf(LockLostBeforeCommitException.class)
			.withMessageContaining("is rolled back, but what was committed before under the lock stays");
	}

	private void assertSafe(Runnable body) {
		assertThatExceptionOfType(LockLostBeforeCommitException.class).isThrownBy(() -> this.locked.run("a", body))
			.withMessageContaining("is rolled back, and it is safe to try it again");
	}

	private void assertLost(Runnable body) {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.locked.run("a", body))
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("a"));
	}

}
