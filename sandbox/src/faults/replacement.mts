import type { Fault, FaultKind, FaultParameters } from './fault.mts';

/** An answer as sent. */
export interface RawAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

const LARGE_BYTES = 10 * 1024 * 1024;

function answer(status: number, type: string, body: string, headers = {}): RawAnswer {
	return { status, headers: { 'content-type': `${type}; charset=utf-8`, ...headers }, body };
}

const json = (body: string, status = 200) => answer(status, 'application/json', body);
const failed = (error: string, status = 200) =>
	json(JSON.stringify({ status: 'FAILED', error }), status);

/** A read's answer with this response. */
const read = (response: string) =>
	json(`{"status":"SUCCESS","explorerUrl":"","response":${response}}`);

type Replacement = (params: FaultParameters, authorization: string) => RawAnswer;

const ANSWERS: Partial<Record<FaultKind, Replacement>> = {
	'rate-limit': ({ retryAfter = 1 }) =>
		answer(429, 'text/plain', 'Too Many Requests', { 'retry-after': String(retryAfter) }),
	'status-text': () => answer(500, 'text/plain', 'Internal Server Error'),
	html: () => answer(200, 'text/html', '<!doctype html><title>Welcome</title><h1>Welcome</h1>'),
	null: () => json('null'),
	'wrong-shape': () => json('{"unexpected":["shape"]}'),
	failed: ({ error = 'Unable to do that' }) => failed(error),
	redirect: ({ location = '/' }) => ({ status: 307, headers: { location }, body: '' }),
	'echo-authorization': (_params, authorization) =>
		failed(`Cannot use the header ${authorization}`, 400),
	large: ({ bytes = LARGE_BYTES }) => {
		const frame = read('""').body.length;
		return read(`"${'x'.repeat(Math.max(0, bytes - frame))}"`);
	},
	'broken-json': () => json('{"status":"SUCCESS","response":}'),
	'big-integer': () => read('123456789012345678901234567890'),
};

/**
 * The answer that a fault sends in place of the real one.
 *
 * @param authorization the request's Authorization header
 */
export function replacementFor({ kind, params }: Fault, authorization: string): RawAnswer {
	const { status, headers, body } = ANSWERS[kind]?.(params, authorization) ?? json('');
	return {
		status: params.status ?? status,
		headers: { ...headers, ...params.headers },
		body: params.body ?? body,
	};
}
