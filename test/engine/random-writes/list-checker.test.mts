/** The checker of lists finds every kind of broken rule in handmade logs, and nothing in logs that keep the rules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { failed, H1, H2, item, said } from './support/hand-made-logs.mts';
import { brokenListRules } from './support/lists/list-checker.mts';
import type { ListLogs, ListRun, Row, Sending, Session } from './support/lists/logs.mts';
import type { Report } from './support/logs.mts';

const row = (id: number, more: Partial<Row> = {}): Row => ({
	id,
	user: 0,
	to: 0,
	amount: 4,
	...more,
});
const sent = (more: Partial<Sending> = {}): Sending => ({
	payment: row(0),
	session: 0,
	hash: H1,
	isLost: false,
	isRefused: false,
	...more,
});
const run = (reports: readonly Report[], rows: readonly Row[] = [row(0)]): ListRun => ({
	reports: [...reports],
	rows,
});
const session = (runs: readonly ListRun[], more: Partial<Session> = {}): Session => ({
	index: 0,
	process: 0,
	execution: 0,
	isRetry: false,
	isCrashed: false,
	isRivalled: false,
	hasMoved: false,
	kept: [],
	runs,
	...more,
});
const again = (runs: readonly ListRun[], more: Partial<Session> = {}) =>
	session(runs, { index: 1, isRetry: true, ...more });
const logs = (
	sendings: readonly Sending[] = [sent()],
	sessions: readonly Session[] = [session([run([item()])])],
	more: Partial<ListLogs> = {},
): ListLogs => ({
	limits: {},
	isKept: true,
	isChanging: false,
	isRepeated: false,
	stops: false,
	rows: [row(0)],
	sendings,
	sessions,
	...more,
});

const TWO = [row(0), row(1)];
const OTHER = [row(0), row(1, { user: 1 })];
const second = sent({ hash: H2 });
const bySecond = sent({ hash: H2, payment: row(1, { user: 1 }) });
const refusedBy = (code: string) => failed('refused', '', { code });
const both = run([item(), item({ hash: H2 }, 1)], TWO);
const refused2 = { ...refusedBy('policy-refused'), item: 1 };
const overSecond = { ...refused2, error: refused2.error && { ...refused2.error, item: 1 } };
const moved = again([run([refusedBy('retry-conflict')])], { hasMoved: true });
const crashed = session([], { isCrashed: true });
const replayed = item({ hash: H1, replayed: true });
const LIMIT = { limits: { perExecution: 7 } };

test.each<[string, ListLogs]>([
	['a row that is paid', logs()],
	['two equal rows', logs([sent(), second], [session([both])], { rows: TWO })],
	[
		'equal orders of two users',
		logs([sent(), bySecond], [session([run([item(), item({ hash: H2 }, 1)], OTHER)])], {
			rows: OTHER,
		}),
	],
	['one that is paid before a crash', logs([sent()], [crashed, again([run([replayed])])])],
	['a lost answer', logs([sent({ isLost: true })], [session([run([said('unknown')])])])],
	[
		'a row beyond the limit',
		logs([sent()], [session([run([item(), overSecond], TWO)])], { rows: TWO, ...LIMIT }),
	],
	['a row that has changed', logs([sent()], [crashed, moved])],
	[
		'a limit that counts an equal row before a wait',
		logs(
			[sent()],
			[session([run([item()])]), session([run([refusedBy('policy-refused')])], { index: 1 })],
			{
				rows: TWO,
				...LIMIT,
			},
		),
	],
	[
		'a limit that counts from zero in another process',
		logs(
			[sent(), { ...second, session: 1 }],
			[session([run([item()])]), session([run([item({ hash: H2 })])], { index: 1, process: 1 })],
			{ rows: TWO, ...LIMIT },
		),
	],
])('keeps the rules: %s', (_name, given) => {
	expect(brokenListRules(given)).toEqual([]);
});

const ONE_REFUSED = (code: string) => logs([], [session([run([refusedBy(code)])])]);

const BREACHES: readonly (readonly [rule: string, name: string, given: ListLogs])[] = [
	['twice', 'in one session', logs([sent(), second], [session([both])])],
	[
		'twice',
		'by a crashed one',
		logs([sent(), { ...second, session: 1 }], [crashed, again([run([item({ hash: H2 })])])]),
	],
	['altered', 'another amount', logs([sent({ payment: row(0, { amount: 3 }) })])],
	['altered', 'another user', logs([sent({ payment: row(0, { user: 1 }) })])],
	['call', 'more than one may', logs(undefined, undefined, { limits: { perCall: 3 } })],
	['limit', 'too much', logs([sent(), second], [session([both])], { rows: TWO, ...LIMIT })],
	[
		'limit',
		'of tokens, by two users',
		logs([sent(), bySecond], [session([both])], { rows: OTHER, limits: { ofToken: 7 } }),
	],
	['lie', 'never paid', logs([])],
	['lie', 'paid by another user', logs([bySecond], [session([run([item({ hash: H2 })])])])],
	[
		'lie',
		'one for two rows',
		logs([sent()], [session([run([item(), item({ hash: H1 }, 1)], TWO)])]),
	],
	[
		'lie',
		'one that n8n has kept',
		logs([sent()], [session([run([item()])], { kept: [H1 ?? ''] })]),
	],
	['replayed', 'not said', logs([sent()], [crashed, again([run([item()])])])],
	['done', 'not reported', logs([sent()], [session([run([refusedBy('service-failed')])])])],
	['outcome', 'not said', logs([], [session([run([failed('none')])])])],
	['code', 'not said', logs([], [session([run([failed('refused', '', { code: '' })])])])],
	['missing', 'no report', logs([sent()], [session([run([item()], TWO)])])],
	...[
		'policy-refused',
		'retry-conflict',
		'order-conflict',
		'not-sent',
		'not-sent-again',
		'unexpected-status',
		'other',
	].map((code) => ['needless', code, ONE_REFUSED(code)] as const),
	[
		'needless',
		'although it fits',
		logs([], [session([run([refusedBy('policy-refused')])])], LIMIT),
	],
];

test.each(BREACHES)('finds what breaks the rule "%s": %s', (rule, _name, given) => {
	expect(brokenListRules(given).map((broken) => broken.split(':')[0])).toContain(rule);
});

test('each rule of the checker is broken by a test', () => {
	const path = join(import.meta.dirname, 'support', 'lists', 'list-checker.mts');
	const rules = [...readFileSync(path, 'utf8').matchAll(/['`](\w+): [^'`]*['`]/g)].map(
		([, rule]) => rule,
	);
	expect(new Set(BREACHES.map(([rule]) => rule))).toEqual(new Set(rules));
});
