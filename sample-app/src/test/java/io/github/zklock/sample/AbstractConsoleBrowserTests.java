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

package io.github.zklock.sample;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The live console of three nodes in a browser, opened anew for each test.
 */
@Tag("server")
abstract class AbstractConsoleBrowserTests {

	@RegisterExtension
	static final RealBrowser browser = new RealBrowser();

	static SampleNodes nodes;

	static ConsolePage page;

	@BeforeAll
	static void start() {
		nodes = SampleNodes.start("--sample.nodes=3", "--sample.console=true", "--sample.export-cron=*/10 * * * * *",
				"--sample.reindex-cron=5/20 * * * * *", "--zk-lock.leader.roles.indexer.enabled=true");
		page = new ConsolePage(browser, nodes);
		browser.resize(1280, 900);
	}

	@AfterAll
	static void stop() {
		if (nodes != null) {
			nodes.close();
		}
	}

	@BeforeEach
	void openPage() {
		page.open();
	}

}
