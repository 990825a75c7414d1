import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { parseJsonExact } from '../../values/json';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import { failedStatus } from '../failure/http-status';
import { redact } from '../failure/redact';
import { ServiceError } from '../failure/service-error';
import { asClause, isSentence } from '../failure/service-words';
import { retryAfterMs } from './backoff';

const MAX_TEXT = 300;
const NOT_THIS_SERVICE =
	'Check that the base URL of the credential belongs to a wallet service, and that nothing (a proxy, a login page) answers in its place';

function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

function tryParse(text: string): { readonly value: unknown } | { readonly problem: string } {
	try {
		return { value: parseJsonExact(text) };
	} catch (error) {
		return { problem: error instanceof Error ? error.message : String(error) };
	}
}

function firstText(...candidates: unknown[]): string | undefined {
	const text = candidates.find((candidate) => typeof candidate === 'string' && candidate !== '');
	return typeof text === 'string' ? text.slice(0, MAX_TEXT) : undefined;
}

/** The service's error message in a JSON or plain text body; empty for an HTML page. */
function wordsOf(text: string): string {
	const parsed = tryParse(text);
	if ('value' in parsed && isObject(parsed.value)) {
		const { error, message, detail } = parsed.value;
		const nested = isObject(error) ? error.message : undefined;
		return firstText(error, nested, message, detail) ?? text.slice(0, MAX_TEXT);
	}
	return text.trimStart().startsWith('<') ? '' : text.trim().slice(0, MAX_TEXT);
}

function notJson(text: string, problem: string, status: number): ServiceError {
	const isHtml = text.trimStart().startsWith('<');
	const what = text.trim() === '' ? 'an empty body' : isHtml ? 'a web page' : 'unreadable text';
	const detail = what === 'unreadable text' ? ` (${problem})` : '';
	return new ServiceError({
		message: `The service answered ${what} instead of JSON${detail}`,
		hint: NOT_THIS_SERVICE,
		code: 'unreadable-answer',
		httpStatus: status,
	});
}

/** The target of a redirect, redacted before it is truncated: half a token would not be recognized. */
function locationOf({ headers }: IN8nHttpFullResponse, authorization: unknown): string {
	const { location } = headers;
	const text = typeof location === 'string' ? redact(location, authorization) : '';
	return firstText(text) ?? 'an unnamed address';
}

function redirected(response: IN8nHttpFullResponse, authorization: unknown): ServiceError {
	return new ServiceError({
		message: `The service redirects to ${locationOf(response, authorization)}; redirects are not followed, so that the access token stays with its service`,
		hint: 'Enter the final address as base URL in the credential, if you trust it',
		code: 'redirected',
		httpStatus: response.statusCode,
	});
}

/**
 * The failure for an answer of unexpected form.
 *
 * @param expected completes the message "..., expected ..., got ..."
 * @example unexpectedAnswer('a list', 7).details.message // 'The answer does not have the expected form: expected a list, got 7'
 */
export function unexpectedAnswer(expected: string, value: unknown): ServiceError {
	return new ServiceError({
		message: `The answer does not have the expected form: expected ${expected}, got ${quote(value)}`,
		hint: NOT_THIS_SERVICE,
		code: 'unreadable-answer',
	});
}

/**
 * The text of an answer's body, without the access token that was sent.
 *
 * @param authorization the Authorization header that was sent
 * @example textOf({ body: '{"error":"Bearer abcd"}' }, 'Bearer abcd') // '{"error":"Bearer [access token removed]"}'
 */
export function textOf({ body }: IN8nHttpFullResponse, authorization: unknown): string {
	return redact(bodyText(body), authorization);
}

/**
 * Whether the `status` of an answer to a contract call (interface, section 3) is the given one, in upper or lower case.
 *
 * @example isStatus('success', 'SUCCESS') // true
 */
export function isStatus(value: unknown, status: 'SUCCESS' | 'FAILED'): boolean {
	return typeof value === 'string' && value.toUpperCase() === status;
}

/** Answers of these paths have a `status` of their own (interface, sections 4.5 and 4.6). */
const CALLS = '/v1/contracts/';

/**
 * Throws if a JSON answer reports a failure, or answers a contract call without confirming it. Services report failures
 * with HTTP 200, on any route: `{"status":"FAILED","error":"..."}`; outside contract calls, `status` may be an ordinary field.
 */
function assertNotFailed(answer: unknown, path: string, httpStatus: number): void {
	if (!isObject(answer) || Array.isArray(answer)) return;
	const { status, error, message } = answer;
	const isCall = path.startsWith(CALLS);
	if (isStatus(status, 'FAILED') && (isCall || typeof error === 'string')) {
		const words = firstText(error, message) ?? `status ${quote(status)}`;
		throw new ServiceError({
			message: isSentence(words) ? asClause(words) : `The service reported a failure: ${words}`,
			hint: 'Change what the service names, or try again later if it says so',
			code: 'service-failed',
			serviceText: words,
			httpStatus,
		});
	}
	if (!isCall || status === undefined || isStatus(status, 'SUCCESS')) return;
	throw new ServiceError({
		message: `The service answered with the status ${quote(status)}, which does not say that it was done`,
		hint: 'Ask the operator of the service what this status means',
		code: 'not-confirmed',
		httpStatus,
	});
}

/**
 * The JSON value of an answer, with every integer beyond 2^53 as an exact decimal string.
 *
 * @param response full response with the body as text
 * @param authorization the Authorization header that was sent: its token is removed wherever the answer repeats it
 * @param path path of the request, from `/v1` on
 * @throws ServiceError when the status is not 2xx, or the body is not JSON or reports a failure.
 * @example
 * const response = { statusCode: 200, headers: {}, body: '{"n":9007199254740993}' };
 * readAnswer(response, 'Bearer abcd', '/v1/users/DISCORD-1') // { n: '9007199254740993' }
 */
export function readAnswer(
	response: IN8nHttpFullResponse,
	authorization: unknown,
	path: string,
): unknown {
	const status = response.statusCode;
	const text = textOf(response, authorization);
	if (status >= 300 && status < 400) throw redirected(response, authorization);
	if (status < 200 || status >= 300) {
		throw failedStatus(status, wordsOf(text), retryAfterMs(response.headers));
	}
	const parsed = tryParse(text);
	if ('problem' in parsed) throw notJson(text, parsed.problem, status);
	assertNotFailed(parsed.value, path, status);
	return parsed.value;
}
