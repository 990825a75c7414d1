/** The outcome of a write for each kind of answer: the table of docs/errors.md, row by row. */
import type { IDataObject } from 'n8n-workflow';

import { connectionFailure } from '../../../nodes/WalletService/request/failure/connection.ts';
import { ServiceError } from '../../../nodes/WalletService/request/failure/service-error.ts';
import type { Received } from '../../../nodes/WalletService/request/http/answer.ts';
import { receive } from '../../../nodes/WalletService/request/http/answer.ts';
import { outcomeOf } from '../../../nodes/WalletService/writes/outcome.ts';
import { readDocument } from '../../support/docs/documents.mts';
import { rowsOf, textOf } from '../../support/docs/markdown.mts';

const HASH = `0x${'ab'.repeat(32)}`;
const CUT = `{"status":"SUCCESS","hash":"${HASH}`;
const WORDLESS = { message: '', hint: '' };
type Returned = Received | ServiceError;
const lost = (error: unknown) => connectionFailure(error, { isWrite: true });
const REFUSED = { code: 'ECONNREFUSED', syscall: 'connect' };

/** A request to an https URL whose connection has no TLS. */
const TUNNEL = { protocol: 'https:', socket: {} };
const NO_TUNNEL = 'Proxy connection ended before receiving CONNECT response';

/** An answer as `receive` reads it. */
function answer(statusCode: number, given: unknown = '', headers: IDataObject = {}) {
	const body = typeof given === 'string' ? given : JSON.stringify(given);
	return receive({ statusCode, headers, body }, undefined);
}
const causesOf = (errors: string) =>
	errors.split(', ').map((error) => {
		const [code, syscall] = error.split(' ');
		return { code, syscall };
	});
const failed = (errors: string) =>
	causesOf(errors).map((cause) => lost({ message: cause.code, cause }));
/** A connection that failed at every address of a host name. */
const ofSeveral = (errors: string) =>
	lost({ cause: { code: 'ECONNREFUSED', errors: causesOf(errors) } });
const each = (statuses: readonly number[], body?: unknown) =>
	statuses.map((status) => answer(status, body));

