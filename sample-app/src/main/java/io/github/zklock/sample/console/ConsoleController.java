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

package io.github.zklock.sample.console;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * What the page asks of its node.
 */
@RestController
@RequestMapping("/console")
class ConsoleController {

	private final Info info;

	private final ConsoleEvents events;

	private final ConsoleActions actions;

	ConsoleController(Info info, ConsoleEvents events, ConsoleActions actions) {
		this.info = info;
		this.events = events;
		this.actions = actions;
	}

	@GetMapping("/info")
	ResponseEntity<Info> info() {
		return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(this.info);
	}

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	ResponseEntity<SseEmitter> events() {
		return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(this.events.connect(this.info.node()));
	}

	@PostMapping("/actions/{id}")
	ResponseEntity<Map<String, Integer>> act(@PathVariable String id,
			@RequestParam(required = false) @Nullable String node) {
		return ResponseEntity.accepted().body(Map.of("run", this.actions.begin(id, node)));
	}

	/**
	 * What the page has to know first.
	 *
	 * @param node the node that serves the page
	 * @param sessionTimeoutMs after how long without a node ZooKeeper ends its session
	 * @param reportSeconds the time between two ticks of the report
	 * @param csrf what to send with an action
	 * @param actions what can be done
	 */
	record Info(String node, long sessionTimeoutMs, int reportSeconds, Csrf csrf, List<ConsoleAction> actions) {

	}

	/**
	 * What to send with an action.
	 *
	 * @param header the name of the header
	 * @param token its value
	 */
	record Csrf(String header, String token) {

	}

}
