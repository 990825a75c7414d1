/** Handmade logs for tests of the checker; by default, they show one item, sent once and done. */
import type { Ask, Entry, Logs, NodeRun, Report } from './logs.mts';

const CONTRACT = `0x${'a1'.repeat(20)}`;
const CALL = { tag: '0', address: CONTRACT, selector: '0x30dbe471', value: 5n };
const NO_LIMIT = 2n ** 256n;
export const [H1, H2, H3] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`);

/** A write that was sent at time 10 and answered at time 20. */
export const sent = (more: Partial<Entry> = {}): Entry => ({
	...CALL,
	scope: 'e1/Write/0',
	isDirect: true,
	canonical: `${CONTRACT} 0x30dbe471 ${more.tag ?? '0'} 5`,
	arrivedAt: 10,
	from: 10,
	to: 20,
	hash: H1,
	outcome: 'done',
	hashes: [H1],
	...more,
});

/** A write that was sent at time 30 and answered at time 40. */
export const later = (more: Partial<Entry> = {}): Entry =>
	sent({ arrivedAt: 30, from: 30, to: 40, hash: H2, hashes: [H2], ...more });

export const unknown = (more: Partial<Entry> = {}): Entry => sent({ outcome: 'unknown', ...more });

export const refused = (more: Partial<Entry> = {}): Entry =>
	sent({ outcome: 'refused', hash: undefined, hashes: [], ...more });

export const ask = (more: Partial<Ask> = {}): Ask => ({
	...CALL,
	wish: 'send',
	mayFail: false,
	isResend: false,
	isRandom: false,
	...more,
});

/** An output item. */
export const item = (json: Report['json'] = { hash: H1 }, index = 0): Report => ({
	item: index,
	isErrorOutput: false,
	json,
});

/** An error item. */
export const failed = (
	outcome: string,
	words = '',
	details: Readonly<Record<string, unknown>> = {},
): Report => ({
	...item({ error: words }),
	error: {
		item: 0,
		message: words,
		text: words,
		details: { outcome, code: 'some-code', ...details },
	},
});

/** The error item of a write of unknown outcome, with its hash. */
export const said = (outcome: string, hash = H1): Report =>
	failed(outcome, `maybe ${hash}`, { hashes: [hash] });

/** An item's error, as the error that ends the run at the given item. */
export const failure = ({ error }: Report, index: number): Pick<NodeRun, 'ending'> => ({
	ending: error && { ...error, item: index },
});

/** A run that begins at time 1. */
export const run = (more: Partial<NodeRun> = {}): NodeRun => ({
	scope: 'e1/Write/0',
	node: 'Write',
	index: 0,
	execution: 'e1',
	isTool: false,
	hasErrorOutput: false,
	asks: [ask()],
	tries: [1],
	reports: [item()],
	...more,
});

export const one = (report: Report, more: Partial<NodeRun> = {}): NodeRun =>
	run({ reports: [report], ...more });

export const equalItems = (...reports: Report[]): NodeRun => run({ asks: [ask(), ask()], reports });

/** A call of a tool without an execution. */
export const call = (name: string, more: Partial<NodeRun> = {}): NodeRun =>
	run({ scope: `call/${name}`, isTool: true, execution: undefined, ...more });

export const line = (hash = '', index = 0, execution = 'e1'): string =>
	`Sent ${hash}, item ${index}, node "Write", execution ${execution}`;

export const policy = (more: Partial<Logs['policy']> = {}): Pick<Logs, 'policy'> => ({
	policy: {
		isOpen: true,
		contracts: [],
		functions: [],
		maxPerCall: NO_LIMIT,
		maxPerExecution: NO_LIMIT,
		...more,
	},
});

/** Both logs of a run. */
export const logs = (
	service: readonly Entry[] = [sent()],
	runs: NodeRun | readonly NodeRun[] = run(),
	more: Partial<Logs> = {},
): Logs => ({
	...policy(),
	token: 'secret',
	isUnreachable: false,
	service,
	runs: [runs].flat(),
	lines: [line(H1), line(H2), line(H3)],
	...more,
});
