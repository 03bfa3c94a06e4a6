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

package io.github.zklock.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars, as SVG.
 *
 * @since 0.1.0
 */
public final class BarChart {

	private static final int ROW = 26;

	private static final int LEFT = 290;

	private static final int WIDTH = 420;

	private final String title;

	private final List<Bar> bars = new ArrayList<>();

	/**
	 * Begin a chart.
	 * @param title what the bars show, and which are better
	 */
	public BarChart(String title) {
		this.title = title;
	}

	/**
	 * Add a bar.
	 * @param label what it stands for
	 * @param value its length
	 * @param ours whether it is to stand out
	 */
	public void bar(String label, double value, boolean ours) {
		this.bars.add(new Bar(label, value, ours));
	}

	/**
	 * Write the chart.
	 * @param file the file, whose directory is created
	 * @throws IOException if that fails
	 */
	public void write(Path file) throws IOException {
		double greatest = this.bars.stream().mapToDouble(Bar::value).max().orElse(1);
		int height = ROW * (this.bars.size() + 1) + 10;
		StringBuilder svg = new StringBuilder();
		svg.append(String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
						+ "font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n"
						+ "<text x=\"%d\" y=\"18\" fill=\"#555555\">%s</text>%n",
				LEFT + WIDTH + 90, height, LEFT, this.title));
		int y = ROW;
		for (Bar bar : this.bars) {
			double length = Math.max(1, WIDTH * bar.value() / greatest);
			svg.append(String.format(Locale.ROOT,
					"<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#222222\">%s</text>%n"
							+ "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n"
							+ "<text x=\"%.1f\" y=\"%d\" fill=\"#222222\">%.0f</text>%n",
					LEFT - 8, y + 17, bar.label(), LEFT, y + 4, length, ROW - 8, bar.ours() ? "#2f7d32" : "#9aa5b1",
					LEFT + length + 6, y + 17, bar.value()));
			y += ROW;
		}
		svg.append("</svg>\n");
		Files.createDirectories(file.toAbsolutePath().getParent());
		Files.writeString(file, svg);
	}

	private record Bar(String label, double value, boolean ours) {
	}

}
