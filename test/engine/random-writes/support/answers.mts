/** Answers of a service to a write, and their outcome according to the rules. */
import type { Answer, ScriptedAnswer } from '../../support/answers.mts';
import type { Outcome } from './logs.mts';

/** Stands for a fresh transaction hash. */
export const HASH = '%HASH%';
/** Stands for the client's access token. */
export const TOKEN = '%TOKEN%';

export interface AnswerPlan {
	readonly outcome: Outcome;
	/** Whether the service does the work; for a refused write it never does. */
	readonly does: boolean;
	readonly answer: Answer;
}

type Given = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>];

const EXPLORER = {
	explorerUrl: `https://explorer.example/tx/${HASH}`,
	tx: { type: 2, chainId: 1 },
};
/** Strings of 31 and 33 bytes, which are not hashes. */
const SHORT = `0x${'ab'.repeat(31)}`;
const LONG = `0x${'ab'.repeat(33)}`;
/** Relative, so that a client that follows it comes back to its own script. */
const LOCATION = { Location: `elsewhere/${HASH}` };

const DONE: readonly Given[] = [
	[200, { status: 'SUCCESS', hash: HASH, ...EXPLORER }],
	[200, { status: 'success', hash: HASH }],
	[201, { hash: HASH, status: 'SUCCESS', tx: { hash: HASH, data: LONG } }],
	[202, { status: 'Success', hash: HASH, ...EXPLORER }],
];

const UNKNOWN: readonly Given[] = [
	...['PENDING', 'SUBMITTED', 'queued', '', 'SUCCESS ?', null, 1, true].map(
		(status): Given => [200, { status, hash: HASH }],
	),
	[200, { hash: HASH }],
	[200, { status: 'PENDING' }],
	[202, { status: 'PENDING', transactionHash: HASH }],
	[200, { status: 'SUCCESS' }],
	[200, { status: 'SUCCESS', hash: '' }],
	[200, { status: 'SUCCESS', hash: null }],
	[200, { status: 'SUCCESS', hash: SHORT }],
	[200, { status: 'SUCCESS', hash: LONG }],
	[200, { status: 'SUCCESS', tx: { hash: HASH } }],
	[200, { status: 'SUCCESS', transactionHash: HASH }],
	[200, { status: 'SUCCESS', hash: [HASH] }],
	[200, { status: 'FAILED', hash: HASH }],
	[200, { status: 'failed', error: 'out of gas', transactionHash: HASH }],
	[200, { status: 'Failed', tx: { hash: HASH } }],
	[200, { status: 'FAILED', error: `transaction ${HASH} was reverted` }],
	[200, { status: 'FAILED', logs: [{ transactionHash: HASH }] }],
	...[400, 401, 403, 404, 422, 429].flatMap((status): Given[] => [
		[status, { error: 'reverted', hash: HASH }],
		[status, `reverted: ${HASH}.`, { 'Retry-After': '0' }],
	]),
	[400, { error: { data: { receipt: { transactionHash: HASH } } } }],
	...[408, 409, 425].flatMap((status): Given[] => [
		[status, { error: 'try later' }, { 'Retry-After': '0' }],
		[status, { error: `already known: ${HASH}` }],
	]),
	...[500, 502, 503, 504].flatMap((status): Given[] => [
		[status, 'Internal Server Error'],
		[status, { message: 'time-out', tx: { hash: HASH } }],
		[status, `<html>upstream ${HASH}</html>`, { 'Retry-After': '0' }],
	]),
	...[300, 301, 302, 303].flatMap((status): Given[] => [
		[status, '', LOCATION],
		[status, `moved to ${HASH}`, { Location: 'elsewhere' }],
	]),
	[304, ''],
	[200, ''],
	[204, ''],
	[200, '<!DOCTYPE html><html><body>Sign in</body></html>', { 'content-type': 'text/html' }],
	[200, `<html><a href="/tx/${HASH}">sent</a></html>`, { 'content-type': 'text/html' }],
	[200, `{"status":"SUCCESS","hash":"${HASH}","tx":{`, { 'content-type': 'application/json' }],
	[200, '{"status":"SUCC', { 'content-type': 'application/json' }],
	[200, [{ status: 'SUCCESS', hash: HASH }]],
	[200, JSON.stringify(HASH), { 'content-type': 'application/json' }],
	[200, 'null', { 'content-type': 'application/json' }],
	[200, { status: 'PENDING' }, { 'X-Transaction-Hash': HASH }],
	[500, { error: `cannot use ${TOKEN}`, hash: HASH }],
];

const REFUSED: readonly Given[] = [
	[200, { status: 'FAILED', error: 'we are sending some gas to your wallet' }],
	[200, { status: 'failed', error: `bad calldata ${LONG}`, hash: null }],
	[200, { status: 'Failed', hash: SHORT }],
	[200, { status: 'FAILED', error: 'no' }, { 'X-Transaction-Hash': HASH }],
	...[400, 401, 403, 404, 422].flatMap((status): Given[] => [
		[status, { error: 'no' }],
		[status, `Unauthorized ${SHORT}`],
	]),
	[400, { error: 'no' }, { 'X-Transaction-Hash': HASH }],
	[401, `Unauthorized: Bearer ${TOKEN}`],
	[429, 'slow down', { 'Retry-After': '0' }],
	[429, { error: 'slow down' }, { 'Retry-After': '0' }],
	[429, { error: 'slow down' }, { 'Retry-After': '0', 'X-Transaction-Hash': HASH }],
	[429, { error: 'slow down' }],
	[307, '', { Location: 'elsewhere' }],
	[308, '', LOCATION],
];

function answerOf([status, body, headers]: Given): ScriptedAnswer {
	const type = typeof body === 'string' ? 'text/plain' : 'application/json';
	return { status, body, headers: { 'content-type': type, ...headers } };
}

const BROKEN = (['half', 'no http', 'bad gzip'] as const).map(
	(fault): Answer => ({ ...answerOf(DONE[1]), fault }),
);

const plans = (outcome: Outcome, answers: readonly Answer[], ...does: boolean[]): AnswerPlan[] =>
	answers.flatMap((answer) => does.map((isDone) => ({ outcome, does: isDone, answer })));

/**
 * Whether an answer refuses a write in another form than the service's: it may be a proxy's, after the service has done the
 * work. A service that keeps writes is asked what it knows, and until then the outcome is unknown.
 */
export const isForeign = ({ outcome, answer }: AnswerPlan): boolean =>
	outcome === 'refused' &&
	typeof answer === 'object' &&
	(answer.status ?? 200) >= 400 &&
	typeof answer.body === 'string';

/** All answers by outcome; if it is unknown, the work may or may not be done. */
export const ANSWERS = {
	done: plans('done', DONE.map(answerOf), true),
	unknown: plans('unknown', UNKNOWN.map(answerOf), true, false),
	refused: plans('refused', REFUSED.map(answerOf), false),
	faults: plans('unknown', ['cut', ...BROKEN], true, false),
	/** The node waits until its time-out. */
	never: plans('unknown', ['hold'], true, false),
} as const;
