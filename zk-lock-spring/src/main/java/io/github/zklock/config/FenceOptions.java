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

package io.github.zklock.config;

import java.util.function.UnaryOperator;

import io.github.zklock.fencing.FenceSettings;
import io.github.zklock.transaction.FencedTransactions;

/**
 * What an application says about its fences.
 *
 * @param dataSource the name of the data source for methods that name none, or
 * {@link FencedTransactions#DEFAULT}
 * @param otherLocks the lock space of locks whose provider names none
 * @param settings changes the settings
 * @since 0.1.0
 */
public record FenceOptions(String dataSource, String otherLocks, UnaryOperator<FenceSettings> settings) {

	static final FenceOptions DEFAULT = new FenceOptions(FencedTransactions.DEFAULT, "/locks",
			UnaryOperator.identity());

}
