import { Actions, Outcomes } from './actions.js';
import { byId, clock, el, setData, setText } from './dom.js';
import { Jobs } from './jobs.js';
import { Locks } from './locks.js';
import { Nodes } from './nodes.js';
import { Roles } from './roles.js';

const RETRY_MS = 2000;

const root = document.documentElement;

const outcomes = new Outcomes((action) => actions.labels.get(action) ?? action,
	(action, node) => actions.placeOf(action, node));

const actions = new Actions(press);

const nodes = new Nodes(press);

const locks = new Locks();

const jobs = new Jobs(press);

const roles = new Roles(press);

let info = null;

let last = null;

/** The node that serves this page, if its stop was asked for here. */
let stopping = null;

/** Ask who serves this page, and for the token that its buttons need. */
async function loadInfo() {
	const response = await fetch('/console/info', { cache: 'no-store' });
	if (!response.ok) {
		throw new Error(`The server answered ${response.status}`);
	}
	info = await response.json();
	document.title = `${info.node} · zk-lock console`;
	actions.setInfo(info.actions);
	jobs.setInfo(info.actions);
	roles.setInfo(info.actions);
	nodes.setInfo(info.node, info.actions.filter((action) => action.target === 'node'));
	outcomes.relabel();
	if (last) {
		showState(last);
	}
}

function connect() {
	const stream = new EventSource('/console/events');
	stream.addEventListener('open', () => opened(stream));
	stream.addEventListener('state', (event) => showState(JSON.parse(event.data)));
	stream.addEventListener('outcome', (event) => showOutcome(JSON.parse(event.data)));
	stream.addEventListener('error', () => {
		broken();
		if (stream.readyState === EventSource.CLOSED) {
			// After an answer that is an error the browser does not try again by itself.
			setTimeout(connect, RETRY_MS);
		}
	});
}

async function opened(stream) {
	outcomes.replayBegins();
	try {
		// Each time: behind the same port there may be a new process with a new token.
		await loadInfo();
	}
	catch {
		if (stream.readyState === EventSource.OPEN) {
			setTimeout(() => opened(stream), RETRY_MS);
		}
		return;
	}
	setOnline(stream.readyState === EventSource.OPEN);
}

function setOnline(online) {
	setData(root, 'connected', online);
	nodes.setOnline(online);
	actions.setOnline(online);
	jobs.setOnline(online);
	roles.setOnline(online);
	setText(byId('stream-state'), online ? 'live' : 'not connected');
	if (online) {
		stopping = null;
		byId('broken').replaceChildren();
	}
}

function showState(snapshot) {
	last = snapshot;
	nodes.show(snapshot);
	for (const [name, value] of Object.entries(snapshot.counters)) {
		const counter = document.querySelector(`#counters [data-counter="${name}"]`);
		if (counter) {
			setText(counter, value);
		}
	}
	jobs.show(snapshot);
	roles.show(snapshot);
	locks.show(snapshot);
	outcomes.showInPlaces();
	setText(byId('stream-text'), `${info ? `${info.node} at ` : ''}${clock(snapshot.time)}`);
}

/** Show what has become of an action. A stop that has failed is none. */
function showOutcome(outcome) {
	if (outcome.action === 'stop' && outcome.node === stopping && outcome.phase === 'FAILED') {
		stopping = null;
	}
	outcomes.show(outcome);
}

function broken() {
	const first = root.dataset.connected === 'true' || byId('broken').childElementCount === 0;
	setOnline(false);
	if (!first) {
		return;
	}
	const others = (last?.nodes ?? []).filter((node) => node.name !== info?.node && node.state !== 'STOPPED');
	if (stopping !== null) {
		showBanner(`${stopping}, which served this page, was stopped by its button “Stop it”.`,
			' Start it again on the page of another node. Then this page goes on by itself.', 'Start it again there: ', others);
		showStopped(stopping, others);
	}
	else {
		showBanner(`${info?.node ?? 'The node'}, which serves this page, does not answer.`,
			' The page goes on by itself when the node is back.', 'Go on with another node: ', others);
	}
}

function showBanner(what, then, lead, others) {
	byId('broken').replaceChildren(el('p', {}, el('strong', {}, what), last ? ` What you see is of ${clock(last.time)}.` : '', then));
	if (others.length > 0) {
		byId('broken').append(el('p', {}, lead, ...others.flatMap((node) => [el('a', { href: node.url }, node.name), ' '])));
	}
}

/** Show what this page knows of its own node, which cannot say it any more. */
function showStopped(name, others) {
	const stopped = { state: 'STOPPED', session: null, since: Date.now(), fault: 'NONE', held: 0, waiting: 0 };
	if (last) {
		showState({ ...last, nodes: last.nodes.map((node) => node.name === name ? { ...node, ...stopped } : node) });
	}
	outcomes.stopped(name, 'It was stopped by this button, and its page with it. Start it again on the page of another node:', others);
	// The banner may be over it.
	placeOf('stop', name)?.scrollIntoView({ block: 'center' });
}

function placeOf(action, node) {
	return document.querySelector(`[data-place="${actions.placeOf(action, node)}"]`);
}

/** Do what a button says; its outcome comes with the events. */
async function press(action, node, button) {
	if (button.getAttribute('aria-busy') === 'true') {
		return;
	}
	button.setAttribute('aria-busy', 'true');
	const place = placeOf(action.id, node);
	// In the list of actions it is hidden before the first outcome.
	(place?.closest('li') ?? place)?.scrollIntoView({ block: 'nearest' });
	if (action.id === 'stop' && node === info.node) {
		stopping = node;
	}
	try {
		let response = await post(action, node);
		if (response.status === 403) {
			// The token is of a process that has ended since, or of another port.
			await loadInfo();
			response = await post(action, node);
		}
		if (!response.ok) {
			stopping = action.id === 'stop' && node === stopping ? null : stopping;
			outcomes.refused(action.id, node, await reason(response));
		}
	}
	catch {
		outcomes.refused(action.id, node, `${info.node}, which serves this page, did not answer.`);
	}
	finally {
		button.removeAttribute('aria-busy');
	}
}

function post(action, node) {
	return fetch(`/console/actions/${encodeURIComponent(action.id)}`, {
		method: 'POST',
		headers: { [info.csrf.header]: info.csrf.token },
		body: new URLSearchParams(node ? { node } : {})
	});
}

async function reason(response) {
	try {
		const problem = await response.json();
		return problem.detail ?? problem.title;
	}
	catch {
		return `The server answered ${response.status}.`;
	}
}

connect();
