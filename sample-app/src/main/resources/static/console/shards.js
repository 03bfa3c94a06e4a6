import { clock, colourOf, el, reconcile, setText, showRows } from './dom.js';

const WORDS = { RUNNING: 'runs', DONE: 'done', FAILED: 'failed', INTERRUPTED: 'interrupted', LOST: 'lost' };

const BROKEN = { LOST: 'was lost with', INTERRUPTED: 'was interrupted on', FAILED: 'failed on' };

const MOST = 2;

/** The last tick of a job in shards: a row for each node, a column for each shard. */
export function createShards(job) {
	const numbers = Array.from({ length: job.shards }, (none, shard) => el('span', {}, String(shard)));
	const axis = el('p', { class: 'axis shard-axis', 'aria-hidden': 'true' }, ...numbers);
	const marks = el('ol', { class: 'plain dots', 'aria-label': `Shards of the last tick of ${job.name}` });
	marks.style.gridTemplateColumns = axis.style.gridTemplateColumns = `repeat(${job.shards}, minmax(0, 1fr))`;
	return [el('div', { class: 'ticks' }, el('div', { class: 'rows', 'aria-hidden': 'true' }), marks), axis,
		el('p', { class: 'meaning shard-words', 'data-part': 'repeated' })];
}

export function showShards(article, job, names) {
	const planned = job.runs.filter((run) => run.time !== null && run.shard !== null && run.node !== null);
	const tick = Math.max(...planned.map((run) => run.time));
	const runs = planned.filter((run) => run.time === tick).sort((one, other) => one.shard - other.shard || one.attempt - other.attempt);
	const rows = [...new Set([...names, ...runs.map((run) => run.node)])];
	showRows(article, rows);
	const marks = article.querySelector('.dots');
	marks.style.gridTemplateRows = `repeat(${rows.length}, 1.5rem)`;
	reconcile(marks, runs, (run) => `${run.time} ${run.shard} ${run.attempt} ${run.node} ${run.outcome}`, createMark,
		(mark, run) => {
			mark.style.gridColumnStart = String(run.shard + 1);
			mark.style.gridRow = String(rows.indexOf(run.node) + 1);
		});
	setText(article.querySelector('[data-part="repeated"]'), repeated(runs));
	const count = (outcome) => runs.filter((run) => run.outcome === outcome).length;
	return runs.length === 0 ? `${job.shards} shards`
		: `${clock(tick)}: ${count('DONE')} of ${job.shards} ran${count('LOST') > 0 ? `, ${count('LOST')} lost` : ''}`;
}

/** Which shards have not come to their end, and who runs them again: as many sentences as there is place for. */
function repeated(runs) {
	const broken = runs.filter((run) => !['RUNNING', 'DONE'].includes(run.outcome));
	const said = broken.slice(0, broken.length > MOST ? MOST - 1 : MOST).map((run) => {
		const next = runs.find((other) => other.shard === run.shard && other.attempt > run.attempt);
		const again = !next ? 'no node has begun it again' : `${next.node} ${next.outcome === 'RUNNING' ? 'runs' : 'ran'} it again${next.node === run.node ? ' itself' : ''}`;
		return `Shard ${run.shard} ${BROKEN[run.outcome]} ${run.node}; ${again}.`;
	});
	return [...said, ...(said.length < broken.length ? [`${broken.length - said.length} more did not end.`] : [])].join(' ');
}

function createMark(run) {
	const text = `shard ${run.shard}, ${run.node}: ${WORDS[run.outcome]}${run.attempt > 1 ? `, attempt ${run.attempt}` : ''}`;
	return el('li', { title: text, 'data-shard': run.shard, 'data-node': run.node, 'data-attempt': run.attempt,
		'data-outcome': run.outcome, 'data-colour': colourOf(run.node) },
	el('span', { class: 'hidden' }, text));
}
