/** The lines in n8n's log that outlive a stopped execution. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { ServiceError } from '../../../nodes/WalletService/request/failure/service-error.ts';
import { logNotDone, logSubmitted } from '../../../nodes/WalletService/writes/write-log.ts';

const call = { digest: 'd', shown: { contractAddress: '0xC', function: 'pay()', args: [] } };

/** A context of n8n that records log lines. */
function logging(execution?: string, workflow?: string) {
	const lines: string[] = [];
	const context = {
		logger: {
			info: (line: string) => lines.push(`info ${line}`),
			warn: (line: string) => lines.push(`warn ${line}`),
		},
		getItemIndex: () => 3,
		getNode: () => ({ name: 'Pay "all"' }),
		getExecutionId: () => execution,
		getWorkflow: () => ({ id: workflow }),
	};
	return { lines, context: context as unknown as IExecuteSingleFunctions };
}

const PLACE = 'item 3, node "Pay \\"all\\"", execution 7, workflow w, contract 0xC, function pay()';
const failure = (changes = {}) =>
	new ServiceError({ message: 'It failed', hint: '', code: 'timeout', ...changes });

test('a write that was submitted', () => {
	const { lines, context } = logging('7', 'w');
	logSubmitted(context, call, ['0xa']);
	logSubmitted(context, { ...call, moves: 'for 0xD: 5' }, ['0xa', '0xb', '0xc']);
	expect(lines).toEqual([
		`info Contract write submitted: 0xa, ${PLACE}`,
		`info Contract write submitted: 0xa (refused before: 0xb, 0xc), ${PLACE} for 0xD: 5`,
	]);
});

test('a write that was not, or perhaps', () => {
	const { lines, context } = logging('7', 'w');
	logNotDone(context, call, failure({ outcome: 'unknown', hashes: ['0xa', '0xb'] }));
	logNotDone(context, call, failure({ outcome: 'unknown' }));
	logNotDone(context, call, failure({ outcome: 'refused', hashes: ['0xa'] }));
	logNotDone(context, call, failure({ outcome: 'refused' }));
	logNotDone(context, call, new TypeError('x'));
	expect(lines).toEqual([
		`warn Contract write of unknown outcome: 0xa, 0xb, ${PLACE}: It failed`,
		`warn Contract write of unknown outcome: no hash known, ${PLACE}: It failed`,
		`warn Contract write refused: 0xa, ${PLACE}: It failed`,
	]);
});

test('without an execution and a workflow, as in a tool of a server', () => {
	const { lines, context } = logging();
	logSubmitted(context, call, ['0xa']);
	expect(lines[0]).toContain('execution (none), workflow (none)');
});

test("the service's words stay in one line of bounded length", () => {
	const { lines, context } = logging('7', 'w');
	logNotDone(context, call, failure({ message: `a\n\n \tb\nc${'x'.repeat(2000)}` }));
	expect(lines[0]).toMatch(/: a b cx+$/);
	expect(lines[0]?.match(/a b cx+$/)?.[0]).toHaveLength(1000);
});
