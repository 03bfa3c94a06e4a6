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

package io.github.zklock.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.zklock.docs.MarkdownPage.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each command on a page for users is played by a test or a script of the build, or has
 * the reason why none plays it.
 */
class DocumentationCommandsTests {

	private static final Pattern COMMAND = Pattern
		.compile("(mvn|curl|docker|echo|java|gh|zkCli(\\.sh)?|benchmarks/run|setAcl|addauth|create|deleteall) .*");

	private static final Pattern PROSE_CODE = Pattern.compile("`([^`\n]+)`");

	// The start of the command, then what plays it, with a text from there.
	private static final String PLAYED = """
			mvn verify                                    | .ci/run                      | verify
			mvn -pl sample-app -am spring-boot:run        | .ci/run-sample               | grep -m 1 '^mvn .*spring-boot:run' README.md
			mvn install -DskipTests                       | .ci/new-application          | What `mvn install` would do
			mvn -Ptorture verify                          | pom.xml                      | <id>torture</id>
			mvn -pl sample-app -am verify -Dtest=ConsolePicturesBrowserTests | ConsolePicturesBrowserTests.java | sample.pictures
			mvn -pl sample-app -am package -DskipTests    | .ci/run                      | verify
			docker compose up                             | DockerComposeContainerTests.java | docs/getting-started.md
			curl -X POST localhost:8080/reports           | .ci/new-application          | ask /reports -X POST
			curl localhost:8080/actuator/zkjobs           | ZkJobsEndpointTests.java     | http.get("/jobs-report")
			curl -X POST -H 'Content-Type: application/json' -d '{"action":"pause"}' | ZkJobsEndpointTests.java | http.post("/jobs-report", PAUSE)
			curl -s localhost:8080/actuator/health/zkLock | OutageWalkthroughTests.java  | health/zkLock
			curl localhost:8080/actuator/health/zkLock    | OutageWalkthroughTests.java  | health/zkLock
			curl -s localhost:8080/actuator/zklocks       | ZkLockEndpointTests.java     | http.get("")
			curl 'localhost:8080/actuator/zklocks'        | ZkLockEndpointTests.java     | http.get("")
			curl -G localhost:8080/actuator/zklocks       | ZkLockEndpointTests.java     | http.getQueue("key",
			curl -sG localhost:8080/actuator/zklocks --data-urlencode 'key=  | ZkLockEndpointTests.java | http.getQueue("key",
			curl -G 'localhost:8080/actuator/zklocks' --data-urlencode 'key= | ZkLockEndpointTests.java | http.getQueue("key",
			curl -G 'localhost:8080/actuator/zklocks' -d page=0 -d size=20   | ZkLockEndpointTests.java | ?pattern=order%2F*&size=5
			curl -X DELETE 'localhost:8080/actuator/zklocks?key=             | ZkLockEndpointTests.java | http.delete("?key=revoked&token=
			curl localhost:8081/prices                    | HttpTests.java               | "GET", "/prices"
			curl -X PUT 'localhost:8081/prices/           | HttpTests.java               | "PUT", "/prices/pear
			curl -X POST localhost:8082/orders/           | HttpTests.java               | "/orders/
			curl localhost:8083/orders/                   | HttpTests.java               | "/orders/
			curl -X POST localhost:8081/counter           | HttpTests.java               | "POST", "/counter"
			curl localhost:8082/counter                   | HttpTests.java               | "GET", "/counter"
			curl -X POST 'localhost:8083/ids?             | HttpTests.java               | "POST", "/ids?count=5"
			curl -X POST 'localhost:8081/ids?count=0      | HttpTests.java               | /ids?count=0
			curl -H 'Content-Type: application/json' -d '{"from":"alice" | HttpTests.java | "/transfers"
			curl localhost:8082/accounts                  | HttpTests.java               | "/accounts"
			curl -X POST 'localhost:8081/seats?holdMs=    | HttpTests.java               | /seats?holdMs=
			curl -X POST localhost:8083/seats             | HttpTests.java               | "POST", "/seats"
			echo srvr                                     | .ci/new-application          | printf srvr
			""";

	// The start of the command, then why nothing plays it.
	private static final String NOT_PLAYED = """
			mvn spring-boot:run                           | Boot's plugin; .ci/new-application starts the same application as a jar
			docker run -d --rm --name zookeeper           | Docker itself; SampleContainerTests start such a container
			java -jar sample-app/target/*.jar             | the same class in a process of SampleProcessTests, and beside a container in SampleContainerTests
			gh attestation verify                         | nothing is released yet
			benchmarks/run                                | takes too long; the page names the commit and the date of its run
			zkCli.sh                                      | ZooKeeper's own shell; WireFormatTests know the names that it shows
			addauth digest                                | ZooKeeper's own shell; ZooKeeperAccessTests do it with a client
			setAcl -R                                     | ZooKeeper's own shell; ExposedNodesTests see this line in the log
			create /shop                                  | ZooKeeper's own shell; ExposedNodesTests do it with a client
			deleteall <root>/~job~                        | ZooKeeper's own shell
			""";

	@Test
	void eachCommandIsPlayedOrHasAReason() throws IOException {
		List<String> known = Stream.concat(rows(PLAYED), rows(NOT_PLAYED)).map((row) -> row.get(0)).toList();
		List<String> commands = commands();
		assertThat(commands).hasSizeGreaterThan(30)
			.allSatisfy((command) -> assertThat(known).as("what plays '%s'", command).anyMatch(command::startsWith));
		assertThat(known).as("commands that are on a page")
			.allSatisfy((start) -> assertThat(commands).anyMatch((command) -> command.startsWith(start)));
	}

	@ParameterizedTest
	@MethodSource("played")
	void whatPlaysACommandIsThere(List<String> row) throws IOException {
		assertThat(Files.readString(find(row.get(1)))).contains(row.get(2));
	}

	static Stream<List<String>> played() {
		return rows(PLAYED);
	}

	private static Path find(String file) throws IOException {
		Path path = MarkdownPage.ROOT.resolve(file);
		return Files.exists(path) ? path
				: MarkdownPage.files(file).stream().filter((found) -> found.endsWith(file)).findFirst().orElseThrow();
	}

	private static Stream<List<String>> rows(String table) {
		return table.lines().map((line) -> Stream.of(line.split("\\|")).map(String::strip).toList());
	}

	private static List<String> commands() throws IOException {
		List<String> commands = new ArrayList<>();
		for (MarkdownPage page : MarkdownPage.all()) {
			if (isForUsers(page)) {
				page.blocks("shell", "").stream().map(Block::code).flatMap(String::lines).forEach(commands::add);
				PROSE_CODE.matcher(page.text()).results().forEach((code) -> commands.add(code.group(1)));
			}
		}
		return commands.stream()
			.map((command) -> command.strip().replaceFirst("^\\$ ", ""))
			.filter((command) -> COMMAND.matcher(command).matches())
			.distinct()
			.toList();
	}

	private static boolean isForUsers(MarkdownPage page) {
		String file = page.toString();
		return List.of("README.md", "SECURITY.md", "sample-app/README.md").contains(file)
				|| file.startsWith("docs/") && !file.startsWith("docs/internals/");
	}

}
