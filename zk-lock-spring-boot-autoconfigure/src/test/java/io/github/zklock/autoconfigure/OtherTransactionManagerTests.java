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

package io.github.zklock.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.CallbackPreferringPlatformTransactionManager;
import org.springframework.transaction.support.SimpleTransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Transaction managers that take no listeners: their transactions do not commit under a
 * lost lock either.
 */
@ExtendWith(OutputCaptureExtension.class)
class OtherTransactionManagerTests {

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final LockTemplate locks = new LockTemplate(this.provider);

	private final List<String> events = new CopyOnWriteArrayList<>();

	@ParameterizedTest
	@EnumSource
	void transactionUnderALostLockIsRolledBack(Kind kind) {
		run(kind, (template) -> {
			assertThatExceptionOfType(LockLostBeforeCommitException.class)
				.isThrownBy(() -> underLock(() -> template.executeWithoutResult((status) -> this.provider.loseAll())));
			assertThat(this.events).containsExactly("begin", "rollback");
		});
	}

	@ParameterizedTest
	@EnumSource
	void transactionThatIsCommittedBeforeTheLossStays(Kind kind) {
		run(kind, (template) -> {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> underLock(() -> {
				template.executeWithoutResult((status) -> this.events.add("work"));
				template.executeWithoutResult((status) -> this.provider.loseAll());
			})).isNotInstanceOf(LockLostBeforeCommitException.class);
			assertThat(this.events).containsExactly("begin", "work", "commit", "begin", "rollback");
		});
	}

	@ParameterizedTest
	@EnumSource
	void transactionUnderALockThatIsHeldCommits(Kind kind) {
		run(kind, (template) -> {
			underLock(() -> template.executeWithoutResult((status) -> this.events.add("work")));
			assertThat(this.events).containsExactly("begin", "work", "commit");
		});
	}

	@Test
	void managerKeepsItsClassIfItCanBeExtended() {
		context(Kind.OPEN).run((context) -> assertThat(context.getBean(Open.class)).isNotNull());
		context(Kind.CALLBACK).run((context) -> assertThat(context.getBean(Callback.class)).isNotNull());
	}

	@Test
	void managerOfAFinalClassIsLeftToThoseThatInjectItByItsClass() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockTransactionAutoConfiguration.class))
			.withBean("ofClass", Final.class, () -> new Final(this.events))
			.withBean("ofMethod", FinalCommit.class, () -> new FinalCommit(this.events))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(Final.class)).isExactlyInstanceOf(Final.class);
				assertThat(context.getBean("ofMethod")).isExactlyInstanceOf(FinalCommit.class);
			});
	}

	@Test
	void transactionOfAManagerWithoutAProxyCommitsAndAWarningSaysSo(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockTransactionAutoConfiguration.class))
			.withBean("plain", Final.class, () -> new Final(this.events))
			.run((context) -> {
				TransactionTemplate template = new TransactionTemplate(context.getBean(Final.class));
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(
							() -> underLock(() -> template.executeWithoutResult((status) -> this.provider.loseAll())))
					.isNotInstanceOf(LockLostBeforeCommitException.class);
				assertThat(this.events).containsExactly("begin", "commit");
			});
		assertThat(output.toString().lines().filter((line) -> line.contains("The transactions of 'plain'")))
			.singleElement()
			.asString()
			.contains("WARN", "commit although their locks are lost");
	}

	private void run(Kind kind, Use use) {
		context(kind).run((context) -> {
			assertThat(context).hasNotFailed();
			use.with(new TransactionTemplate(context.getBean(PlatformTransactionManager.class)));
		});
	}

	private ApplicationContextRunner context(Kind kind) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockTransactionAutoConfiguration.class))
			.withBean(PlatformTransactionManager.class, () -> kind.manager(this.events));
	}

	private void underLock(Runnable body) {
		this.locks.<Void, RuntimeException>execute(LockRequest.of("a"), (handle) -> {
			body.run();
			return null;
		});
	}

	private interface Use {

		void with(TransactionTemplate template);

	}

	enum Kind {

		OPEN, FINAL, FINAL_COMMIT, PROXY, CALLBACK;

		PlatformTransactionManager manager(List<String> events) {
			return switch (this) {
				case OPEN -> new Open(events);
				case FINAL -> new Final(events);
				case FINAL_COMMIT -> new FinalCommit(events);
				case PROXY -> {
					PlatformTransactionManager manager = new Final(events);
					yield (PlatformTransactionManager) Proxy.newProxyInstance(getClass().getClassLoader(),
							new Class<?>[] { PlatformTransactionManager.class },
							(proxy, method, arguments) -> method.invoke(manager, arguments));
				}
				case CALLBACK -> new Callback(events);
			};
		}

	}

	static class Open implements PlatformTransactionManager {

		final List<String> events;

		Open(List<String> events) {
			this.events = events;
		}

		@Override
		public TransactionStatus getTransaction(TransactionDefinition definition) {
			this.events.add("begin");
			return new SimpleTransactionStatus();
		}

		@Override
		public void commit(TransactionStatus status) {
			this.events.add("commit");
		}

		@Override
		public void rollback(TransactionStatus status) {
			this.events.add("rollback");
		}

	}

	static final class Final extends Open {

		Final(List<String> events) {
			super(events);
		}

	}

	static class FinalCommit extends Open {

		FinalCommit(List<String> events) {
			super(events);
		}

		@Override
		public final void commit(TransactionStatus status) {
			super.commit(status);
		}

	}

	static class Callback extends Open implements CallbackPreferringPlatformTransactionManager {

		Callback(List<String> events) {
			super(events);
		}

		@Override
		public <T> T execute(TransactionDefinition definition, TransactionCallback<T> callback) {
			TransactionStatus status = getTransaction(definition);
			T result;
			try {
				result = callback.doInTransaction(status);
			}
			catch (RuntimeException ex) {
				rollback(status);
				throw ex;
			}
			commit(status);
			return result;
		}

	}

}
