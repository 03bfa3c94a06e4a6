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

package io.github.zklock.torture;

import java.util.Locale;

import io.github.zklock.torture.Nemesis.Cause;

/**
 * Draws a run: above, when which blow was dealt, below, how often each key was granted,
 * and where a loss was told, a write rejected or two holders overlapped.
 */
final class Timeline {

	private static final int LEFT = 220;

	private static final int WIDTH = 900;

	private static final int ROW = 16;

	private static final int KEY_ROW = 46;

	private static final int TOP = 30;

	private final TortureResult result;

	private final Judgement judgement;

	private final StringBuilder svg = new StringBuilder();

	private final long from;

	private final double span;

	Timeline(TortureResult result, Judgement judgement) {
		this.result = result;
		this.judgement = judgement;
		this.from = result.begin();
		this.span = Math.max(1, result.end() - result.begin());
	}

	String svg() {
		int below = TOP + Nemesis.values().length * ROW + 12;
		int height = below + TortureKeys.ALL.size() * KEY_ROW + 50;
		add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
				+ "font-size=\"11\"><rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>", LEFT + WIDTH + 20,
				height);
		text(LEFT, 16, this.result.settings().variant() + ", seed " + this.result.settings().seed() + ", "
				+ Math.round(this.span / 1e9) + " s");
		for (Nemesis nemesis : Nemesis.values()) {
			blows(nemesis, TOP + nemesis.ordinal() * ROW);
		}
		for (int i = 0; i < TortureKeys.ALL.size(); i++) {
			key(TortureKeys.ALL.get(i), below + i * KEY_ROW);
		}
		legend(height - 34);
		add("</svg>");
		return this.svg.toString();
	}

	private void blows(Nemesis nemesis, int y) {
		text(4, y + 11, nemesis.toString());
		add("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#eee\"/>", LEFT, y + 8, LEFT + WIDTH, y + 8);
		for (Incident incident : this.result.log().incidents()) {
			if (incident.nemesis() == nemesis) {
				double x = x(incident.begin());
				bar(x, y + 2, Math.max(2, x(incident.end()) - x), ROW - 5,
						(nemesis.cause() == Cause.PAUSE || nemesis.cause() == Cause.HAND) ? "#e0a030" : "#5080c0");
			}
		}
	}

	private void key(String key, int y) {
		int[] counts = new int[WIDTH / 3];
		for (Grant grant : this.result.log().grants()) {
			int slot = (int) ((x(grant.entered) - LEFT) / 3);
			if (grant.key.equals(key) && slot >= 0 && slot < counts.length) {
				counts[slot]++;
			}
		}
		int most = 1;
		for (int count : counts) {
			most = Math.max(most, count);
		}
		text(4, y + 20, "grants of '" + key + "'");
		for (int i = 0; i < counts.length; i++) {
			double height = (KEY_ROW - 16.0) * counts[i] / most;
			if (counts[i] > 0) {
				bar(LEFT + i * 3, y + KEY_ROW - 16 - height, 2.5, height, "#9ac29a");
			}
		}
		for (Grant grant : this.result.log().grants()) {
			if (grant.key.equals(key) && grant.isLost()) {
				dot(x(grant.lost), y + KEY_ROW - 10, "#5080c0");
			}
			if (grant.key.equals(key) && grant.rejected > 0) {
				dot(x(grant.exited), y + KEY_ROW - 10, "#e0a030");
			}
		}
		for (Overlap overlap : this.judgement.overlaps(false)) {
			if (overlap.stale().key.equals(key)) {
				double x = x(overlap.rightful().entered);
				bar(x, y, Math.max(3, overlap.millis() * 1e6 / this.span * WIDTH), KEY_ROW - 8, "#d03030");
			}
		}
	}

	private void legend(int y) {
		for (int i = 0; i <= 6; i++) {
			double seconds = this.span / 1e9 * i / 6;
			text(LEFT + i * WIDTH / 6 - 10, y, Math.round(seconds) + " s");
		}
		text(LEFT, y + 20, "blue dot: loss told; orange dot: stale write rejected; red: two holders");
	}

	private double x(long nanos) {
		return LEFT + Math.max(0, Math.min(WIDTH, (nanos - this.from) / this.span * WIDTH));
	}

	private void bar(double x, double y, double width, double height, String colour) {
		add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y, width, height, colour);
	}

	private void dot(double x, double y, String colour) {
		add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>", x, y, colour);
	}

	private void text(double x, double y, String text) {
		add("<text x=\"%.1f\" y=\"%.1f\">%s</text>", x, y, text.replace("&", "&amp;").replace("<", "&lt;"));
	}

	private void add(String format, Object... values) {
		this.svg.append(String.format(Locale.ROOT, format, values)).append('\n');
	}

}
