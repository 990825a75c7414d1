/** The checker of the random runs finds every kind of broken rule in handmade logs, and nothing in logs that keep the rules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { brokenRules } from './support/checker.mts';
import {
	ask,
	call,
	equalItems,
	failed,
	failure,
	H1,
	H2,
	H3,
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
import type { Entry, Logs, NodeRun, Report } from './support/logs.mts';

const twoTries = (report: Report, more: Partial<NodeRun> = {}) =>
	run({ tries: [1, 25], reports: [report], ...more });
const RESEND = { asks: [ask({ isResend: true })] };
const resent = (report: Report) => twoTries(report, RESEND);
const item2 = item({ hash: H2 });
const done = { reports: [item2] };
const bothDone = equalItems(item(), { ...item2, item: 1 });
const twoItems = (...reports: Report[]) => run({ asks: [ask(), ask({ tag: '1' })], reports });
/** Two items, and an error that ends the run at the second. */
const endedBy = (report: Report, more: Partial<NodeRun> = {}) => ({
	...twoItems(),
	...failure(report, 1),
	...more,
});
const wish = (is: 'show' | 'refuse', report: Report = item()) =>
	run({ asks: [ask({ wish: is })], reports: [report] });
/** A policy of at most 9 wei per execution. */
const NINE = policy({ maxPerExecution: 9n });
/** An error of the second item at the second attempt. */
const endedLater = (said: string) => endedBy(failed('refused', said), { tries: [1, 25] });
/** The second item's write, refused. */
const refused2 = refused({ tag: '1', from: 30 });
/** A write of unknown outcome, then the second item's write, refused. */
const unknownAndRefused = (first: Partial<Entry> = {}) => [unknown(first), refused2];
const laterUnknown = later({ outcome: 'unknown' });
const resendDone = { ...RESEND, ...done };
/** Two calls of a tool, the first of unknown outcome. */
const calls = (second: Partial<NodeRun>, ...service: Entry[]) =>
	logs(
		[unknown({ scope: 'call/a' }), ...service],
		[call('a', { reports: [said('unknown')] }), call('b', { tries: [25], ...second })],
	);
const third = later({ scope: 'call/c', from: 50, to: 60, hash: H3, hashes: [H3] });
const threeCalls = logs(
	[unknown({ scope: 'call/a' }), later({ scope: 'call/b' }), third],
	[
		call('a', { reports: [said('unknown')] }),
		call('b', { tries: [25], ...resendDone }),
		call('c', { tries: [45], reports: [item({ hash: H3 })] }),
	],
);
const spent = twoItems(item(), { ...failed('refused'), item: 1 });

// Calls that may have been sent before, by any node or tool.
const lost = said('unknown');
const sentBy2 = (more: Partial<Entry> = {}) => later({ scope: 'e2/Write/0', ...more });
/** Two executions, the first of unknown outcome. */
const executions = (second: Partial<NodeRun>, ...service: Entry[]) =>
	logs(
		[unknown(), ...service],
		[one(lost), run({ scope: 'e2/Write/0', execution: 'e2', tries: [25], ...second })],
		{ lines: [line(H1), line(H2, 0, 'e2')] },
	);
const secondItem = equalItems(lost, { ...item2, item: 1 });
const sentByOther = later({ scope: 'e1/Other/0' });
const other = run({ scope: 'e1/Other/0', node: 'Other', tries: [25], ...done });
const liftsAnother = { asks: [ask(), ask({ tag: '1', isResend: true })], ...done };
const changing = { asks: [ask({ isRandom: true })], reports: [failed('refused')] };

const replayed = item({ hash: H1, replayed: true });

