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

package io.github.zklock.test;

import java.util.List;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.github.zklock.test.ScheduledBeans.FinalClass;
import io.github.zklock.test.ScheduledBeans.GuardedByInterface;
import io.github.zklock.test.ScheduledBeans.GuardedClass;
import io.github.zklock.test.ScheduledBeans.GuardedMethods;
import io.github.zklock.test.ScheduledBeans.GuardedSubclass;
import io.github.zklock.test.ScheduledBeans.Nightly;
import io.github.zklock.test.ScheduledBeans.Unguarded;
import io.github.zklock.test.ScheduledBeans.Uninterceptable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockRules}.
 */
class LockRulesTests {

	@Test
	void acceptsGuardedSchedules() {
		LockRules.SCHEDULED_METHODS_ARE_GUARDED
			.check(classes(GuardedMethods.class, GuardedClass.class, GuardedSubclass.class, GuardedByInterface.class));
	}

	@Test
	void findsSchedulesWithoutALock() {
		assertThat(violations(LockRules.SCHEDULED_METHODS_ARE_GUARDED, Unguarded.class)).hasSize(3)
			.allSatisfy((line) -> assertThat(line).contains("Unguarded.", "is not guarded by @DistributedLock in",
					"ScheduledBeans.java"))
			.anySatisfy((line) -> assertThat(line).contains(".direct()"))
			.anySatisfy((line) -> assertThat(line).contains(".composed()"))
			.anySatisfy((line) -> assertThat(line).contains(".repeated()"));
	}

	@Test
	void conditionMakesOwnRules() {
		ArchRule rule = ArchRuleDefinition.methods()
			.that()
			.areAnnotatedWith(Nightly.class)
			.should(LockRules.beGuarded());
		assertThat(violations(rule, Unguarded.class)).singleElement().asString().contains(".composed()");
	}

	@Test
	void findsMethodsThatAProxyCannotIntercept() {
		assertThat(violations(LockRules.GUARDED_METHODS_CAN_BE_INTERCEPTED, Uninterceptable.class, FinalClass.class))
			.hasSize(4)
			.anySatisfy((line) -> assertThat(line).contains("isPrivate()> is private"))
			.anySatisfy((line) -> assertThat(line).contains("isFinal()> is final"))
			.anySatisfy((line) -> assertThat(line).contains("isStatic()> is static"))
			.anySatisfy((line) -> assertThat(line).contains("run()> is in a final class"));
		LockRules.GUARDED_METHODS_CAN_BE_INTERCEPTED.check(classes(GuardedMethods.class, Unguarded.class));
	}

	private static List<String> violations(ArchRule rule, Class<?>... types) {
		return rule.evaluate(classes(types)).getFailureReport().getDetails();
	}

	private static JavaClasses classes(Class<?>... types) {
		return new ClassFileImporter().importClasses(types);
	}

}
