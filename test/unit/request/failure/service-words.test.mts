/** The service's own sentence, found in the error bodies of the common frameworks; neither a status' name nor a code. */
import { successOf, receive } from '../../../../nodes/WalletService/request/http/answer.ts';
import { ServiceError } from '../../../../nodes/WalletService/request/failure/service-error.ts';

const SAID = 'Recipient is on the sanctions list';
const GENERAL = 'The service did not accept the request';

/** The failure for an answer. */
function failureOf(body: unknown, status = 400, path = '/v1/contracts/method/write') {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	try {
		successOf(receive({ statusCode: status, headers: {}, body: text }, 'Bearer abcd'), path);
	} catch (error) {
		if (error instanceof ServiceError) return error.details;
	}
	throw new Error('The answer is a success');
}

/** An entry of a list of violations: jest would print its parts as arguments. */
const at = (words: string) => ({ path: '/v1/x', timestamp: '2026-11-26T20:00:00Z', trace: words });

const BODIES: Record<string, unknown> = {
	NestJS: { statusCode: 400, message: SAID, error: 'Bad Request' },
	'NestJS, list': { statusCode: 400, message: [SAID], error: 'Bad Request' },
	Fastify: { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message: SAID },
	'Hapi, other member first': { error: 'Bad Request', attributes: { a: 'b c' }, message: SAID },
	Spring: { status: 400, error: 'Bad Request', message: SAID, ...at('at org.x (A.java:7)') },
	'Spring, bound fields': { error: 'Bad Request', errors: [{ defaultMessage: SAID, field: 'to' }] },
	Express: { error: SAID },
	'Express, nested': { error: { status: 400, message: SAID } },
	'express-validator': { errors: [{ type: 'field', msg: SAID, path: 'to', location: 'body' }] },
	'Django REST': { detail: SAID },
	'Rails, list': { errors: [SAID] },
	Laravel: { message: SAID, errors: {} },
	FastAPI: { detail: [{ loc: ['body', 'to'], msg: SAID, type: 'value_error' }] },
	'problem details': { type: 'about:blank', title: 'Bad Request', status: 400, detail: SAID },
	'problem details, title only': { type: 'https://x.example/7', title: SAID, status: 400 },
	'problem details, parameters': { title: 'Invalid values', 'invalid-params': [{ reason: SAID }] },
	Quarkus: { title: 'Constraint Violation', violations: [{ field: 'a.to', message: SAID }] },
	Zod: { message: 'Validation failed', issues: [{ path: ['to'], message: SAID }] },
	'RFC 6749': { error: 'invalid_request', error_description: SAID },
	GraphQL: { errors: [{ message: SAID, extensions: { code: 'BAD_USER_INPUT' } }], data: null },
	'JSON:API': { errors: [{ status: '400', title: 'Invalid', detail: SAID }] },
	'JSON-RPC': { jsonrpc: '2.0', id: 1, error: { code: -32000, message: SAID, data: '0x' } },
	Google: { error: { code: 400, message: SAID, status: 'INVALID_ARGUMENT', details: [] } },
	'reason beside a status': { message: 'Forbidden', reason: SAID },
	'reason within an error': { error: { message: 'bad_request', reason: SAID, code: 'E17' } },
	Rocket: { error: { code: 400, reason: 'Bad Request', description: SAID } },
	'ASP.NET Web API': { Message: SAID },
	AWS: { __type: 'ValidationException', Message: SAID },
	ethers: {
		code: 'CALL_EXCEPTION',
		shortMessage: SAID,
		info: { error: { message: 'is reverted' } },
	},
	'ethers 5': {
		reason: SAID,
		code: 'UNPREDICTABLE_GAS_LIMIT',
		method: 'estimateGas',
		error: { reason: 'processing response error', code: 'SERVER_ERROR', body: '{"id":7}' },
	},
	'snake case': { error_message: SAID, error_code: 17 },
	'a list of lists': { message: [[SAID]] },
	'a list': [{ message: SAID }],
	'JSON text': JSON.stringify(SAID),
	'plain text': `${SAID}\n`,
	'an empty message': { message: '', error: SAID },
	'a message that is null': { message: null, error: { message: null, reason: SAID } },
};

test.each(Object.entries(BODIES))('%s', (_name, body) => {
	expect(failureOf(body)).toMatchObject({ message: SAID, serviceText: SAID, httpStatus: 400 });
	expect(failureOf(body, 500).message).toBe(`The service had an internal error: ${SAID}`);
});

test.each<[words: string, body: unknown]>([
	['to: may not be sanctioned', { to: ['may not be sanctioned'] }],
	['to: may not be sanctioned', { errors: { to: 'may not be sanctioned', code: 17 } }],
	['to: may not be sanctioned', { to: 'may not be sanctioned' }],
	['error code: 17', 'error code: 17'],
	[
		'body: "to" is required',
		{ message: 'Validation failed', validation: { body: { message: '"to" is required' } } },
	],
	[
		'tx.To: may not be sanctioned',
		{ Message: 'The request is invalid.', ModelState: { 'tx.To': ['may not be sanctioned'] } },
	],
	['first is wrong; second is wrong', { message: ['first is wrong', 'second is wrong'] }],
	[
		'first is wrong; second is wrong',
		{ message: ['Bad Request', ['first is wrong', 'second is wrong']] },
	],
	[
		'to may not be sanctioned; amount must be positive',
		{
			message: 'Validation failed',
			errors: [{ message: 'to may not be sanctioned' }, { message: 'amount must be positive' }],
		},
	],
	[
		'To: may not be sanctioned',
		{
			title: 'One or more validation errors occurred.',
			errors: { To: ['may not be sanctioned'] },
		},
	],
	[
		'to: The field is required',
		{ message: 'The field is required.', errors: { to: ['The field is required.'] } },
	],
])('%s', (words, body) => {
	expect(failureOf(body).message).toBe(words);
});

