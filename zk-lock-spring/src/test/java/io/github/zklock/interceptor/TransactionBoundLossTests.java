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
import java.util.function.Consumer;

import io.github.zklock.core.LockLostException;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What happens to a transaction that loses a lock which was taken inside it.
 */
class TransactionBoundLossTests extends AbstractTransactionTests {

	@Test
	void lockThatIsLostRollsTheTransactionBack() {
		assertRolledBack((loss) -> {
			this.locked.run("a", () -> {
			});
			loss.run();
		});
	}

	@Test
	void lossOfTheLockIsSeenAtTheEndOfTheMethodAndCannotBeSwallowed() {
		assertRolledBack((loss) -> assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locked.run("a", loss)));
	}

	@Test
	void failureOfTheMethodStaysPrimaryWhenItsLockIsLost() {
		assertRolledBack((loss) -> assertThatIllegalStateException().isThrownBy(() -> this.locked.run("a", () -> {
			loss.run();
			throw new IllegalStateException("wanted");
		})).satisfies((ex) -> assertThat(ex.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class)));
	}

	@Test
	void threadIsInterruptedOnlyInsideTheMethod() {
		assertRolledBack((loss) -> {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.locked.interrupting(() -> {
				loss.run();
				assertThat(Thread.currentThread().isInterrupted()).isTrue();
			}));
			assertThat(Thread.interrupted()).isFalse();
		});
		assertRolledBack((loss) -> {
			this.locked.interrupting(() -> {
			});
			loss.run();
			assertThat(Thread.interrupted()).isFalse();
		});
	}

	@Test
	void lossThatIsIgnoredDoesNotKeepTheTransactionFromCommitting() {
		for (String manager : List.of("transactionManager", "listeningTransactionManager")) {
			template(manager, TransactionDefinition.PROPAGATION_REQUIRED)
				.executeWithoutResult((status) -> this.locked.ignoring(this.provider::loseAll));
			this.locked.ignoring(() -> template(manager, TransactionDefinition.PROPAGATION_REQUIRED)
				.executeWithoutResult((status) -> this.provider.loseAll()));
		}
		assertThat(this.events.list()).filteredOn("tx-commit"::equals).hasSize(4);
	}

	private void assertRolledBack(Consumer<Runnable> body) {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> inTransaction(() -> body.accept(this.provider::loseAll)));
		assertThat(this.events.list()).contains("tx-rollback").doesNotContain("tx-commit");
	}

}
