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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Curves over a logarithmic axis, as SVG.
 */
final class Curves {

	private static final int LEFT = 70;

	private static final int TOP = 40;

	private static final int WIDTH = 480;

	private static final int HEIGHT = 240;

	private static final List<String> COLORS = List.of("#2f7d32", "#1565c0", "#c62828", "#ef6c00", "#6a1b9a");

	private final String title;

	private final String below;

	private final boolean logarithmic;

	private final Map<String, List<Point>> series = new LinkedHashMap<>();

	private final StringBuilder svg = new StringBuilder();

	/**
	 * Begin a picture.
	 * @param title what the curves show
	 * @param below what the axis below them shows
	 * @param logarithmic whether the other axis is logarithmic too
	 */
	Curves(String title, String below, boolean logarithmic) {
		this.title = title;
		this.below = below;
		this.logarithmic = logarithmic;
	}

	void add(String name, double x, double y) {
		this.series.computeIfAbsent(name, (added) -> new ArrayList<>()).add(new Point(x, y));
	}

	void write(Path file) throws IOException {
		line("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
				+ "font-size=\"12\">", LEFT + WIDTH + 170, TOP + HEIGHT + 50);
		line("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
		text(LEFT, 20, "start", "#222222", this.title);
		text(LEFT + WIDTH / 2.0, TOP + HEIGHT + 40, "middle", "#555555", this.below);
		for (double x = 1; x <= greatestX(); x *= 10) {
			grid(placeX(x), TOP, placeX(x), TOP + HEIGHT);
			text(placeX(x), TOP + HEIGHT + 18, "middle", "#555555", label(x));
		}
		if (this.logarithmic) {
			for (double y = leastY(); y <= greatestY() * 1.001; y *= 10) {
				level(y);
			}
		}
		else {
			for (int i = 0; i <= 4; i++) {
				level(greatestY() * i / 4);
			}
		}
		int number = 0;
		for (Map.Entry<String, List<Point>> one : this.series.entrySet()) {
			curve(one.getKey(), one.getValue(), COLORS.get(number % COLORS.size()), number++);
		}
		line("</svg>");
		Files.writeString(file, this.svg);
	}

	private void level(double y) {
		grid(LEFT, placeY(y), LEFT + WIDTH, placeY(y));
		text(LEFT - 6, placeY(y) + 4, "end", "#555555", label(y));
	}

	private void curve(String name, List<Point> points, String color, int number) {
		StringBuilder path = new StringBuilder();
		for (Point point : points) {
			path.append(String.format(Locale.ROOT, " %.1f,%.1f", placeX(point.x()), placeY(point.y())));
			line("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", placeX(point.x()), placeY(point.y()), color);
		}
		line("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path.toString().strip(),
				color);
		text(LEFT + WIDTH + 12, TOP + 14 + 18 * number, "start", color, name);
	}

	private void grid(double x1, double y1, double x2, double y2) {
		line("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>", x1, y1, x2, y2);
	}

	private void text(double x, double y, String anchor, String color, String text) {
		line("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>", x, y, anchor, color, text);
	}

	private void line(String format, Object... values) {
		this.svg.append(String.format(Locale.ROOT, format, values)).append('\n');
	}

	private double placeX(double x) {
		return LEFT + WIDTH * Math.log10(x) / Math.log10(greatestX());
	}

	private double placeY(double y) {
		double part = this.logarithmic
				? Math.log10(Math.max(y, leastY()) / leastY()) / Math.log10(greatestY() / leastY()) : y / greatestY();
		return TOP + HEIGHT * (1 - part);
	}

	private double greatestX() {
		return this.series.values().stream().flatMap(List::stream).mapToDouble(Point::x).max().orElse(10);
	}

	// A round number above all values.
	private double greatestY() {
		double greatest = this.series.values().stream().flatMap(List::stream).mapToDouble(Point::y).max().orElse(1);
		double power = Math.pow(10, Math.ceil(Math.log10(greatest)));
		if (this.logarithmic) {
			return power;
		}
		for (double part : new double[] { 0.2, 0.4, 0.6, 0.8 }) {
			if (greatest <= part * power) {
				return part * power;
			}
		}
		return power;
	}

	private double leastY() {
		double least = this.series.values()
			.stream()
			.flatMap(List::stream)
			.mapToDouble(Point::y)
			.filter((y) -> y > 0)
			.min()
			.orElse(1);
		return Math.pow(10, Math.floor(Math.log10(least)));
	}

	private static String label(double value) {
		if (value >= 1000) {
			return String.format(Locale.ROOT, "%,.0f", value);
		}
		return (value == Math.rint(value)) ? String.format(Locale.ROOT, "%.0f", value)
				: String.valueOf(Math.round(value * 1000) / 1000.0);
	}

	private record Point(double x, double y) {
	}

}