test.each<[string, Logs]>([
	['a write that is done', logs()],
	['one that is shown', logs([], wish('show', item({ submitted: false })))],
	['one of unknown outcome', logs([unknown()], one(said('unknown')))],
	['a refused one', logs([refused()], one(failed('refused')))],
	['a refused one that is sent again', logs([refused(), later()], twoTries(item2))],
	['a replayed one', logs([sent()], twoTries(item({ hash: H1, replayed: true })))],
	['an unknown one that is not sent again', logs([unknown()], twoTries(said('unknown')))],
	['an unknown one that may be', logs([unknown(), later()], resent(item2))],
	['two equal items', logs([sent(), later()], bothDone)],
	['an error with earlier hashes', logs([sent(), refused2], endedBy(failed('refused', H1)))],
	['one with the hash of an open item', logs(unknownAndRefused(), endedLater(`item 1: ${H1}`))],
	['a stopped execution', logs([unknown({ hashes: [] })], run({ stoppedAt: 15, reports: [] }))],
	[
		'an equal call',
		logs([sent({ scope: 'call/a' })], [call('a'), call('b', { tries: [25], reports: [replayed] })]),
	],
	['a barred call', calls({ reports: [failed('refused')] })],
	['a barred call that may be sent', calls(resendDone, later({ scope: 'call/b' }))],
	['a call that is no longer barred, because it was sent again', threeCalls],
	['a closed policy', logs([], one(failed('refused')), policy({ isOpen: false }))],
	['what cannot be read', logs([], wish('refuse', failed('refused')))],
	['a look-up that fails', logs([], one(failed('refused'), { asks: [ask({ mayFail: true })] }))],
	['no service', logs([], one(failed('refused')), { isUnreachable: true })],
	['an execution that has spent its limit', logs([sent()], spent, NINE)],
	['a list over the limit, of which nothing is sent', logs([], endedBy(failed('refused')), NINE)],
	[
		'a second item blocked by an equal one',
		logs([unknown()], equalItems(lost, { ...lost, item: 1 })),
	],
	['a blocked execution', executions({ reports: [lost] })],
	['one that may send', executions(resendDone, sentBy2())],
	['one that requests another call', executions(done, sentBy2({ canonical: 'another call' }))],
])('keeps the rules: %s', (_name, given) => {
	expect(brokenRules(given)).toEqual([]);
});

const twoCalls = [call('a'), call('b', { reports: [failed('refused')] })];
const unhashed = unknown({ hashes: [] });
const later0 = refused({ from: 30 });
const failureOf7 = failure(failed('refused', H1), 7);
const ERROR_OUTPUT = { hasErrorOutput: true };

