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

package io.github.zklock.transaction.commit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.PlainLockHandle;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TransactionLocks}: what only a transaction manager of a server does.
 */
@ExtendWith(OutputCaptureExtension.class)
class TransactionLocksTests {

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	@BeforeEach
	void begin() {
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
	}

	@AfterEach
	void clear() {
		TransactionSynchronizationManager.clear();
		assertThat(this.provider.keysInUse()).isZero();
	}

	@Test
	void completionWithoutItsBeginningReleases() {
		TransactionLocks.ofTransaction().add(acquire("a"), LossPolicy.FAIL_AT_EXIT);
		complete(TransactionSynchronization.STATUS_COMMITTED);
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void completionOnAnotherThreadReleases() throws Exception {
		TransactionLocks ended = TransactionLocks.ofTransaction();
		ended.add(acquire("a"), LossPolicy.FAIL_AT_EXIT);
		List<TransactionSynchronization> synchronizations = TransactionSynchronizationManager.getSynchronizations();
		CompletableFuture
			.runAsync(() -> TransactionSynchronizationUtils.invokeAfterCompletion(synchronizations,
					TransactionSynchronization.STATUS_ROLLED_BACK))
			.get(30, TimeUnit.SECONDS);
		assertThat(this.provider.keysInUse()).isZero();
		LockHandle late = acquire("b");
		assertThatIllegalStateException().isThrownBy(() -> ended.add(late, LossPolicy.FAIL_AT_EXIT))
			.withMessageContaining("Lock 'b' (EXCLUSIVE)")
			.withMessageContaining("its timeout may be too short");
		assertThat(late.state()).isEqualTo(LockState.RELEASED);
		assertThat(TransactionLocks.current()).isNull();
		TransactionSynchronizationManager.clear();
		begin();
		assertThat(TransactionLocks.ofTransaction()).isNotSameAs(ended);
		complete(TransactionSynchronization.STATUS_COMMITTED);
	}

	@Test
	void transactionIsResumedWhateverIsLeftOfAnother() throws Exception {
		TransactionLocks outer = TransactionLocks.ofTransaction();
		outer.suspend();
		TransactionSynchronizationManager.clear();
		begin();
		TransactionLocks inner = TransactionLocks.ofTransaction();
		CompletableFuture.runAsync(() -> inner.afterCompletion(TransactionSynchronization.STATUS_ROLLED_BACK))
			.get(30, TimeUnit.SECONDS);
		outer.resume();
		assertThat(TransactionLocks.current()).isSameAs(outer);
		outer.afterCompletion(TransactionSynchronization.STATUS_COMMITTED);
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void errorOfOneReleaseLeavesNoOtherLock() {
		LockHandle failing = new PlainLockHandle(LockRequest.of("b"), 1) {

			@Override
			public void release() {
				throw new StackOverflowError("wanted");
			}

		};
		TransactionLocks.ofTransaction().add(acquire("a"), LossPolicy.FAIL_AT_EXIT);
		TransactionLocks.ofTransaction().add(failing, LossPolicy.FAIL_AT_EXIT);
		complete(TransactionSynchronization.STATUS_COMMITTED);
		assertThat(this.provider.keysInUse()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "0, FAIL_AT_EXIT, true", "2, INTERRUPT, true", "1, FAIL_AT_EXIT, false", "0, IGNORE, false" })
	void lossDuringTheCommitIsReported(int status, LossPolicy onLost, boolean reported, CapturedOutput output) {
		TransactionLocks.ofTransaction().add(acquire("a"), onLost);
		this.provider.loseAll();
		complete(status);
		String report = "was lost while its transaction was committed";
		assertThat(output.toString().lines().filter((line) -> line.contains("WARN") && line.contains(report)))
			.hasSize(reported ? 1 : 0);
	}

	private LockHandle acquire(String key) {
		return this.provider.acquire(LockRequest.of(key));
	}

	private static void complete(int status) {
		TransactionSynchronizationUtils.invokeAfterCompletion(TransactionSynchronizationManager.getSynchronizations(),
				status);
	}

}
