import { byId, clock, duration, el, nodeTag, outcomePlace, reconcile, setData, setText } from './dom.js';

/** The roles: who leads each, since when, and who leads next. */
export class Roles {

	constructor(press) {
		this.press = press;
		this.list = byId('role-list');
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
		reconcile(this.list, snapshot.roles, (role) => role.name, (role) => this.create(role),
			(article, role) => this.update(article, role, snapshot.time));
	}

	create(role) {
		const title = `role-title-${encodeURIComponent(role.name)}`;
		return el('article', { class: 'card role', 'data-role': role.name, 'aria-labelledby': title },
			el('div', { class: 'card-head' }, el('h3', { id: title }, role.name),
				el('span', { class: 'job-buttons', role: 'group', 'aria-label': `Actions on ${role.name}` })),
			el('p', { class: 'leader' }, el('span', { 'data-part': 'leader' }), ' ', el('span', { class: 'meaning', 'data-part': 'since' })),
			el('p', { class: 'meaning', 'data-part': 'next' }),
			outcomePlace(`role:${role.name}`));
	}

	update(article, role, now) {
		const part = (name) => article.querySelector(`[data-part="${name}"]`);
		setData(article, 'leader', role.leader ?? '');
		reconcile(part('leader'), role.leader ? [role.leader] : [], (node) => node, nodeTag);
		setText(part('since'), sinceText(role, now));
		setText(part('next'), role.waiting.length === 0 ? 'No other node waits for it.' : `Next: ${role.waiting.join(', ')}`);
		reconcile(article.querySelector('.job-buttons'), this.actions.filter((action) => action.target === `role:${role.name}`),
			(action) => action.id, (action) => this.button(action),
			(button) => {
				button.applies = role.since !== null;
				button.disabled = !this.online || !button.applies;
			});
	}

	button(action) {
		const button = el('button', { type: 'button', 'data-action': action.id, title: action.watch }, action.label);
		button.addEventListener('click', () => this.press(action, null, button));
		return button;
	}

}

function sinceText(role, now) {
	if (role.leader === null) {
		return 'No node leads at this moment.';
	}
	return role.since === null ? 'leads' : `has led for ${duration(now - role.since)}, since ${clock(role.since)}, token ${role.token}`;
}
