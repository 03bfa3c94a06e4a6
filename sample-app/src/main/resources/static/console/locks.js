import { byId, duration, el, nodeTag, preciseClock, reconcile, setData, setHidden, setText } from './dom.js';
import { Timeline } from './timeline.js';

/** Lines for the holders, and as many for the queue: a card keeps its height. */
const LINES = { named: 2, keyed: 1 };

const ENDS = { RELEASED: 'released', LOST: 'LOST' };

export class Locks {

	constructor() {
		this.named = byId('lock-list');
		this.keyed = byId('keyed-list');
		this.places = [];
	}

	show(snapshot) {
		const nodes = snapshot.nodes.map((node) => node.name);
		const named = snapshot.locks.filter((lock) => !isKeyed(lock.key));
		const keyed = snapshot.locks.filter((lock) => isKeyed(lock.key));
		const update = (card, lock) => updateCard(card, lock, nodes, snapshot.time);
		setHidden(byId('keyed-title'), keyed.length === 0);
		setHidden(byId('keyed-hint'), keyed.length === 0);
		reconcileCards(this.named, named, update);
		reconcileCards(this.keyed, this.inPlaces(keyed), update);
	}

	/**
	 * Keys of single things come and go all the time. A new one takes the place of one that
	 * is gone, or else the last one does, so that the others do not move.
	 */
	inPlaces(locks) {
		const byKey = new Map(locks.map((lock) => [lock.key, lock]));
		const added = [...byKey.keys()].filter((key) => !this.places.includes(key));
		const gone = () => this.places.findIndex((key) => !byKey.has(key));
		for (let place = gone(); place >= 0; place = gone()) {
			const next = added.length > 0 ? added.shift() : this.places.pop();
			if (place < this.places.length) {
				this.places[place] = next;
			}
		}
		this.places.push(...added);
		return this.places.map((key) => byKey.get(key));
	}

}

function isKeyed(key) {
	return key.includes(':');
}

function reconcileCards(parent, locks, update) {
	const before = new Set(parent.children);
	reconcile(parent, locks, (lock) => `lock ${lock.key}`, createCard, update);
	for (const card of before) {
		if (!card.isConnected) {
			card.timeline?.destroy();
		}
	}
}

function createCard(lock) {
	const title = `lock-title-${encodeURIComponent(lock.key)}`;
	const canvas = el('canvas', { role: 'img',
		'aria-label': `Timeline of ${lock.key} in the last 60 seconds; the table below has the same in words` });
	const body = el('tbody');
	const column = (name) => el('th', { scope: 'col' }, name);
	const card = el('article', { class: 'card lock', 'data-lock': lock.key, 'aria-labelledby': title },
		el('div', { class: 'card-head' }, el('h3', { id: title }, lock.key), el('span', { 'data-part': 'mode' })),
		el('div', { class: 'who' },
			el('div', {}, el('h4', {}, 'Held by'), el('ul', { class: 'plain lines', 'data-role': 'holder' })),
			el('div', {}, el('h4', {}, 'Waiting'), el('ol', { class: 'plain lines', 'data-role': 'queue' }))),
		el('div', { class: 'chart' }, canvas),
		el('details', {},
			el('summary', {}, 'The last 60 s as a table', el('span', { class: 'hidden' }, `: ${lock.key}`)),
			el('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': `Table of ${lock.key}` },
				el('table', {},
					el('thead', {}, el('tr', {}, ...['Node', 'Mode', 'Token', 'From', 'To', 'End'].map(column))), body))));
	card.parts = { body, mode: card.querySelector('[data-part="mode"]'),
		holder: card.querySelector('[data-role="holder"]'), queue: card.querySelector('[data-role="queue"]') };
	card.canvas = canvas;
	return card;
}

function updateCard(card, lock, nodes, now) {
	const { body, mode, holder, queue } = card.parts;
	setText(mode, lock.holders.length === 0 ? 'free' : modeOf(lock.holders));
	setData(card, 'held', lock.holders.length > 0);
	const most = isKeyed(lock.key) ? LINES.keyed : LINES.named;
	lines(holder, lock.holders, most, (hold) => `${hold.token == null ? hold.mode.toLowerCase() : `token ${hold.token}`} · ${duration(now - hold.since)}`);
	lines(queue, lock.queue, most, (wait) => `${wait.mode.toLowerCase()} · ${duration(now - wait.since)}`);
	const rows = [...nodes];
	for (const entry of [...lock.timeline, ...lock.queue]) {
		if (!rows.includes(entry.node)) {
			rows.push(entry.node);
		}
	}
	card.timeline ??= new Timeline(card.canvas);
	card.timeline.show(lock, rows, now);
	reconcile(body, [...lock.timeline].reverse(),
		(hold) => `${hold.node} ${hold.token} ${hold.from} ${hold.to} ${hold.end}`, tableRow);
}

function modeOf(holders) {
	const mode = holders[0].mode.toLowerCase();
	return holders.length === 1 ? mode : `${mode}, ${holders.length} holders`;
}

/** At most so many lines; what has no line of its own is counted in the last one. */
function lines(list, entries, most, textOf) {
	const shown = entries.length > most ? entries.slice(0, most - 1) : entries;
	const items = shown.map((entry, place) => ({ key: `${place} ${entry.node}`, node: entry.node, text: textOf(entry) }));
	if (entries.length > most) {
		const rest = entries.slice(most - 1);
		const names = [...new Set(rest.map((entry) => entry.node))].join(', ');
		items.push({ key: 'more', text: `${most > 1 ? 'and ' : ''}${rest.length}${most > 1 ? ' more' : ''}: ${names}` });
	}
	if (entries.length === 0) {
		items.push({ key: 'nobody', text: 'nobody' });
	}
	reconcile(list, items, (item) => item.key, (item) => {
		const text = el('span', { class: 'meaning' });
		const line = item.node ? el('li', {}, nodeTag(item.node), ' ', text) : el('li', {}, text);
		line.text = text;
		return line;
	}, (line, item) => setText(line.text, item.text));
}

function tableRow(hold) {
	const cell = (text) => el('td', {}, String(text));
	const end = hold.end ? ENDS[hold.end] ?? hold.end : 'held now';
	return el('tr', hold.end === 'LOST' ? { class: 'is-lost' } : {}, el('th', { scope: 'row' }, nodeTag(hold.node)),
		cell(hold.mode.toLowerCase()), cell(hold.token ?? '–'), cell(preciseClock(hold.from)),
		cell(hold.to ? preciseClock(hold.to) : '–'), cell(end));
}
