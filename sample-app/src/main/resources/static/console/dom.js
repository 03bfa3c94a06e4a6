/** Small functions that the parts of the console share. */

export function byId(id) {
	return document.getElementById(id);
}

/** Create an element; a property with a dash, `role` and `class` are attributes. */
export function el(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name.includes('-') || name === 'role' || name === 'class' || name === 'scope') {
			element.setAttribute(name, value);
		}
		else {
			element[name] = value;
		}
	}
	element.append(...children);
	return element;
}

/** Change a text only when it differs, so that nothing is drawn or announced for nothing. */
export function setText(element, text) {
	const value = String(text);
	if (element.textContent !== value) {
		element.textContent = value;
	}
}

export function setData(element, name, value) {
	const text = String(value);
	if (element.dataset[name] !== text) {
		element.dataset[name] = text;
	}
}

export function setHidden(element, hidden) {
	if (element.hidden !== hidden) {
		element.hidden = hidden;
	}
}

/**
 * Make the children of an element those of the items, in their order. A child stays the
 * same element as long as its key is there, so focus and open details survive.
 */
export function reconcile(parent, items, keyOf, create, update) {
	const present = new Map(Array.from(parent.children, (child) => [child.reconcileKey, child]));
	let next = parent.firstElementChild;
	for (const item of items) {
		const key = String(keyOf(item));
		let child = present.get(key);
		present.delete(key);
		if (!child) {
			child = create(item);
			child.reconcileKey = key;
		}
		if (child === next) {
			next = next.nextElementSibling;
		}
		else {
			parent.insertBefore(child, next);
		}
		update?.(child, item);
	}
	for (const child of present.values()) {
		child.remove();
	}
}

export function clock(millis) {
	return new Date(millis).toLocaleTimeString('en-GB');
}

/** The time of day with tenths of a second. */
export function preciseClock(millis) {
	return `${clock(millis)}.${Math.floor((millis % 1000) / 100)}`;
}

export function duration(millis) {
	const seconds = Math.max(0, millis) / 1000;
	if (seconds < 10) {
		return `${(Math.floor(seconds * 10) / 10).toFixed(1)} s`;
	}
	if (seconds < 120) {
		return `${Math.floor(seconds)} s`;
	}
	if (seconds < 7200) {
		return `${Math.floor(seconds / 60)} min`;
	}
	return `${Math.floor(seconds / 3600)} h`;
}

const COLOURS = 6;

const known = new Map();

/** The number of a node's colour: the same one everywhere, on each page of the nodes. */
export function colourOf(node) {
	if (!known.has(node)) {
		const taken = new Set(known.values());
		let colour = Number(node.replace(/\D/g, '')) % COLOURS;
		for (let i = 0; i < COLOURS && taken.has(colour); i++) {
			colour = (colour + 1) % COLOURS;
		}
		known.set(node, colour);
	}
	return known.get(node);
}

export function nodeTag(node) {
	return el('span', { class: 'node', 'data-colour': colourOf(node) }, node);
}

/** Where the outcome of a button is shown, beside it. The place names what it is for: a node, an action, a job or a role. */
export function outcomePlace(place, hint = '') {
	return el('p', { class: 'note', 'data-place': place, 'data-phase': 'NONE' }, el('span', { class: 'pill', 'data-part': 'phase' }), ' ',
		el('strong', { 'data-part': 'label' }), ' ', el('span', { 'data-part': 'text' }, hint));
}

/** The names of the nodes, a row for each. */
export function showRows(article, rows) {
	reconcile(article.querySelector('.rows'), rows, (node) => node, nodeTag);
}
