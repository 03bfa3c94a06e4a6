import { byId, clock, colourOf, duration, el, nodeTag, outcomePlace, reconcile, setData, setText, showRows } from './dom.js';
import { createShards, showShards } from './shards.js';

const SLOTS = 40;

const RECENT = 20;

/** The scheduled jobs: a row of dots for each node, one column for each tick. */
export class Jobs {

	constructor(press) {
		this.press = press;
		this.list = byId('job-list');
		this.actions = [];
		this.online = false;
	}

	setInfo(actions) {
		this.actions = actions;
	}

	setOnline(online) {
		this.online = online;
		for (const button of this.list.querySelectorAll('button')) {
			button.disabled = !online || !button.applies;
		}
	}

	show(snapshot) {
		const names = snapshot.nodes.map((node) => node.name);
		reconcile(this.list, snapshot.jobs, (job) => job.name, (job) => this.create(job),
			(article, job) => this.update(article, job, names, snapshot.time));
	}

	create(job) {
		const title = `job-title-${encodeURIComponent(job.name)}`;
		const column = (name) => el('th', { scope: 'col' }, name);
		const split = job.shards > 1;
		const head = ['Tick', ...(split ? ['Shard'] : []), 'Node', 'Attempt', 'Took', 'Outcome'];
		return el('article', { class: 'card job', 'data-job': job.name, 'aria-labelledby': title },
			el('div', { class: 'card-head' }, el('h3', { id: title }, job.name),
				el('p', { class: 'meaning', 'data-part': 'summary' })),
			...(split ? createShards(job) : createTicks(job)),
			el('div', { class: 'job-foot' },
				el('details', {},
					el('summary', {}, 'The last runs', el('span', { class: 'hidden' }, `: ${job.name}`)),
					el('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': `Last runs of ${job.name}` },
						el('table', {}, el('thead', {}, el('tr', {}, ...head.map(column))), el('tbody', { 'data-part': 'runs' })))),
				outcomePlace(`job:${job.name}`),
				el('div', { class: 'job-buttons', role: 'group', 'aria-label': `Actions on ${job.name}` })));
	}

	update(article, job, names, now) {
		const part = (name) => article.querySelector(`[data-part="${name}"]`);
		const said = job.shards > 1 ? showShards(article, job, names) : showTicks(article, job, names, now);
		setText(part('summary'), `every ${job.periodMs / 1000} s · ${said} · ${state(job)}`);
		setData(article, 'paused', job.pausedBy !== null);
		reconcile(part('runs'), job.runs, (run) => `${run.time} ${run.shard} ${run.began} ${run.outcome}`, runRow);
		reconcile(article.querySelector('.job-buttons'), this.actions.filter((action) => action.target === `job:${job.name}`),
			(action) => action.id, (action) => this.button(action),
			(button, action) => {
				button.applies = !action.id.startsWith(job.pausedBy === null ? 'resume' : 'pause');
				button.disabled = !this.online || !button.applies;
			});
	}

	button(action) {
		const button = el('button', { type: 'button', 'data-action': action.id, title: action.watch }, action.label);
		button.addEventListener('click', () => this.press(action, null, button));
		return button;
	}

}

function createTicks(job) {
	return [el('div', { class: 'ticks' },
			el('div', { class: 'rows', 'aria-hidden': 'true' }),
			el('ol', { class: 'plain dots', 'aria-label': `Ticks of ${job.name}, oldest first` })),
		el('p', { class: 'axis', 'aria-hidden': 'true' }, el('span', { 'data-part': 'oldest' }),
			el('span', { 'data-part': 'recent' }), el('span', {}, 'now'))];
}

