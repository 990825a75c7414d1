/** The checker of the random runs finds a call that was sent although it may have been sent before, by any node or tool. */
import { brokenRules } from './support/checker.mts';
import {
	ask,
	equalItems,
	failed,
	H1,
	H2,
	item,
	later,
	line,
	logs,
	one,
	run,
	said,
	unknown,
} from './support/hand-made-logs.mts';
import type { Entry, Logs, NodeRun } from './support/logs.mts';

const lost = said('unknown');
const sentBy2 = (more: Partial<Entry> = {}) => later({ scope: 'e2/Write/0', ...more });
/** Two executions, the first of unknown outcome. */
const executions = (second: Partial<NodeRun>, ...service: Entry[]) =>
	logs(
		[unknown(), ...service],
		[one(lost), run({ scope: 'e2/Write/0', execution: 'e2', tries: [25], ...second })],
		{ lines: [line(H1), line(H2, 0, 'e2')] },
	);
const done = { reports: [item({ hash: H2 })] };
const secondItem = equalItems(lost, item({ hash: H2 }, 1));
const sentByOther = later({ scope: 'e1/Other/0' });
const other = run({ scope: 'e1/Other/0', node: 'Other', tries: [25], ...done });
const liftsAnother = { asks: [ask(), ask({ tag: '1', isResend: true })], ...done };
const changing = { asks: [ask({ isRandom: true })], reports: [failed('refused')] };

test.each<[string, Logs]>([
	[
		'a second item blocked by an equal one',
		logs([unknown()], equalItems(lost, { ...lost, item: 1 })),
	],
	['a blocked execution', executions({ reports: [lost] })],
	['one that may send', executions({ asks: [ask({ isResend: true })], ...done }, sentBy2())],
	['one that requests another call', executions(done, sentBy2({ canonical: 'another call' }))],
])('keeps the rules: %s', (_name, given) => {
	expect(brokenRules(given)).toEqual([]);
});

test.each<[string, string, Logs]>([
	['barred', 'sent by another execution', executions(done, sentBy2())],
	['barred', 'sent by another node', logs([unknown(), sentByOther], [one(lost), other])],
	['barred', 'sent by a second item', logs([unknown(), later()], secondItem)],
	['barred', 'lifted by the switch of another item', executions(liftsAnother, sentBy2())],
	['hash', 'not of what blocks it', executions({ reports: [failed('unknown')] })],
	['needless', 'although each reading requests another call', executions(changing)],
])('finds what breaks the rule "%s": %s', (rule, _name, given) => {
	expect(brokenRules(given).map((broken) => broken.split(':')[0])).toContain(rule);
});
