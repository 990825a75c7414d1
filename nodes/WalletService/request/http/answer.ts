import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { parseJsonExact } from '../../values/json';
import { isDeeper, isItem } from '../../values/objects';
import { foreignWords, quote } from '../../values/quote';
import { failedStatus, TOO_MANY_REQUESTS, UNAUTHORIZED } from '../failure/http-status';
import { redact } from '../failure/redact';
import { ServiceError } from '../failure/service-error';
import { asClause, isSentence, saysMore, wordsIn } from '../failure/service-text';
import { valueOfXml } from '../failure/xml-text';
import { retryAfterMs } from './retry';

const NOT_THIS_SERVICE =
	'Check that the base URL of the credential belongs to a wallet service, and that no proxy or login page answers instead';

/** An answer with its redacted and parsed body. */
export interface Received {
	/** `isOfProxy` if it certainly came from a proxy that sent nothing to the service. */
	readonly response: IN8nHttpFullResponse & { readonly isOfProxy?: boolean };
	readonly authorization: unknown;
	/** The body without the access token. */
	readonly text: string;
	/** The JSON value of `text`, with integers beyond 2^53 as exact decimal strings; `undefined` if it is not JSON. */
	readonly value: unknown;
	/** The error of the JSON parser, if `text` is not JSON. */
	readonly problem?: string;
}

function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

/**
 * Removes the access token from an answer and parses its body.
 *
 * @param response full response, with its body as text
 * @param authorization the Authorization header that was sent
 * @example receive({ statusCode: 200, headers: {}, body: '{"a":"abcd"}' }, 'Bearer abcd').value // { a: '[access token removed]' }
 */
export function receive(response: Received['response'], authorization: unknown): Received {
	const text = redact(bodyText(response.body), authorization);
	try {
		return { response, authorization, text, value: parseJsonExact(text) };
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		return { response, authorization, text, value: undefined, problem };
	}
}

/** Whether a body is XML or HTML. @example isMarkup('<error/>') // true */
export const isMarkup = (text: string): boolean => /^\s*</.test(text);

/**
 * Reads the service's error message from a JSON, XML or plain text body; empty for an HTML page.
 *
 * @example wordsOf(receive({ statusCode: 400, headers: {}, body: '{"error":"No gas"}' }, undefined)) // 'No gas'
 * @example wordsOf(receive({ statusCode: 400, headers: {}, body: '<e><message>No gas</message></e>' }, undefined)) // 'No gas'
 */
export function wordsOf({ text, value, authorization }: Received): string {
	if (!isMarkup(text)) return wordsIn(value) || wordsIn(text);
	// Entities can hide the access token.
	return wordsIn(valueOfXml(text, (part) => redact(part, authorization)));
}

/** Whether an answer is a web page; programs get that of Cloudflare as text: `error code: 1020`. */
function isPage(received: Received): boolean {
	const { text } = received;
	if (isMarkup(text)) return wordsOf(received) === '';
	return /^\s*error code: [15]\d{2,3}\s*$/.test(text);
}

function unreadableAnswer(message: string, httpStatus?: number): ServiceError {
	const code = 'unreadable-answer';
	return new ServiceError({ message, hint: NOT_THIS_SERVICE, code, httpStatus });
}

/** What an answer is that is not JSON, and its words or sender. */
function formOf(received: Received): [what: string, detail: string | undefined] {
	const { text, problem } = received;
	if (text.trim() === '') return ['an empty body', serverOf(received)];
	if (isPage(received)) return ['a web page', serverOf(received)];
	return isMarkup(text) ? ['XML', asClause(wordsOf(received))] : ['unreadable text', problem];
}

function notJson(received: Received): ServiceError {
	const [what, detail] = formOf(received);
	return unreadableAnswer(
		`The service answered with ${what} instead of JSON${detail && ` (${detail})`}`,
		received.response.statusCode,
	);
}

