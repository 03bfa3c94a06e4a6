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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Holds a run against what is promised.
 */
final class Judgement {

	/**
	 * A holder that looks at its lock all the time, but stood still for so long before it
	 * went, may not have noticed that its lease ended.
	 */
	static final long STALL_MILLIS = 400;

	/** Fewer than so many grants of a key prove nothing. */
	static final int GRANTS = 500;

	private static final int MORE_THREADS = 12;

	private static final int HEAP_MB = 64;

	private static final List<String> OUTCOMES = List.of(Attempt.GRANTED, "LockNotAcquiredException",
			"LockUnavailableException");

	private final TortureResult result;

	private final TortureLog log;

	private final List<Grant> grants;

	private final Leads leads;

	private final List<Finding> findings = new ArrayList<>();

	Judgement(TortureResult result) {
		this.result = result;
		this.log = result.log();
		this.grants = this.log.grants();
		this.leads = Leads.of(this.grants, this);
		judgeTokens();
		judgeOverlaps();
		judgeLeftovers();
		judgeTimes();
		judgeOrder();
		judgeResources();
		if (result.settings().isWhole()) {
			judgeVacuity();
		}
	}

	List<Finding> findings() {
		return this.findings;
	}

	List<Finding> broken() {
		return this.findings.stream().filter((finding) -> !finding.kept()).toList();
	}

	/**
	 * Return whether only the token can protect from a holder: its process, or the
	 * machine, stood still, or somebody ended its session.
	 */
	boolean isExcused(Grant grant) {
		return grant.unawareMillis >= STALL_MILLIS || wasHitByHand(grant);
	}

	private boolean wasHitByHand(Grant grant) {
		return this.log.incidents()
			.stream()
			.anyMatch((incident) -> incident.touches(grant) && switch (incident.nemesis().cause()) {
				case PAUSE, HAND -> true;
				case NETWORK, SERVER, CRASH -> false;
			});
	}

	List<Overlap> overlaps(boolean excused) {
		return this.log.overlaps().stream().filter((overlap) -> isExcused(overlap.stale()) == excused).toList();
	}

	Leads leads() {
		return this.leads;
	}

	private void judgeTokens() {
		List<Grant> rejected = this.log.rejections();
		List<Grant> rightful = rejected.stream().filter((grant) -> !isExcused(grant)).toList();
		add("I1", "no write of a rightful holder is rejected for its token", rightful.isEmpty(),
				rejected.stream().mapToInt((grant) -> grant.rejected).sum() + " stale writes rejected, of "
						+ rejected.size() + " tenures; " + rightful.size() + " tenures wrongly" + first(rightful));
	}

	private void judgeOverlaps() {
		List<Overlap> network = overlaps(false);
		List<Overlap> paused = overlaps(true);
		long unseen = paused.stream().filter((overlap) -> this.log.wroteStale(overlap.stale())).count();
		add("I2", "holders never overlap when only the network or a server fails", network.isEmpty(),
				network.size() + " overlaps" + longest(network));
		add("I2b", "after a pause, or the end of a session by hand, the token stops the stale holder", unseen == 0,
				paused.stream().map(Overlap::stale).distinct().count() + " stale holders beside "
						+ paused.stream().map(Overlap::rightful).distinct().count() + " tenures, "
						+ paused.stream().map(Overlap::stale).distinct().filter((grant) -> !wasHitByHand(grant)).count()
						+ " of them because the machine stood still, " + unseen + " with a stale write accepted");
		long mixed = network.stream().filter((overlap) -> overlap.stale().key.equals(TortureKeys.SHARED)).count();
		add("I3", "readers are together, never with a writer", mixed == 0 && this.log.readersAtOnce() > 1,
				mixed + " overlaps with a writer, up to " + this.log.readersAtOnce() + " readers at once");
		add("I7", "a loss is told before the next holder has the lock", this.leads.late().isEmpty(),
				this.leads.lost() + " losses, " + this.leads.late().size() + " told too late, " + this.leads.figures()
						+ first(this.leads.late()));
	}

	private void judgeLeftovers() {
		List<String> orphans = this.result.orphans();
		add("I4", "nothing is left behind while the clients are open",
				orphans.isEmpty() && this.result.containers().isEmpty() && this.result.watches() == 0,
				orphans.size() + " orphans, " + this.result.containers().size() + " nodes of keys not deletable, "
						+ this.result.watches() + " watches" + first(orphans));
	}

