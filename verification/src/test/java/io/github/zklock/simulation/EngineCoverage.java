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

package io.github.zklock.simulation;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

import io.github.zklock.support.ProjectModules;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IBundleCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.tools.ExecFileLoader;

/**
 * How much of the engine's code has run in this JVM, as JaCoCo's agent has seen it.
 */
final class EngineCoverage {

	private static final Path ENGINE = ProjectModules.find("target/classes/io/github/zklock/zookeeper");

	private final IBundleCoverage coverage;

	private EngineCoverage(IBundleCoverage coverage) {
		this.coverage = coverage;
	}

	/**
	 * Return what has run so far, as the rows of a table; nothing without the agent.
	 */
	static String rows() {
		try {
			EngineCoverage engine = new EngineCoverage(read());
			return engine.row("lines", engine.coverage.getLineCounter())
					+ engine.row("branches", engine.coverage.getBranchCounter())
					+ engine.row("methods", engine.coverage.getMethodCounter());
		}
		catch (ClassNotFoundException ex) {
			return "";
		}
		catch (ReflectiveOperationException | IOException ex) {
			throw new IllegalStateException("The coverage of the engine could not be read", ex);
		}
	}

	private static IBundleCoverage read() throws ReflectiveOperationException, IOException {
		Object agent = Class.forName("org.jacoco.agent.rt.RT").getMethod("getAgent").invoke(null);
		byte[] data = (byte[]) Class.forName("org.jacoco.agent.rt.IAgent")
			.getMethod("getExecutionData", boolean.class)
			.invoke(agent, false);
		ExecFileLoader loader = new ExecFileLoader();
		loader.load(new ByteArrayInputStream(data));
		CoverageBuilder builder = new CoverageBuilder();
		new Analyzer(loader.getExecutionDataStore(), builder).analyzeAll(ENGINE.toFile());
		return builder.getBundle("engine");
	}

	private String row(String what, ICounter counter) {
		return String.format(Locale.ROOT, "| %s of the engine that have run | %d of %d (%.0f %%) |%n", what,
				counter.getCoveredCount(), counter.getTotalCount(), 100 * counter.getCoveredRatio());
	}

}
