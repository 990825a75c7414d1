/** Errors about writes that are not sent again: every hash of earlier attempts is kept. */
import { ServiceError } from '../../../nodes/WalletService/request/failure/service-error.ts';
import {
	afterEarlierTry,
	blockedCall,
	stillUnknown,
	withHashes,
} from '../../../nodes/WalletService/writes/earlier-try.ts';

const A = `0x${'aa'.repeat(32)}`;
const B = `0x${'bb'.repeat(32)}`;
const C = `0x${'cc'.repeat(32)}`;
const callOf = (digest: string) => ({ digest, shown: { function: digest, args: ['1'] } });
const failure = (changes = {}) =>
	new ServiceError({ message: 'It failed', hint: 'Wait', code: 'timeout', ...changes });

const notSentAgain = { code: 'not-sent-again', outcome: 'unknown' };

describe('an earlier attempt at the same place', () => {
	const earlier = { state: 'unknown', call: callOf('pay'), reason: 'cut', hashes: [] } as const;

	test.each([
		['without a hash', [], 'cut'],
		['with hashes', [A, B], `cut; it reported transaction ${A}, ${B}`],
	])('%s', (_what, hashes, reason) => {
		const { details } = stillUnknown({ ...earlier, hashes });
		expect(details).toEqual({
			...notSentAgain,
			message: expect.stringMatching(/^Not sent again: an earlier attempt in this execution may /),
			hint: expect.stringContaining('Resend When Unknown'),
			...(hashes.length > 0 && { hashes }),
		});
		expect(details.message.endsWith(` (${reason})`)).toBe(true);
	});

	test('that requested another call: both are named', () => {
		const calls =
			'. The earlier attempt requested {"function":"pay","args":["1"]}, this one requests {"function":"other","args":["1"]}';
		expect(stillUnknown(earlier, callOf('other')).message).toContain(calls);
		const forgotten = { ...earlier, call: undefined };
		const plain = [stillUnknown(earlier, callOf('pay')), stillUnknown(earlier)];
		for (const { message } of [...plain, stillUnknown(forgotten, callOf('other'))]) {
			expect(message).toMatch(/\(cut\)$/);
		}
	});
});

test('the same call elsewhere', () => {
	const { details } = blockedCall({ reason: 'cut', hashes: [A] });
	expect(details).toMatchObject({ ...notSentAgain, hashes: [A] });
	expect(details.message).toBe(
		`Not sent again: an earlier write with this credential may have sent this transaction (cut; it reported transaction ${A}). The same call is blocked for 60 minutes after it, unless Resend When Unknown is on (Options)`,
	);
	expect(blockedCall({ reason: 'cut', hashes: [] }).details).not.toHaveProperty('hashes');
});

describe('a failure after an earlier sending', () => {
	test('has the hashes of both, each once', () => {
		const error = withHashes(failure({ hashes: [B] }), [A, B]) as ServiceError;
		expect(error.details.hashes).toEqual([B, A]);
		expect(error.message).toBe(`It failed; an earlier attempt reported transaction ${A}, ${B}`);
		expect((withHashes(failure(), [A]) as ServiceError).details.hashes).toEqual([A]);
	});

	test('is left alone without hashes, and when it is a fault of the node', () => {
		const error = failure();
		expect(withHashes(error, [])).toBe(error);
		const fault = new TypeError('x');
		expect(withHashes(fault, [A])).toBe(fault);
	});
});

describe('a failure of an item that an earlier try has sent, or may have sent', () => {
	const unknown = { state: 'unknown', reason: 'cut', hashes: [A] } as const;
	const answered = {
		state: 'answered',
		call: callOf('pay'),
		answer: { hash: A },
		submittedAt: '2026-01-02T03:04:05.678Z',
	} as const;

	test('reports that, and keeps all hashes', () => {
		const error = afterEarlierTry(failure({ hashes: [B] }), unknown) as ServiceError;
		expect(error.details).toEqual({
			...notSentAgain,
			message: `It failed. An earlier attempt in this execution may have sent this transaction (cut; it reported transaction ${A})`,
			hint: expect.stringContaining("Check the wallet's history"),
			hashes: [B, A],
		});
	});

	test('names what was submitted', () => {
		const error = afterEarlierTry(new TypeError('x'), answered) as ServiceError;
		expect(error.details).toMatchObject({ ...notSentAgain, hashes: [A] });
		const message = `x. An earlier attempt in this execution has submitted transaction ${A}`;
		expect(error.message).toBe(message);
		const earlier = { ...answered, earlierHashes: [B], answer: { hash: A, tx: { r: C } } };
		const both = { message: `${message}, ${B}`, details: { hashes: [A, B] } };
		expect(afterEarlierTry('x', earlier)).toMatchObject(both);
		expect((afterEarlierTry('text', answered) as ServiceError).message).toMatch(/^text\. /);
	});

	test('has no empty list without a hash', () => {
		const error = afterEarlierTry(failure(), { ...unknown, hashes: [] }) as ServiceError;
		expect(error.details).not.toHaveProperty('hashes');
		expect(error.message).toMatch(/\(cut\)$/);
	});

	test('remains unchanged if its outcome is already unknown, but not if refused', () => {
		const error = failure({ outcome: 'unknown' });
		expect(afterEarlierTry(error, unknown)).toBe(error);
		const refused = failure({ outcome: 'refused' });
		expect(afterEarlierTry(refused, unknown)).toMatchObject({ details: notSentAgain });
	});
});