const BREACHES: readonly [rule: string, name: string, given: Logs][] = [
	['nobody', 'a write of no run', logs([sent(), later({ scope: undefined })])],
	['followed', 'a redirect', logs([sent({ isDirect: false })])],
	['together', 'two at the same time', logs([sent(), later({ from: 19 })], bothDone)],
	['stopped', 'sent after the stop', logs([sent()], run({ stoppedAt: 5 }))],
	['policy', 'a closed one', logs([sent()], run(), policy({ isOpen: false }))],
	['policy', 'another contract', logs([sent()], run(), policy({ contracts: ['0xb2'] }))],
	['policy', 'another function', logs([sent()], run(), policy({ functions: ['0xa9059cbb'] }))],
	['policy', 'too much in a call', logs([sent()], run(), policy({ maxPerCall: 4n }))],
	[
		'equal',
		'by another call',
		logs(
			[sent({ scope: 'call/a' }), later({ scope: 'call/b' })],
			[call('a'), call('b', { tries: [25], reports: [item2] })],
		),
	],
	['barred', 'by another call', calls({ reports: [item2] }, later({ scope: 'call/b' }))],
	['limit', 'too much in an execution', logs([sent(), later()], bothDone, NINE)],
	[
		'limit',
		'of unknown outcome',
		logs([unknown(), laterUnknown], resent(said('unknown', H2)), NINE),
	],
	['twice', 'a done one again', logs([sent(), later()], twoTries(item2))],
	['twice', 'an unknown one again', logs([unknown(), later()], twoTries(item2))],
	['twice', 'in the same attempt', logs([unknown(), later()], run(RESEND))],
	['twice', 'two equal items thrice', logs([sent(), later(), later({ from: 50 })], bothDone)],
	['wish', 'one to be shown', logs([sent()], wish('show'))],
	['wish', 'one to be refused', logs([sent()], wish('refuse'))],
	['altered', 'another value', logs([sent({ value: 0n })])],
	['altered', 'another function', logs([sent({ selector: '0x00000000' })])],
	['altered', 'another contract', logs([sent({ address: '0xb2' })])],
	['log', 'no line', logs([sent()], run(), { lines: [] })],
	['log', 'a line without the hash', logs([sent()], run(), { lines: [line()] })],
	['log', 'a line for another item', logs([sent()], run(), { lines: [line(H1, 1)] })],
	['log', 'a line for another execution', logs([sent()], run(), { lines: [line(H1, 0, 'e2')] })],
	[
		'log',
		'no line for an unknown outcome',
		logs([unhashed], one(failed('unknown')), { lines: [] }),
	],
	['output', 'an error among results', logs([refused()], one(failed('refused'), ERROR_OUTPUT))],
	['output', 'a result among errors', logs([sent()], one({ ...item(), isErrorOutput: true }))],
	['lie', 'a hash that nobody gave', logs([sent()], one(item2))],
	['lie', 'the hash of what was not done', logs([sent({ hash: undefined })])],
	['lie', 'the hash of another call', logs([sent({ scope: 'call/a' })], [call('a'), call('b')])],
	['lie', 'one hash for two items', logs([sent()], equalItems(item(), item({ hash: H1 }, 1)))],
	['lie', 'an input that leaves as a result', logs([refused()], one(item({ tag: '0' })))],
	['lie', 'a pending one', logs([unknown()])],
	['replayed', 'not said', logs([sent()], twoTries(item()))],
	['replayed', 'said of a new one', logs([sent()], one(item({ hash: H1, replayed: true })))],
	['done', 'reported as failed', logs([sent()], one(said('unknown')))],
	['done', 'not in the error', logs([sent()], endedBy(failed('refused')))],
	['unknown', 'said to be refused', logs([unknown()], one(said('refused')))],
	['unknown', 'said of a refused one', logs([refused()], one(failed('unknown')))],
	['unknown', 'forgotten by the next try', logs([unknown()], twoTries(said('refused')))],
	['unknown', 'forgotten by a resending', logs([unknown(), later0], resent(said('refused')))],
	['unknown', 'forgotten by a later item', logs(unknownAndRefused({ hashes: [] }), endedLater(''))],
	['unknown', 'without its hash', logs(unknownAndRefused(), endedLater('item 1 is open'))],
	['outcome', 'not said', logs([refused()], one(failed('none')))],
	['code', 'not said', logs([refused()], one(failed('refused', '', { code: undefined })))],
	['hash', 'not in the words', logs([unknown()], one(failed('unknown', '', { hashes: [H1] })))],
	['hash', 'not in the details', logs([unknown()], one(failed('unknown', H1)))],
	['hash', 'of a refused one', logs([refused({ hashes: [H1] })], one(failed('refused')))],
	['hash', 'of an earlier try', logs([unknown()], twoTries(failed('unknown')))],
	['needless', 'never sent', logs([], one(failed('refused')))],
	['needless', 'for what another call spent', logs([sent({ scope: 'call/a' })], twoCalls, NINE)],
	['token', 'in the log', logs([sent()], run(), { lines: [`${line(H1)} secret`] })],
	['token', 'in a report', logs([sent()], one(item({ hash: H1, said: 'secret' })))],
	['missing', 'no report', logs([sent()], twoItems(item()))],
	['missing', 'an error of no item', logs([sent()], { ...run(), ...failureOf7 })],
	['missing', 'two reports of an item', logs([sent()], run({ reports: [item(), item()] }))],
	['barred', 'sent by another execution', executions(done, sentBy2())],
	['barred', 'sent by another node', logs([unknown(), sentByOther], [one(lost), other])],
	['barred', 'sent by a second item', logs([unknown(), later()], secondItem)],
	['barred', 'lifted by the switch of another item', executions(liftsAnother, sentBy2())],
	['hash', 'not of what blocks it', executions({ reports: [failed('unknown')] })],
	['needless', 'although each reading requests another call', executions(changing)],
];

test.each(BREACHES)('finds what breaks the rule "%s": %s', (rule, _name, given) => {
	expect(brokenRules(given).map((broken) => broken.split(':')[0])).toContain(rule);
});

test('each rule of the checker is broken by a test', () => {
	const source = readFileSync(join(import.meta.dirname, 'support', 'checker.mts'), 'utf8');
	const rules = [...source.matchAll(/'(\w+): [^']*'/g)].map(([, rule]) => rule);
	expect(new Set(BREACHES.map(([rule]) => rule))).toEqual(new Set(rules));
});
