import { colourOf, duration, preciseClock } from './dom.js';

const SPAN = 60;

const ROW = 22;

const AXIS = 28;

const MARK = 10;

const EMPTY = { backgroundColor: [], borderColor: [] };

let theme = readTheme();

const timelines = new Set();

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
	theme = readTheme();
	timelines.forEach((timeline) => timeline.restyle());
});

function readTheme() {
	const style = getComputedStyle(document.documentElement);
	const colour = (name) => style.getPropertyValue(name).trim();
	return {
		text: colour('--muted'), grid: colour('--line'), lost: colour('--lost'), surface: colour('--surface'),
		font: getComputedStyle(document.body).fontFamily,
		nodes: [0, 1, 2, 3, 4, 5].map((number) => colour(`--node-${number}`)),
		hatch: hatch(colour('--lost'), colour('--surface'))
	};
}

/** Red stripes: a lost hold differs in its pattern also where its colour does not tell. */
function hatch(stripe, ground) {
	const tile = document.createElement('canvas');
	tile.width = 6;
	tile.height = 6;
	const context = tile.getContext('2d');
	context.fillStyle = ground;
	context.fillRect(0, 0, 6, 6);
	context.strokeStyle = stripe;
	context.lineWidth = 2;
	for (const shift of [-6, 0, 6]) {
		context.moveTo(shift, 6);
		context.lineTo(shift + 6, 0);
	}
	context.stroke();
	return context.createPattern(tile, 'repeat');
}

/** The word at the end of each lost hold. */
const lostLabels = {
	id: 'lostLabels',
	afterDatasetsDraw(chart) {
		const context = chart.ctx;
		context.save();
		context.font = `600 11px ${theme.font}`;
		context.fillStyle = theme.lost;
		context.textBaseline = 'middle';
		let last = null;
		for (const bar of chart.getDatasetMeta(1).data) {
			// One word is enough for what was lost within a few seconds.
			if (last && last.y === bar.y && Math.abs(bar.x - last.x) < 32) {
				continue;
			}
			last = bar;
			const room = chart.chartArea.right - Math.max(bar.x, bar.base) > 28;
			context.textAlign = room ? 'left' : 'right';
			const edge = room ? Math.max(bar.x, bar.base) + 4 : Math.min(bar.x, bar.base) - 4;
			context.fillText('lost', edge, bar.y);
		}
		context.restore();
	}
};

/** Who held one lock in the last 60 seconds: one row per node, drawn by Chart.js. */
export class Timeline {

	constructor(canvas) {
		this.canvas = canvas;
		this.box = canvas.parentElement;
		this.rows = [];
		this.visible = true;
		this.chart = new Chart(canvas, { type: 'bar', data: { labels: [], datasets: datasets() },
			options: options(), plugins: [lostLabels] });
		this.observer = new IntersectionObserver((entries) => {
			this.visible = entries[entries.length - 1].isIntersecting;
			this.draw();
		}, { rootMargin: '200px' });
		this.observer.observe(this.box);
		timelines.add(this);
	}

	destroy() {
		timelines.delete(this);
		this.observer.disconnect();
		this.chart.destroy();
	}

	show(lock, rows, now) {
		this.lock = lock;
		this.rows = rows;
		this.now = now;
		this.box.style.height = `${rows.length * ROW + AXIS}px`;
		this.draw();
	}

	restyle() {
		this.chart.options = options();
		this.draw();
	}

	draw() {
		if (!this.lock || !this.visible) {
			return;
		}
		const [held, lost, waits] = this.chart.data.datasets;
		this.chart.data.labels = this.rows;
		const holds = this.lock.timeline.map((hold) => this.bar(hold, hold.from, hold.to, hold.end ?? 'HELD'));
		held.data = holds.filter((bar) => bar.end !== 'LOST');
		lost.data = holds.filter((bar) => bar.end === 'LOST');
		waits.data = this.lock.queue.map((wait) => this.bar(wait, wait.since, null, 'WAITS'));
		held.backgroundColor = held.data.map((bar) => nodeColour(bar.y));
		waits.borderColor = waits.data.map((bar) => nodeColour(bar.y));
		lost.backgroundColor = theme.hatch;
		lost.borderColor = theme.lost;
		this.chart.update('none');
	}

	/** The chart counts seconds from now, so that its axis stands still. */
	bar(entry, from, to, end) {
		const at = (millis) => Math.max(-SPAN, Math.min(0, (millis - this.now) / 1000));
		return { x: [at(from), at(to ?? this.now)], y: entry.node, from, to, end, mode: entry.mode, token: entry.token,
			lasted: (to ?? this.now) - from };
	}

}

function nodeColour(node) {
	return theme.nodes[colourOf(node)];
}

function datasets() {
	const common = { grouped: false, barThickness: MARK, minBarLength: 3, borderSkipped: false };
	// As thin as can be: a busy lock is held several times a second.
	const thin = { minBarLength: 1 };
	return [
		{ ...common, ...EMPTY, ...thin, label: 'held', data: [], borderWidth: 0 },
		{ ...common, ...EMPTY, label: 'lost', data: [], borderWidth: 1 },
		{ ...common, ...EMPTY, label: 'waits', data: [], barThickness: 6, borderWidth: 1,
			backgroundColor: 'transparent' }
	];
}

function options() {
	const font = { family: theme.font, size: 11 };
	return {
		indexAxis: 'y',
		animation: false,
		responsive: true,
		maintainAspectRatio: false,
		// Short holds are too thin to be hit.
		interaction: { mode: 'nearest', axis: 'xy', intersect: false },
		layout: { padding: { right: 8 } },
		scales: {
			x: { min: -SPAN, max: 0, border: { display: false }, grid: { color: theme.grid, drawTicks: false },
				ticks: { stepSize: 10, color: theme.text, font, maxRotation: 0, padding: 6, autoSkipPadding: 8,
					callback: (value) => (value === 0 ? 'now' : `\u2212${-value} s`) } },
			y: { border: { display: false }, grid: { display: false },
				ticks: { color: theme.text, font, autoSkip: false, padding: 4 } }
		},
		plugins: {
			legend: { display: false },
			tooltip: { displayColors: false, bodyFont: font, titleFont: font,
				callbacks: { title: (items) => items[0]?.raw.y ?? '', label: (item) => describe(item.raw) } }
		}
	};
}

function describe(bar) {
	const token = bar.token == null ? '' : `, token ${bar.token}`;
	const until = bar.to ? preciseClock(bar.to) : 'now';
	return [`${bar.end.toLowerCase()}, ${bar.mode.toLowerCase()}${token}`,
		`${preciseClock(bar.from)} to ${until} (${duration(bar.lasted)})`];
}
