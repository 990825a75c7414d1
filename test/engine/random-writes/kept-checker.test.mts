/** The rules at a service that keeps writes: the checker finds each broken one in handmade logs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	ask,
	call,
	failed,
	H1,
	H2,
	item,
	later,
	line,
	logs,
	one,
	policy,
	refused,
	run,
	said,
	sent,
	unknown,
} from './support/hand-made-logs.mts';
import { brokenKeptRules } from './support/kept-checker.mts';
import type { Entry, Logs, Look, NodeRun, Report } from './support/logs.mts';

const KEY = { key: 'k1' };
const put = (more: Partial<Entry> = {}) => sent({ ...KEY, ...more });
const lost = (more: Partial<Entry> = {}) => unknown({ ...KEY, ...more });
/** The same write again, of which the service has the record. */
const repeat = (more: Partial<Entry> = {}) => later({ ...KEY, hash: H1, isRepeat: true, ...more });
const look = (isAnswered: boolean, to = 22): Look => ({
	key: 'k1',
	scope: 'e1/Write/0',
	to,
	isAnswered,
});
const kept = (service: Entry[], runs: NodeRun | NodeRun[] = run(), more: Partial<Logs> = {}) =>
	logs(service, runs, { looks: [], ...more });
const again = (report: Report, more: Partial<NodeRun> = {}) =>
	run({ scope: 'e2/Write/0', execution: 'e2', tries: [25], reports: [report], ...more });
const second = (more: Partial<Entry> = {}) => later({ scope: 'e2/Write/0', key: 'k2', ...more });
const replayed = item({ hash: H1, replayed: true });
const ORDER = { asks: [ask({ order: '7' })] };
const nothing = lost({ hash: undefined, hashes: [] });
const noWords = failed('refused');
const LINES = { lines: [line(H1), line(H2, 0, 'e2')] };

test.each<[string, Logs]>([
	['a write that is done', kept([put()])],
	['one that is lost, and repeated', kept([lost(), repeat()])],
	['one that never arrived, and ended', kept([nothing], one(noWords), { looks: [look(true)] })],
	['one that is lost, and cannot be asked for', kept([lost()], one(said('unknown')))],
	['a replayed one', kept([put(), repeat({ from: 30 })], one(replayed, { tries: [1, 25] }))],
	[
		'an order that another execution repeats',
		kept([put(), second({ hash: H1, isRepeat: true })], [run(ORDER), again(replayed, ORDER)]),
	],
	[
		'an equal call, after the first was decided',
		kept([nothing, second()], [one(noWords), again(item({ hash: H2 }))], {
			...LINES,
			looks: [look(true)],
		}),
	],
	['an equal call that is blocked', kept([lost()], [one(said('unknown')), again(said('unknown'))])],
	[
		'an equal call of a model, which asks for the same write under its key',
		kept(
			[lost({ scope: 'call/a', hash: undefined, hashes: [] }), later({ ...KEY, scope: 'call/b' })],
			[call('a', { reports: [failed('unknown')] }), call('b', { reports: [item({ hash: H2 })] })],
		),
	],
	['a refused one', kept([refused(KEY)], one(noWords))],
])('keeps the rules: %s', (_name, given) => {
	expect(brokenKeptRules(given)).toEqual([]);
});

const BREACHES: readonly (readonly [rule: string, name: string, given: Logs])[] = [
	['twice', 'under another key', kept([lost(), later({ key: 'k2' })], one(item({ hash: H2 })))],
	[
		'order',
		'by two executions',
		kept([put(), second()], [run(ORDER), again(item({ hash: H2 }), ORDER)], LINES),
	],
	[
		'barred',
		'an equal call that is open',
		kept([lost(), second()], [one(said('unknown')), again(item({ hash: H2 }))], LINES),
	],
	['limit', 'more than an execution may', kept([put()], run(), policy({ maxPerExecution: 4n }))],
	['wish', 'one to be shown', kept([put()], run({ asks: [ask({ wish: 'show' })] }))],
	['altered', 'another value', kept([put({ value: 0n })])],
	['log', 'no line', kept([put()], run(), { lines: [] })],
	['output', 'a result among errors', kept([put()], one({ ...item(), isErrorOutput: true }))],
	['lie', 'a hash that nobody gave', kept([put()], one(item({ hash: H2 })))],
	['lie', 'one that never arrived', kept([nothing])],
	[
		'replayed',
		'not said of an order',
		kept([put(), second({ hash: H1, isRepeat: true })], [run(ORDER), again(item(), ORDER)]),
	],
	['done', 'not reported', kept([put()], one(noWords))],
	['refused', 'said of what was carried out', kept([lost()], one(failed('refused', H1)))],
	[
		'unknown',
		'although its key has ended',
		kept([nothing], one(failed('unknown')), { looks: [look(true)] }),
	],
	['outcome', 'not said', kept([refused(KEY)], one(failed('none')))],
	['code', 'not said', kept([refused(KEY)], one(failed('refused', '', { code: undefined })))],
	['needless', 'never sent', kept([], one(noWords))],
];

test.each(BREACHES)('finds what breaks the rule "%s": %s', (rule, _name, given) => {
	expect(brokenKeptRules(given).map((broken) => broken.split(':')[0])).toContain(rule);
});

test('each rule of the checker is broken by a test', () => {
	const source = readFileSync(join(import.meta.dirname, 'support', 'kept-checker.mts'), 'utf8');
	const rules = [...source.matchAll(/'(\w+): [^']*'/g)].map(([, rule]) => rule);
	const found = new Set(BREACHES.map(([rule]) => rule));
	expect([...new Set(rules)].filter((rule = '') => !found.has(rule))).toEqual([]);
});