/** Names the sender of an answer by its `Server` or `Via` header or the title of its page; empty if unknown. */
function serverOf({ response: { headers }, authorization, text }: Received): string {
	const header = (name: string) => redact(String(headers[name] ?? ''), authorization);
	// Such as `nginx/1.27.0 (Ubuntu)` and `1.1 proxy.example.com (squid/6.6)` (RFC 9110, sections 10.2.4 and 7.6.3).
	const [server] = /^[^/(]+/.exec(header('server')) ?? [];
	const last = header('via').split(',').at(-1)?.trim() ?? '';
	const [, via] = /\(([^\s/(),]+)/.exec(last) ?? /^\S+ ([^\s/(),]+)/.exec(last) ?? [];
	const [, title] = /<title[^<>]*>([^<]+)/i.exec(text.slice(0, 2000)) ?? [];
	return [server, via, title].map(foreignWords).find(saysMore) ?? '';
}

/**
 * The failure for a web page, a refusal without words, or a status of proxies (407, 511, Cloudflare's 520 to 530), if any.
 *
 * @example answeredBefore(receive({ statusCode: 403, headers: {}, body: 'No' }, undefined)) // undefined
 */
export function answeredBefore(received: Received): ServiceError | undefined {
	const { text, problem, response } = received;
	const { statusCode: status, headers } = response;
	// The words of Node.js.
	if (text.includes('ALPN Protocol, expected `h2`'))
		return unreadableAnswer('The service accepts only HTTP/2, n8n only HTTP/1.1', status);
	const isGateway = status === 502 || status === 504;
	const isEmpty = text === '' && (status === 403 || status === 503);
	const isMute = isEmpty || (isGateway && problem !== undefined && !saysMore(text));
	const isOfProxy = response.isOfProxy === true || status === 407 || status > 510;
	if (status < 400 || !(isPage(received) || isMute || isOfProxy)) return undefined;
	const sender = [serverOf(received), `status ${status}`].filter(Boolean).join(', ');
	const failure = failedStatus(status, '', retryAfterMs(headers)).with({
		message: `Something before the service answered (${sender})`,
	});
	if (status === TOO_MANY_REQUESTS) return failure;
	return failure.with({
		hint: 'Check the base URL of the credential, and the proxy, firewall or login page between n8n and the service',
		code: status < 500 ? 'unreadable-answer' : 'service-error',
	});
}

/** Statuses with one meaning, whoever answers. */
const OF_ANYBODY: ReadonlySet<number> = new Set([UNAUTHORIZED, 408, TOO_MANY_REQUESTS]);

/** The failure for a refusal in words. The service speaks JSON, so one in XML proves nothing about a user or a contract. */
function refusal(received: Received): ServiceError {
	const { statusCode: status, headers } = received.response;
	const failure = failedStatus(status, wordsOf(received), retryAfterMs(headers));
	const isOwn = !isMarkup(received.text) || status >= 500 || OF_ANYBODY.has(status);
	return isOwn ? failure : failure.with({ code: 'unreadable-answer' });
}

/** Reports a redirect. Its target is redacted before truncation, because a truncated token would not be recognized. */
function redirected({ response, authorization }: Received): ServiceError {
	const target = redact(String(response.headers.location ?? ''), authorization);
	return new ServiceError({
		message: `The service redirects to ${wordsIn(target) || 'an unspecified address'}; redirects are not followed, to protect the access token`,
		hint: 'If you trust the final address, enter it as the base URL in the credential',
		code: 'redirected',
		httpStatus: response.statusCode,
	});
}

/**
 * The failure for an answer of unexpected form.
 *
 * @param expected completes the message "expected ..., got ..."
 * @example unexpectedAnswer('a list', 7).details.message // 'The answer does not have the expected form: expected a list, got 7'
 */
export function unexpectedAnswer(expected: string, value: unknown): ServiceError {
	return unreadableAnswer(
		`The answer does not have the expected form: expected ${expected}, got ${quote(value)}`,
	);
}

/**
 * Compares the `status` of an answer to a contract call (interface, section 3) with the expected one, ignoring case.
 *
 * @example isStatus('success', 'SUCCESS') // true
 */
export function isStatus(value: unknown, status: 'SUCCESS' | 'FAILED' | 'PENDING'): boolean {
	return typeof value === 'string' && value.toUpperCase() === status;
}

/** Path prefix of contract calls, whose answers contain a `status` (interface, sections 4.5 and 4.6). */
const CALLS = '/v1/contracts/';

/**
 * Throws if a JSON answer reports a failure, or does not confirm a contract call. On any route, services may report
 * failures with HTTP 200: `{"status":"FAILED","error":"..."}`. Outside contract calls, `status` may be an ordinary
 * field.
 */
function assertNotFailed(answer: unknown, path: string, httpStatus: number): void {
	if (!isItem(answer)) return;
	const { status, error, errors, message } = answer;
	const isCall = path.startsWith(CALLS);
	const isFailed =
		isStatus(status, 'FAILED') && (isCall || wordsIn({ error, errors, message }) !== '');
	const isConfirmed = !isCall || status === undefined || isStatus(status, 'SUCCESS');
	if (!isFailed && isConfirmed) return;
	const found = wordsIn(answer);
	if (isFailed) {
		const words = found || `status ${quote(status)}`;
		throw new ServiceError({
			message: isSentence(found) ? asClause(words) : `The service reported a failure: ${words}`,
			hint: 'Check the parameters of this item',
			code: 'service-failed',
			serviceText: words,
			httpStatus,
		});
	}
	throw new ServiceError({
		message: `The service answered with the status ${quote(status)}, which does not confirm success`,
		hint: 'Ask the operator of the service what this status means',
		code: 'not-confirmed',
		serviceText: found || undefined,
		httpStatus,
	});
}

/**
 * Returns the JSON value of a successful answer.
 *
 * @param path path of the request, beginning with `/v1`
 * @throws ServiceError if the status is not 2xx, or the body is not JSON or reports a failure.
 * @example
 * const response = { statusCode: 200, headers: {}, body: '{"n":9007199254740993}' };
 * successOf(receive(response, 'Bearer abcd'), '/v1/users/DISCORD-1') // { n: '9007199254740993' }
 */
export function successOf(received: Received, path: string): unknown {
	const { statusCode } = received.response;
	if (statusCode < 200 || statusCode >= 400) throw answeredBefore(received) ?? refusal(received);
	if (statusCode >= 300) throw redirected(received);
	if (received.problem !== undefined) throw notJson(received);
	if (isDeeper(received.value))
		throw unreadableAnswer('The answer is nested too deeply', statusCode);
	assertNotFailed(received.value, path, statusCode);
	return received.value;
}

/**
 * Has a request repeated after an answer that is none of the service's, such as the page of a proxy.
 *
 * @param state what the answer proves about the request
 * @throws ServiceError of `read`, with this state unless it has one
 * @example orAgain(() => 7, 'refused-for-now') // 7
 */
export function orAgain<T>(read: () => T, state: 'refused-for-now' | 'unknown'): T {
	try {
		return read();
	} catch (error) {
		const isOfService = !(error instanceof ServiceError) || error.details.state !== undefined;
		throw isOfService ? error : error.with({ state });
	}
}
