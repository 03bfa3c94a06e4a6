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

package io.github.zklock.libraries;

import java.time.Duration;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import liquibase.Liquibase;
import liquibase.exception.LiquibaseException;
import liquibase.integration.spring.SpringLiquibase;

/**
 * Runs the migration under a lock that ends with its process.
 */
class LockedLiquibase extends SpringLiquibase {

	private final LockOperations locks;

	LockedLiquibase(LockOperations locks) {
		this.locks = locks;
	}

	@Override
	protected void performUpdate(Liquibase liquibase) throws LiquibaseException {
		LockRequest request = LockRequest.of("liquibase:shop").withWait(Duration.ofMinutes(10));
		this.locks.executeWithoutResult(request, (handle) -> {
			liquibase.forceReleaseLocks(); // a dead process has left it
			super.performUpdate(liquibase);
		});
	}

}
