import { byId, colourOf, el, outcomePlace, reconcile, setData, setText } from './dom.js';

const LIMIT = 20;

/** What happens without a button. */
const UNASKED = { accident: 'An accident, on purpose' };

const PHASES = { RUNNING: 'running', DONE: 'done', FAILED: 'failed' };

/** How long the outcomes that the server tells again on connecting are no news. */
const REPLAY_MS = 1000;

/** The buttons that concern no single node, and what all buttons have led to. */
export class Actions {

	constructor(press) {
		this.press = press;
		this.list = byId('action-list');
		this.labels = new Map(Object.entries(UNASKED));
		this.targets = new Map();
		this.online = false;
	}

	/** The place beside the buttons where the outcome of an action is shown. */
	placeOf(action, node) {
		const target = this.targets.get(action);
		return node ? `node ${node}` : target === 'none' ? `action ${action}` : target;
	}

	setInfo(actions) {
		this.labels = new Map([...Object.entries(UNASKED), ...actions.map((action) => [action.id, action.label])]);
		this.targets = new Map(actions.map((action) => [action.id, action.target]));
		reconcile(this.list, actions.filter((action) => action.target === 'none'), (action) => action.id,
			(action) => this.create(action));
		this.setOnline(this.online);
	}

	setOnline(online) {
		this.online = online;
		for (const button of this.list.querySelectorAll('button')) {
			button.disabled = !online;
		}
	}

	create(action) {
		const button = el('button', { type: 'button', 'data-action': action.id,
			'aria-describedby': `watch-${action.id}`, title: action.watch }, action.label);
		button.addEventListener('click', () => this.press(action, null, button));
		return el('li', {}, button, el('p', { id: `watch-${action.id}`, class: 'watch-text' }, action.watch),
			outcomePlace(`action ${action.id}`));
	}

}

export class Outcomes {

	constructor(labelOf, placeOf) {
		this.labelOf = labelOf;
		this.placeOf = placeOf;
		this.section = byId('outcomes');
		this.list = byId('outcome-list');
		this.local = 0;
	}

	/** What comes now is told again: it fills the list, and is not read out. */
	replayBegins() {
		this.section.setAttribute('aria-busy', 'true');
		setTimeout(() => this.section.removeAttribute('aria-busy'), REPLAY_MS);
	}

	/** Tell what this page itself knows: the server has refused, or did not answer. */
	refused(action, node, text) {
		this.local++;
		this.show({ run: `page ${this.local}`, action, node, phase: 'FAILED', text });
	}

	/** Tell that a node was stopped as asked for: the node itself, which serves this page, cannot say so. */
	stopped(node, text, others) {
		const run = Array.from(this.list.children).find((item) => item.dataset.action === 'stop' && item.node === node)?.dataset.run;
		this.show({ run: run ?? `page ${++this.local}`, action: 'stop', node, phase: 'DONE', text });
		const [item] = Array.from(this.list.children).filter((each) => each.dataset.action === 'stop' && each.node === node);
		item.text.append(...others.flatMap((other) => [' ', el('a', { href: other.url }, other.name)]));
		this.showInPlaces();
	}

	show(outcome) {
		const key = `${outcome.run} ${outcome.action} ${outcome.node ?? ''}`;
		let known = Array.from(this.list.children).find((item) => item.outcomeKey === key);
		if (known && outcome.phase === 'RUNNING' && known.dataset.phase !== 'RUNNING') {
			// A process that was started anew counts its runs from the beginning.
			known.remove();
			known = null;
		}
		const item = known ?? this.create(outcome, key);
		setData(item, 'phase', outcome.phase);
		setText(item.phase, PHASES[outcome.phase] ?? outcome.phase);
		setText(item.text, outcome.text);
		if (!known) {
			this.list.prepend(item);
		}
		while (this.list.children.length > LIMIT) {
			this.list.lastElementChild.remove();
		}
		this.showInPlaces();
	}

	/** Show the latest outcome of each place beside the buttons that led to it. */
	showInPlaces() {
		const latest = new Map();
		for (const item of this.list.children) {
			const place = this.placeOf(item.dataset.action, item.node);
			if (!latest.has(place)) {
				latest.set(place, item);
			}
		}
		for (const note of document.querySelectorAll('.note')) {
			const item = latest.get(note.dataset.place);
			if (item) {
				const part = (name) => note.querySelector(`[data-part="${name}"]`);
				setData(note, 'phase', item.dataset.phase);
				setData(note, 'run', item.dataset.run);
				setText(part('phase'), item.phase.textContent);
				setText(part('label'), item.node ? item.label.textContent : '');
				if (part('text').textContent !== item.text.textContent) {
					// With its links.
					part('text').replaceChildren(...item.text.cloneNode(true).childNodes);
				}
			}
		}
	}

	create(outcome, key) {
		const phase = el('span', { class: 'pill' });
		const text = el('p');
		const label = el('strong', {}, this.labelOf(outcome.action));
		const head = el('div', { class: 'outcome-head' }, phase, ' ', label);
		if (outcome.node) {
			head.append(' ', el('span', { class: 'node', 'data-colour': colourOf(outcome.node) }, outcome.node));
		}
		const item = el('li', { 'data-action': outcome.action, 'data-run': outcome.run, 'aria-atomic': 'true' }, head, text);
		return Object.assign(item, { outcomeKey: key, phase, text, label, node: outcome.node });
	}

	/** Name the actions anew: outcomes may come before their labels are known. */
	relabel() {
		for (const item of this.list.children) {
			setText(item.label, this.labelOf(item.dataset.action));
		}
		this.showInPlaces();
	}

}
