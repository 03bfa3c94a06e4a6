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

import io.github.zklock.annotation.DistributedLock;

import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Submits the events of Spring Modulith again that a listener has not handled.
 */
class EventResubmission {

	private final IncompleteEventPublications publications;

	EventResubmission(IncompleteEventPublications publications) {
		this.publications = publications;
	}

	@Scheduled(fixedDelayString = "PT1M")
	@DistributedLock(key = "events:resubmit")
	void resubmit() {
		this.publications.resubmitIncompletePublicationsOlderThan(Duration.ofMinutes(10));
	}

}