	private void judgeTimes() {
		List<String> late = this.log.incidents()
			.stream()
			.filter(Incident::isLate)
			.map((incident) -> incident.nemesis() + " " + incident.recoveryMillis())
			.toList();
		add("I5", "every key is granted again in time", late.isEmpty(),
				late.size() + " of " + this.log.incidents().size() + " blows too late" + first(late));
		Waits waits = this.log.waits();
		add("I6", "no wait is longer than its bound + 500 ms", waits.tooLong().isEmpty(),
				waits.tooLong().size() + " of " + waits.count() + " waits, excess p99 " + waits.excessMillis(0.99)
						+ " ms, max " + waits.excessMillis(1) + " ms" + first(waits.tooLong()));
	}

	private void judgeOrder() {
		List<Overlap> disorder = this.log.disorder().stream().filter((pair) -> !isExcused(pair.stale())).toList();
		add("I8", "tokens grow from holder to holder", disorder.isEmpty(),
				disorder.size() + " out of order" + first(disorder));
		Map<String, Long> shares = this.grants.stream()
			.filter((grant) -> grant.key.equals(TortureKeys.HOT))
			.collect(Collectors.groupingBy((grant) -> grant.worker, TreeMap::new, Collectors.counting()));
		long all = shares.values().stream().mapToLong(Long::longValue).sum();
		boolean fair = shares.size() == TortureRun.WORKERS
				&& shares.values().stream().allMatch((share) -> share * 10 >= all);
		add("I9", "every worker gets at least a tenth of the hot key", fair, shares.toString());
	}

	private void judgeResources() {
		Map<String, Integer> outcomes = this.log.waits().outcomes();
		List<String> others = outcomes.keySet().stream().filter((outcome) -> !OUTCOMES.contains(outcome)).toList();
		boolean flat = true;
		StringBuilder figures = new StringBuilder();
		for (int i = 1; i <= TortureRun.WORKERS; i++) {
			int[] before = resources("w" + i + " begin");
			int[] after = resources("w" + i + " end");
			flat &= after[0] <= before[0] + MORE_THREADS && after[1] <= HEAP_MB;
			figures.append(", w" + i + ": " + before[0] + "->" + after[0] + " threads, " + before[1] + "->" + after[1]
					+ " MB");
		}
		boolean done = this.log.notes()
			.entrySet()
			.stream()
			.noneMatch((note) -> note.getKey().endsWith("stopped") && !note.getValue().equals("hanging=0"));
		add("I10", "no unexpected exception, no thread that hangs, no growth",
				others.isEmpty() && flat && done && !this.log.notes().containsKey("clock"),
				"unexpected: " + others + figures + (done ? "" : ", threads hang"));
	}

	private int[] resources(String name) {
		String[] parts = this.log.notes().getOrDefault(name, "threads=0,heapMb=0").split("[=,]");
		return new int[] { Integer.parseInt(parts[1]), Integer.parseInt(parts[3]) };
	}

	private void judgeVacuity() {
		Map<String, Long> perKey = this.result.grantsPerKey();
		boolean enough = perKey.size() == TortureKeys.ALL.size()
				&& perKey.values().stream().allMatch((count) -> count >= GRANTS);
		int nemeses = this.result.incidentsPerNemesis().size();
		boolean tokens = this.result.settings().variant().hasTokens();
		add("non-vacuity", "500 grants a key, every nemesis, a loss, a rejected write, a dropped reply",
				enough && nemeses == Nemesis.values().length && this.log.faultsFired() > 0
						&& (!tokens || (this.leads.lost() > 0 && !this.log.rejections().isEmpty())),
				"grants " + perKey + ", " + nemeses + " of " + Nemesis.values().length + " nemeses, "
						+ this.leads.lost() + " losses, " + this.log.rejections().size() + " tenures fenced, "
						+ this.log.faultsFired() + " replies dropped");
	}

	private void add(String invariant, String promise, boolean kept, String figures) {
		this.findings.add(new Finding(invariant, promise, kept, figures));
	}

	private static String longest(List<Overlap> overlaps) {
		return overlaps.isEmpty() ? "" : " (up to " + overlaps.stream().mapToLong(Overlap::millis).max().orElse(0)
				+ " ms; " + overlaps.get(0).stale() + " / " + overlaps.get(0).rightful() + ")";
	}

	private static String first(List<?> list) {
		return list.isEmpty() ? "" : "; first: " + list.get(0);
	}

}
