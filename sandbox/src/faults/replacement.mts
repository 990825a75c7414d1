import type { Fault, FaultKind, FaultParameters } from './fault.mts';

/** An answer as sent. */
export interface RawAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const LARGE_BYTES = 10 * 1024 * 1024;

function json(body: string, status = 200): RawAnswer {
	return { status, headers: { 'content-type': JSON_TYPE }, body };
}

function text(body: string, status: number, type = 'text/plain'): RawAnswer {
	return { status, headers: { 'content-type': `${type}; charset=utf-8` }, body };
}

function large(bytes: number): RawAnswer {
	const [start, end] = ['{"status":"SUCCESS","explorerUrl":"","response":"', '"}'];
	return json(start + 'x'.repeat(Math.max(0, bytes - start.length - end.length)) + end);
}

function answerOf(kind: FaultKind, params: FaultParameters, authorization: string): RawAnswer {
	switch (kind) {
		case 'rate-limit': {
			const answer = text('Too Many Requests', 429);
			return {
				...answer,
				headers: { ...answer.headers, 'retry-after': String(params.retryAfter ?? 1) },
			};
		}
		case 'status-text':
			return text('Internal Server Error', 500);
		case 'html':
			return text('<!doctype html><title>Welcome</title><h1>Welcome</h1>', 200, 'text/html');
		case 'null':
			return json('null');
		case 'wrong-shape':
			return json('{"unexpected":["shape"]}');
		case 'failed':
			return json(JSON.stringify({ status: 'FAILED', error: params.error ?? 'Unable to do that' }));
		case 'redirect':
			return { status: 307, headers: { location: params.location ?? '/' }, body: '' };
		case 'echo-authorization':
			return json(
				JSON.stringify({ status: 'FAILED', error: `Cannot use the header ${authorization}` }),
				400,
			);
		case 'large':
			return large(params.bytes ?? LARGE_BYTES);
		case 'broken-json':
			return json('{"status":"SUCCESS","response":}');
		case 'big-integer':
			return json(
				'{"status":"SUCCESS","explorerUrl":"","response":123456789012345678901234567890}',
			);
		default:
			return json('');
	}
}

/**
 * The answer that a fault sends in place of the real one.
 *
 * @param authorization the request's Authorization header
 */
export function replacementFor({ kind, params }: Fault, authorization: string): RawAnswer {
	const answer = answerOf(kind, params, authorization);
	return {
		status: params.status ?? answer.status,
		headers: { ...answer.headers, ...params.headers },
		body: params.body ?? answer.body,
	};
}