const TABLE: Readonly<Record<string, { is: string; back: readonly Returned[] }>> = {
	'2xx, JSON, status SUCCESS in upper or lower case, a hash of 32 bytes': {
		is: 'done',
		back: [
			answer(200, { status: 'SUCCESS', hash: HASH }),
			answer(201, { status: 'success', hash: HASH.toUpperCase().replace('0X', '0x') }),
			answer(202, { status: 'Success', hash: HASH, tx: { hash: HASH } }),
			// n8n has parsed the body, although it was asked for the text.
			receive({ statusCode: 200, headers: {}, body: { status: 'SUCCESS', hash: HASH } }, undefined),
		],
	},
	'2xx, status FAILED in upper or lower case, no hash anywhere in the body': {
		is: 'refused',
		back: [
			answer(200, { status: 'FAILED', error: 'no funds' }),
			answer(200, { status: 'failed', hash: '' }),
			answer(200, { status: 'FAILED' }, { location: `/tx/${HASH}` }),
			answer(200, { status: 'FAILED', data: `${HASH}00` }),
		],
	},
	'4xx other than 408, 409, 425 and 429, no hash anywhere in the body': {
		is: 'refused',
		back: [
			...each([400, 401, 403, 404, 405, 410, 413, 415, 422, 424, 426, 451, 499], 'no'),
			...['', '{}', '"no"', '<p>'].map((body) => answer(400, body)),
			answer(400, '', { 'content-length': '0' }),
		],
	},
	'429, no hash anywhere in the body': { is: 'refused, may be sent again', back: each([429]) },
	'307 or 308, no hash anywhere in the body': {
		is: 'refused',
		back: [...each([307, 308]), answer(307, '', { location: `/tx/${HASH}` })],
	},
	'Connection refused, name not found, host or network not reachable, while connecting': {
		is: 'refused, may be sent again',
		back: [
			...failed('ECONNREFUSED connect, EHOSTUNREACH connect, ENETUNREACH connect'),
			...failed('ENOTFOUND getaddrinfo, EAI_AGAIN getaddrinfo'),
			ofSeveral('ECONNREFUSED connect, ENETUNREACH connect'),
		],
	},
	'A proxy that refuses to connect to an https service': {
		is: 'refused, may be sent again',
		back: [
			receive({ statusCode: 502, headers: {}, body: '<p>', isOfProxy: true }, undefined),
			lost({ cause: { request: TUNNEL, response: { status: 503 } } }),
			lost({ cause: { message: NO_TUNNEL } }),
		],
	},
	'A TLS certificate that is not valid': {
		is: 'refused',
		back: [
			...failed('CERT_HAS_EXPIRED, CERT_NOT_YET_VALID, ERR_TLS_CERT_ALTNAME_INVALID'),
			...failed('DEPTH_ZERO_SELF_SIGNED_CERT, SELF_SIGNED_CERT_IN_CHAIN'),
			...failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE, UNABLE_TO_GET_ISSUER_CERT'),
			...failed('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
		],
	},
	'A sign-in that has ended or was not renewed, after a 401': {
		is: 'refused',
		back: [new ServiceError({ ...WORDLESS, code: 'sign-in-ended', state: 'refused' })],
	},
	'Anything else: another status, SUCCESS without a hash, a hash in any answer that is not done, 300 to 303, 408, 409, 425, 5xx, a missing body of a 2xx, a body that breaks off, a time-out, a cut, a stop under way':
		{
			is: 'unknown',
			back: [
				answer(200, { status: 'PENDING', hash: HASH }),
				answer(200, { status: 'SUBMITTED' }),
				answer(200, { status: 'SUCCESS' }),
				answer(200, { status: 'SUCCESS', hash: '' }),
				answer(200, { status: 'SUCCESS', hash: HASH.slice(0, -1) }),
				answer(200, { status: 'SUCCESS', hash: `${HASH}00` }),
				answer(200, { status: 'SUCCESS', transactionHash: HASH }),
				answer(200, { hash: HASH }),
				answer(200, [{ status: 'SUCCESS', hash: HASH }]),
				answer(200, { status: 'FAILED', hash: HASH }),
				answer(200, { status: 'FAILED', tx: { id: HASH.toUpperCase() } }),
				answer(200, `{"status":"FAILED","error":"\\u0030x${'ab'.repeat(32)}"}`),
				...[undefined, 'null', '<html>', CUT].map((body) => answer(200, body)),
				answer(204),
				...each([100, 199, 300, 301, 302, 303, 304, 305, 306, 309, 408, 409, 425]),
				...each([500, 502, 503, 504, 599, 600]),
				...each([199, 300, 301, 500], { status: 'SUCCESS', hash: HASH }),
				...each([400, 401, 404, 429, 499], `known: ${HASH}`),
				answer(307, HASH),
				...each([400], { error: { data: [HASH] } }),
				...each([400, 404, 429], { hash: HASH.slice(2) }),
				...each([400], `known: ${HASH.slice(2).toUpperCase()}`),
				...each([307, 400, 401, 429], CUT.slice(0, -9)),
				answer(400, '', { 'content-length': '50' }),
				...failed(
					'ECONNREFUSED write, EHOSTUNREACH read, ENETUNREACH, ECONNRESET read, EPIPE write',
				),
				...failed('ETIMEDOUT connect, ECONNABORTED, ERR_CANCELED, toString connect'),
				...failed('ERR_SSL_WRONG_VERSION_NUMBER write, ERR_SSL_WRONG_VERSION_NUMBER'),
				ofSeveral('ECONNREFUSED connect, ECONNRESET read'),
				lost(new Error('odd')),
				lost({ cause: { ...REFUSED, response: { status: 200 } } }),
				lost({ cause: { response: { status: 400, data: 'unread' } } }),
			],
		},
};

test.each(Object.entries(TABLE))('%s', (_row, { is, back }) => {
	const states = back.map((one) =>
		one instanceof ServiceError ? one.details.state : outcomeOf(one).state,
	);
	expect(states.map((state) => state?.replace('-for-now', ', may be sent again'))).toEqual(
		back.map(() => is),
	);
});

test('the table of docs/errors.md is this one', async () => {
	const { sections } = await readDocument('docs/errors.md');
	const rows = sections.flatMap((section) => rowsOf(section, 'What came back'));
	const documented = rows.map((row) =>
		[row['What came back'], row.Outcome].map((cell) => cell && textOf(cell)),
	);
	expect(documented).toEqual(Object.entries(TABLE).map(([row, { is }]) => [row, is]));
});

test('every hash of an answer that is not done is found once, those of the body first', () => {
	const [first, second, third] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(32)}`);
	const body = `${second} ${second?.toUpperCase()} {"tx":"${first}"} ${third}00 ${third?.slice(2)}`;
	const headers = { location: `/tx/${third}`, 'set-cookie': ['a', `hash=${first}`] };
	const { hashes } = outcomeOf(answer(500, body, headers));
	expect(hashes.map((hash) => hash.toLowerCase())).toEqual([second, first, third]);
	expect(outcomeOf(answer(200, { status: 'SUCCESS', hash: first })).hashes).toEqual([]);
});

test('a large body that is not an answer takes time in proportion to its size', () => {
	const { state, hashes } = outcomeOf(answer(500, `${'0x'.repeat(2_000_000)}${HASH}`));
	expect([state, hashes]).toEqual(['unknown', [HASH]]);
});
