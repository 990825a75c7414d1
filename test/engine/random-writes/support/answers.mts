/** Answers of a service to a write, and their outcome according to the rules. */
import type { ScriptedAnswer } from '../../support/answers.mts';
import type { Outcome } from './logs.mts';

/** Stands for a fresh transaction hash. */
export const HASH = '%HASH%';
/** Stands for the client's access token. */
export const TOKEN = '%TOKEN%';

export interface AnswerPlan {
	readonly name: string;
	readonly outcome: Outcome;
	/** Whether the service does the work; for a refused write it never does. */
	readonly does: boolean;
	/** How the connection ends if no complete answer is sent; `never`: the service waits until the client disconnects. */
	readonly fault?: ScriptedAnswer['fault'] | 'cut' | 'never';
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

type Given = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>];

function plan(outcome: Outcome, [status, body, headers = {}]: Given, does: boolean): AnswerPlan {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const type = typeof body === 'string' ? 'text/plain' : 'application/json';
	const name = `${status} ${JSON.stringify(headers)} ${text}`;
	return { name, outcome, does, status, headers: { 'content-type': type, ...headers }, body: text };
}

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

const SUCCESS: Given = [200, { status: 'SUCCESS', hash: HASH }];
const FAULTS = ['cut', 'half', 'no http', 'bad gzip'] as const;

const fault = (kind: NonNullable<AnswerPlan['fault']>, does: boolean): AnswerPlan => ({
	...plan('unknown', SUCCESS, does),
	name: kind,
	fault: kind,
});

/** The default answer. */
export const SUCCEEDED: AnswerPlan = plan('done', DONE[0] ?? SUCCESS, true);

/** All answers by outcome; if it is unknown, the work may or may not be done. */
export const ANSWERS = {
	done: DONE.map((given) => plan('done', given, true)),
	unknown: UNKNOWN.flatMap((given) => [true, false].map((does) => plan('unknown', given, does))),
	refused: REFUSED.map((given) => plan('refused', given, false)),
	faults: FAULTS.flatMap((kind) => [true, false].map((does) => fault(kind, does))),
	/** The node waits until its time-out. */
	never: [true, false].map((does) => fault('never', does)),
} as const;
