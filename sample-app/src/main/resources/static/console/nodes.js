import { byId, clock, colourOf, duration, el, outcomePlace, reconcile, setData, setText } from './dom.js';

const STATES = {
	HELD: 'Its session is good; it keeps its locks.',
	UNCERTAIN: 'No answer of ZooKeeper at the moment.',
	LOST: 'Its session may have ended: no locks.',
	STARTING: 'It starts, and has no session yet.',
	STOPPED: 'It has given its locks back.'
};

const ALONE = 'The last one: it cannot be stopped.';

const FAULTS = { NONE: 'no fault', CUT: 'connection cut', PAUSED: 'paused' };

/** Whether an action makes sense for a node as it is. */
const SENSE = {
	start: (node) => node.state === 'STOPPED',
	stop: (node, others) => isUp(node) && others.some(isUp),
	cut: (node) => isUp(node) && node.fault === 'NONE',
	mend: (node) => isUp(node) && node.fault === 'CUT',
	pause: (node) => isUp(node) && node.fault === 'NONE',
	expire: (node) => isUp(node) && node.state !== 'LOST'
};

function isUp(node) {
	return node.state !== 'STOPPED' && node.state !== 'STARTING';
}

export class Nodes {

	constructor(press) {
		this.press = press;
		this.cards = byId('node-cards');
		this.watch = byId('node-watch');
		this.actions = [];
		this.own = '';
		this.online = false;
	}

	setInfo(own, actions) {
		this.own = own;
		this.actions = actions;
		reconcile(this.watch, actions, (action) => action.id, (action) => el('div', { 'data-watch': action.id },
			el('dt', {}, action.label), el('dd', { id: `watch-${action.id}` }, action.watch)));
	}

	show(snapshot) {
		// Nodes have their colours before those that are only in a history.
		snapshot.nodes.forEach((node) => colourOf(node.name));
		reconcile(this.cards, snapshot.nodes, (node) => node.name, (node) => this.create(node),
			(card, node) => this.update(card, node, snapshot));
	}

	setOnline(online) {
		this.online = online;
		for (const card of this.cards.children) {
			this.enable(card);
		}
	}

	create(node) {
		const title = `node-title-${encodeURIComponent(node.name)}`;
		const part = (name) => el('dd', { 'data-part': name });
		const row = (label, name) => el('div', {}, el('dt', {}, label), part(name));
		return el('article', { class: 'card', 'data-node': node.name, 'aria-labelledby': title },
			el('div', { class: 'card-head' },
				el('h3', { id: title, tabIndex: -1, class: 'node', 'data-colour': colourOf(node.name) }, node.name),
				el('span', { class: 'pill', 'data-part': 'state' })),
			el('p', { class: 'meaning', 'data-part': 'meaning' }),
			el('dl', { class: 'facts' },
				el('div', {}, el('dt', {}, 'Page'), el('dd', { class: 'page' },
					el('a', { href: node.url }, new URL(node.url, location).host), el('span', { 'data-part': 'own' }))),
				row('In this state', 'since'),
				el('div', {}, el('dt', {}, 'Session'), el('dd', {}, el('span', { 'data-part': 'session' }), ', number ',
					el('span', { 'data-part': 'sessionsSoFar' }))),
				row('Locks', 'locks'), row('Fault', 'fault')),
			el('div', { class: 'buttons', role: 'group', 'aria-label': `Actions on ${node.name}` }),
			outcomePlace(`node ${node.name}`, 'Press a button: what happens then is shown here.'));
	}

	update(card, node, { nodes, time: now }) {
		const others = nodes.filter((other) => other !== node);
		const part = (name) => card.querySelector(`[data-part="${name}"]`);
		card.node = node;
		card.others = others;
		setData(card, 'state', node.state);
		setData(card, 'fault', node.fault);
		setText(part('state'), node.state);
		setText(part('meaning'), isUp(node) && !others.some(isUp) ? ALONE : STATES[node.state] ?? '');
		setText(part('session'), node.session && isUp(node) ? node.session : 'none');
		setText(part('sessionsSoFar'), node.sessionsSoFar);
		setText(part('since'), `${duration(now - node.since)}, since ${clock(node.since)}`);
		setText(part('fault'), FAULTS[node.fault] ?? node.fault);
		setText(part('locks'), `holds ${node.held}, waits for ${node.waiting}`);
		setText(part('own'), node.name === this.own ? ' (here)' : '');
		reconcile(card.querySelector('.buttons'), this.actions, (action) => action.id,
			(action) => this.button(action, node.name));
		this.enable(card);
	}

	button(action, node) {
		const button = el('button', { type: 'button', 'data-action': action.id,
			'aria-label': `${action.label}: ${node}`, 'aria-describedby': `watch-${action.id}` }, action.label);
		const mark = (active) => () => setData(this.watch.querySelector(`[data-watch="${action.id}"]`), 'active', active);
		button.addEventListener('mouseenter', mark(true));
		button.addEventListener('mouseleave', mark(false));
		button.addEventListener('focus', mark(true));
		button.addEventListener('blur', mark(false));
		button.addEventListener('click', () => this.press(action, node, button));
		return button;
	}

	enable(card) {
		for (const button of card.querySelectorAll('button')) {
			const makesSense = SENSE[button.dataset.action] ?? isUp;
			const disabled = !this.online || !makesSense(card.node, card.others);
			if (disabled && document.activeElement === button) {
				// Otherwise a user of the keyboard would be thrown to the top of the page.
				card.querySelector('h3').focus({ preventScroll: true });
			}
			button.disabled = disabled;
		}
	}

}