const PHRASES = [
	...['Bad Request', 'bad_request', 'BAD_REQUEST', 'bad-request', 'BadRequest', 'badRequest'],
	...['BadRequestException', 'BadRequestError', '400 Bad Request', 'HTTP 400: Bad Request'],
	...['Bad Request.', 'Unprocessable Entity', 'Unprocessable Content', 'Conflict', 'Gone'],
	...['Internal Server Error', 'Internal server error', 'Service Unavailable', 'Error'],
	...['Service Temporarily Unavailable', 'NotFoundHttpException', 'ERR_BAD_REQUEST'],
	...['Gateway Time-out', 'Payload Too Large', 'Request failed with status code 400'],
];

test.each(PHRASES)('%j is the name of a status, not a sentence', (phrase) => {
	expect(failureOf({ error: phrase }).message).toBe(GENERAL);
	expect(failureOf({ message: phrase, error: phrase }).message).toBe(GENERAL);
	expect(failureOf(phrase).message).toBe(GENERAL);
	expect(failureOf({ message: phrase, code: 'E_SANCTIONED' }).message).toBe(
		`${GENERAL}: E_SANCTIONED`,
	);
	expect(failureOf({ message: phrase, details: SAID }).message).toBe(SAID);
	expect(failureOf({ error: `${phrase} for ${SAID}` }).message).toContain(SAID);
});

test.each<[body: unknown, code: string]>([
	[{ code: 'E_SANCTIONED' }, 'E_SANCTIONED'],
	[{ error: { code: 'E_SANCTIONED', message: 'Bad Request' } }, 'E_SANCTIONED'],
	[{ code: 17 }, '{"code":17}'],
	[{ unknown: 'E_17', tx: {} }, '{"unknown":"E_17","tx":{}}'],
])('%j has only the code %s', (body, code) => {
	expect(failureOf(body).message).toBe(`${GENERAL}: ${code}`);
});

describe('a failure that comes with HTTP 200', () => {
	test.each(Object.entries(BODIES))('%s', (_name, body) => {
		if (typeof body === 'string' || Array.isArray(body)) return;
		const failed = { ...(body as object), status: 'FAILED' };
		expect(failureOf(failed, 200)).toMatchObject({ message: SAID, code: 'service-failed' });
	});

	test.each([{}, { error: null }, { response: { a: [7] } }])('without a sentence: %j', (body) => {
		const { message } = failureOf({ status: 'FAILED', ...body }, 200);
		expect(message).toBe('The service reported a failure: status "FAILED"');
	});

	test.each(Object.entries(BODIES))('and a status that confirms nothing: %s', (_name, body) => {
		if (typeof body === 'string' || Array.isArray(body)) return;
		const held = { ...(body as object), status: 'REJECTED' };
		expect(failureOf(held, 200)).toMatchObject({ serviceText: SAID, code: 'not-confirmed' });
		const submitted = { status: 'PENDING', hash: '0x12', explorerUrl: 'https://x.example', tx: {} };
		expect(failureOf(submitted, 200).serviceText).toBeUndefined();
	});

	test('on a route without a status', () => {
		for (const words of [{ error: { message: SAID } }, { message: SAID }, { errors: [SAID] }]) {
			expect(failureOf({ status: 'FAILED', ...words }, 200, '/v1/users/DISCORD-1').message).toBe(
				SAID,
			);
		}
	});
});

const HASH = `0x${'5e'.repeat(32)}`;

test.each<[name: string, text: string, shown: string]>([
	['a long one', 'no gas '.repeat(1000), `${'no gas '.repeat(35)}no…`],
	['one of 250 characters', `${'no gas '.repeat(35)}a bcd`, `${'no gas '.repeat(35)}a bcd`],
	['one of 251 characters', `${'no gas '.repeat(35)}a bcde`, `${'no gas '.repeat(35)}a…`],
	['a long word', `no ${'x'.repeat(900)}`, `no ${'x'.repeat(246)}…`],
	['a text without spaces', `燃料 ${'不足'.repeat(300)}`, `燃料 ${'不足'.repeat(123)}…`],
	['white space', `no${' \n'.repeat(400)}gas left`, 'no gas left'],
	['a hash', `no gas for ${HASH}`, `no gas for ${HASH}`],
	['a hash at the end', `${'no gas '.repeat(30)}${HASH}`, `${'no gas '.repeat(29)}no gas…`],
])('%s is cut where a person can read it', (_name, text, shown) => {
	for (const body of [
		text,
		{ error: text },
		{ errors: [{ message: text }] },
		{ to: [`${text}`] },
	]) {
		const { message, serviceText } = failureOf(body);
		const words = 'to' in Object(body) ? `to: ${shown}` : shown;
		if (words.length <= 250) expect([message, serviceText]).toEqual([words, words]);
		expect(message.length).toBeLessThanOrEqual(250);
	}
});

test('words of any number, depth and length are bounded', () => {
	const long = 'x y '.repeat(1_000_000);
	const deep = `${'{"error":['.repeat(2000)}"a b"${']}'.repeat(2000)}`;
	const wide = Array.from({ length: 100_000 }, () => ({ message: 'x y', errors: ['y z'] }));
	for (const body of [{ message: long }, { [long]: [long] }, { errors: wide }, deep]) {
		expect(failureOf(body).message.length).toBeLessThan(400);
	}
});