function showTicks(article, job, names, now) {
	const rows = [...names];
	job.ticks.filter((tick) => !rows.includes(tick.node)).forEach((tick) => rows.push(tick.node));
	const marks = slots(job, now);
	const part = (name) => article.querySelector(`[data-part="${name}"]`);
	setText(part('oldest'), `${duration(SLOTS * job.periodMs)} ago`);
	setText(part('recent'), `${duration(RECENT * job.periodMs)} ago`);
	showRows(article, rows);
	const dots = article.querySelector('.dots');
	dots.style.gridTemplateRows = `repeat(${rows.length}, 1.5rem)`;
	reconcile(dots, marks, (mark) => `${mark.time} ${mark.node ?? ''}`, createMark,
		(dot, mark) => place(dot, mark, rows));
	return summary(marks);
}

/** Who runs it now, or who has paused it. */
function state(job) {
	if (job.pausedBy !== null) {
		return `PAUSED by ${job.pausedBy}`;
	}
	const running = [...new Set(job.runs.filter((run) => run.outcome === 'RUNNING').map((run) => run.node))];
	return running.length === 0 ? 'waits for its next tick'
		: running.length === 1 ? `runs on ${running[0]} now` : `runs on ${running.length} nodes now`;
}

function runRow(run) {
	const cell = (text) => el('td', {}, String(text));
	return el('tr', ['LOST', 'FAILED'].includes(run.outcome) ? { class: 'is-lost' } : {},
		el('th', { scope: 'row' }, run.time ? clock(run.time) : `${clock(run.began)} by hand`),
		...(run.shard === null ? [] : [cell(run.shard)]),
		el('td', {}, run.node ? nodeTag(run.node) : '–'), cell(run.attempt),
		cell(run.ended ? `${((run.ended - run.began) / 1000).toFixed(1)} s` : '–'), cell(run.outcome.toLowerCase()));
}

/** What ran and what is missing, oldest first; `age` counts the periods back from now. */
function slots(job, now) {
	if (job.ticks.length === 0) {
		return [];
	}
	const ticks = [...job.ticks].sort((one, other) => one.time - other.time);
	const last = ticks[ticks.length - 1].time;
	// The tick of this moment may still run: a slot counts as missing one period later.
	const overdue = Math.max(0, Math.floor((now - last) / job.periodMs) - 1);
	const ageOf = (time) => Math.round((last - time) / job.periodMs) + overdue;
	const marks = ticks.map((tick) => ({ ...tick, age: ageOf(tick.time) }));
	const ages = new Set(marks.map((mark) => mark.age));
	for (let age = Math.min(marks[0].age, SLOTS - 1); age >= 0; age--) {
		if (!ages.has(age)) {
			marks.push({ time: last + (overdue - age) * job.periodMs, age });
		}
	}
	return marks.filter((mark) => mark.age < SLOTS).sort((one, other) => one.time - other.time);
}

function summary(marks) {
	const ran = marks.filter((mark) => mark.node);
	const twice = ran.length - new Set(ran.map((mark) => mark.time)).size;
	const missing = marks.length - ran.length;
	return `${ran.length} ran, ${twice === 0 ? 'each once' : `${twice} TWICE`}`
		+ ` · ${missing === 0 ? 'none' : missing} missing`;
}

function createMark(mark) {
	const text = mark.node ? `${clock(mark.time)} ${mark.node}` : `${clock(mark.time)} no node ran it`;
	const dot = el('li', { title: text }, el('span', { class: 'hidden' }, text));
	if (mark.node) {
		dot.dataset.tick = mark.time;
		dot.dataset.node = mark.node;
		dot.dataset.colour = colourOf(mark.node);
	}
	else {
		dot.dataset.missing = mark.time;
	}
	return dot;
}

function place(dot, mark, rows) {
	setData(dot, 'old', mark.age >= RECENT);
	// Counted from the end, so that a narrow page can show the last ones only.
	dot.style.gridColumnStart = String(-(mark.age + 2));
	dot.style.gridRow = mark.node ? String(rows.indexOf(mark.node) + 1) : `1 / span ${rows.length}`;
}
