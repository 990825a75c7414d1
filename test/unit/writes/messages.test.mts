/** Errors and log lines about writes: every hash of earlier attempts is kept. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { ServiceError } from '../../../nodes/WalletService/request/failure/service-error.ts';
import {
	afterEarlierTry,
	blockedCall,
	stillUnknown,
} from '../../../nodes/WalletService/writes/failures.ts';
import type { WriteRecord } from '../../../nodes/WalletService/writes/ledger/process-records.ts';
import { logNotDone, logSubmitted } from '../../../nodes/WalletService/writes/log.ts';

const hashOf = (byte: string) => `0x${byte.repeat(32)}`;
const [A, B, C] = [hashOf('aa'), hashOf('bb'), hashOf('cc')] as const;
const callOf = (digest: string) => ({ digest, shown: { function: digest, args: ['1'] } });
const failure = (changes = {}) =>
	new ServiceError({ message: 'It failed', hint: 'Wait', code: 'timeout', ...changes });

const notSentAgain = { code: 'not-sent-again', state: 'unknown' };

const earlier = { state: 'unknown', call: callOf('pay'), reason: 'cut', hashes: [] } as const;

test.each([
	['without a hash', {}, 'cut'],
	['with hashes', { hashes: [A, B] }, `cut; it reported transaction ${A}, ${B}`],
])('an earlier attempt at the same place %s', (_what, hashes, reason) => {
	const message = `Not sent again: an earlier attempt in this execution may have sent this transaction (${reason})`;
	const hint = expect.stringContaining('Send Again');
	const { details } = stillUnknown({ ...earlier, ...hashes });
	const earlierHashes = 'hashes' in hashes ? { earlierHashes: hashes.hashes } : {};
	expect(details).toEqual({ ...notSentAgain, message, hint, ...earlierHashes });
});

test('an earlier attempt at the same place that requested another call: both are named', () => {
	const calls =
		'. The earlier attempt requested {"function":"pay","args":["1"]}; this one requests {"function":"other","args":["1"]}';
	expect(stillUnknown(earlier, callOf('other')).message).toContain(calls);
	const forgotten = { ...earlier, call: undefined };
	const plain = [stillUnknown(earlier, callOf('pay')), stillUnknown(earlier)];
	for (const { message } of [...plain, stillUnknown(forgotten, callOf('other'))]) {
		expect(message).toMatch(/\(cut\)$/);
	}
});

test('the same call elsewhere', () => {
	const { details } = blockedCall({ reason: 'cut', hashes: [A] });
	expect(details).toMatchObject({ ...notSentAgain, earlierHashes: [A] });
	expect(details.message).toBe(
		`Not sent again: an earlier write with this credential may have sent this transaction (cut; it reported transaction ${A}). The same call is blocked for 60 minutes after that write, unless Send Again is on (Options)`,
	);
	expect(blockedCall({ reason: 'cut', hashes: [] }).hashes).toEqual([]);
});

test('a failure after an earlier attempt has the hashes of both, without repetitions', () => {
	const error = failure({ state: 'unknown', hashes: [B], earlierHashes: [A, B] });
	expect(error.hashes).toEqual([B, A]);
	const own = `It failed; the answer contains transaction ${B}`;
	expect(error.wholeMessage).toBe(`${own}; an earlier attempt reported transaction ${A}`);
	expect(failure({ earlierHashes: [A] }).hashes).toEqual([A]);
	expect(failure({ state: 'unknown', message: `No ${A}`, earlierHashes: [A] }).wholeMessage).toBe(
		`No ${A}`,
	);
});

describe('a failure of an item that an earlier attempt has sent, or may have sent', () => {
	const unknown = { state: 'unknown', reason: 'cut', hashes: [A] } as const;
	const sent = { answer: { hash: A }, submittedAt: '2026-01-02T03:04:05.678Z' };
	const answered = { state: 'answered', call: callOf('pay'), ...sent } as const;

	const mayHave = 'An earlier attempt in this execution may have sent this transaction (cut';
	const has = 'An earlier attempt in this execution submitted transaction';
	const earlier = { ...answered, earlierHashes: [B], answer: { hash: A, tx: { r: C } } };

	test.each<[error: unknown, record: WriteRecord, message: string, hashes: string[]]>([
		[
			failure({ state: 'refused', hashes: [B] }),
			unknown,
			`It failed; the answer contains transaction ${B}. ${mayHave}; it reported transaction ${A})`,
			[B, A],
		],
		[failure(), { ...unknown, hashes: [] }, `It failed. ${mayHave})`, []],
		[failure({ state: 'refused' }), { ...unknown, hashes: [] }, `It failed. ${mayHave})`, []],
		[new TypeError('x'), answered, `x. ${has} ${A}`, [A]],
		['text', earlier, `text. ${has} ${A}, ${B}`, [A, B]],
	])('reports both, and keeps all hashes (%#)', (error, record, message, hashes) => {
		const hint = expect.stringContaining("Check the wallet's history");
		const { details } = afterEarlierTry(error, record) as ServiceError;
		const all = hashes.length > 0 && { earlierHashes: hashes };
		expect(details).toEqual({ ...notSentAgain, message, hint, ...all });
	});

	test('only names the transactions of the earlier attempt if its outcome is already unknown', () => {
		const error = failure({ state: 'unknown' });
		expect(afterEarlierTry(error, { ...unknown, hashes: [] })).toEqual(error);
		const named = afterEarlierTry(error, { ...unknown, hashes: ['0xab'] });
		expect(named).toMatchObject({ message: error.message, hashes: ['0xab'] });
	});
});

const call = { digest: 'd', shown: { contractAddress: '0xC', function: 'pay()', args: [] } };

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

test('a line in the log of a submitted write', () => {
	const { lines, context } = logging('7', 'w');
	logSubmitted(context, call, ['0xa']);
	logSubmitted(context, { ...call, moves: 'for 0xD: 5' }, ['0xa', '0xb', '0xc']);
	expect(lines).toEqual([
		`info Contract write submitted: 0xa, ${PLACE}`,
		`info Contract write submitted: 0xa (refused before: 0xb, 0xc), ${PLACE} for 0xD: 5`,
	]);
});

test('a line in the log of a refused write with a hash, or one of unknown outcome', () => {
	const { lines, context } = logging('7', 'w');
	logNotDone(context, call, failure({ state: 'unknown', hashes: ['0xa', '0xb'] }));
	logNotDone(context, call, failure({ message: `a\n\n \tb\nc${'x'.repeat(2000)}` }));
	logNotDone(context, call, failure({ state: 'refused', hashes: ['0xa'] }));
	logNotDone(context, call, failure({ state: 'refused' }));
	logNotDone(context, call, new TypeError('x'));
	expect(lines).toEqual([
		`warn Contract write of unknown outcome: 0xa, 0xb, ${PLACE}: It failed; the answer contains transaction 0xa, 0xb`,
		// The service's words are bounded, and on one line.
		`warn Contract write of unknown outcome: no hash known, ${PLACE}: a b c${'x'.repeat(995)}`,
		`warn Contract write refused: 0xa, ${PLACE}: It failed; the answer contains transaction 0xa`,
	]);
});

test('a line in the log without an execution and a workflow, as in a tool of an MCP server', () => {
	const { lines, context } = logging();
	logSubmitted(context, call, ['0xa']);
	expect(lines[0]).toContain('execution (none), workflow (none)');
});
