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

package io.github.zklock.zookeeper.client;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ConnectStringsTests {

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "localhost:2181", "zk1:2181,zk2:2181,zk3:2181", "zk1:2181, zk2:2181",
			"zk1:2181,zk2:2181/app", "10.0.0.1:2181/a/b", "[::1]:2181", "[2001:db8::1],zk:65535", "zk_1.internal:1",
			"zk:2181/" })
	void acceptsWhatTheClientUnderstands(String connectString) {
		assertThat(ConnectStrings.check(connectString)).isEqualTo(connectString);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			""                   | it is empty
			"  "                 | it is empty
			zk://zk1:2181        | it is a URL, not a list of host:port pairs
			/app                 | it has an empty entry between its commas
			zk1:2181,            | it has an empty entry between its commas
			zk1:2181;zk2:2181    | it has a semicolon where a comma separates two servers
			zk1:2181;zk2:2181/app| it has a semicolon where a comma separates two servers
			zk1,,zk2             | it has an empty entry between its commas
			:2181                | the host of ':2181' is empty
			zk1 zk2:2181         | the host of 'zk1 zk2:2181' contains a space
			zk1:                 | the port of 'zk1:' is not a number from 1 to 65535
			zk1:abc              | the port of 'zk1:abc' is not a number from 1 to 65535
			zk1:0                | the port of 'zk1:0' is not a number from 1 to 65535
			zk1:65536            | the port of 'zk1:65536' is not a number from 1 to 65535
			zk1:999999999999     | the port of 'zk1:999999999999' is not a number from 1 to 65535
			::1                  | the host of '::1' is empty
			2001:db8::1          | '2001:db8::1' has more than one colon; an IPv6 address is written in brackets
			zk1:2181/app/        | its chroot path '/app/' ends with '/' or contains '//'
			zk1:2181/a,zk2:2181/a| a chroot path stands once, after the last server, but there is '/a,zk2:2181/a'
			""")
	void refusesWhatTheClientWouldFailOn(String connectString, String problem) {
		assertThatExceptionOfType(ZooKeeperStartupException.class).isThrownBy(() -> ConnectStrings.check(connectString))
			.withMessage("Connect string '" + connectString + "' of ZooKeeper is not valid: " + problem);
	}

	@Test
	void messageSaysWhatIsWrong() {
		assertThatExceptionOfType(ZooKeeperStartupException.class).isThrownBy(() -> ConnectStrings.check("zk1:x"))
			.withMessage("Connect string 'zk1:x' of ZooKeeper is not valid: the port of 'zk1:x' is not a number from 1 "
					+ "to 65535");
	}

}
