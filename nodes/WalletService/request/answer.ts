import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { isObject } from '../values/integers';
import { parseJsonExact } from '../values/json';
import { quote } from '../values/quote';
import { retryAfterMs } from './back-off';
import { CallFailure } from './call-failure';
import { failedStatus } from './failed-status';
import { redact } from './redact';

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

/** The service's own words in a JSON error body, or in a plain text one; empty for an HTML page. */
function wordsOf(text: string): string {
	const parsed = tryParse(text);
	if ('value' in parsed && isObject(parsed.value)) {
		const { error, message, detail } = parsed.value;
		const nested = isObject(error) ? error.message : undefined;
		return firstText(error, nested, message, detail) ?? text.slice(0, MAX_TEXT);
	}
	return text.trimStart().startsWith('<') ? '' : text.trim().slice(0, MAX_TEXT);
}

/** A transaction hash in the remains of an answer: it must not get lost with it. */
function hashIn(text: string): string {
	const [, hash] = /"hash"\s*:\s*"(0x[0-9a-f]{64})"/i.exec(text) ?? [];
	return hash === undefined ? '' : `; it names the transaction ${hash}`;
}

function notJson(text: string, problem: string, status: number): CallFailure {
	const isHtml = text.trimStart().startsWith('<');
	const what = text.trim() === '' ? 'an empty body' : isHtml ? 'a web page' : 'unreadable text';
	const detail = what === 'unreadable text' ? ` (${problem})` : '';
	return new CallFailure({
		message: `The service answered ${what} instead of JSON${detail}${hashIn(text)}`,
		hint: NOT_THIS_SERVICE,
		httpStatus: status,
		outcome: 'unknown',
	});
}

function redirected(response: IN8nHttpFullResponse, authorization: unknown): CallFailure {
	const { location: given } = response.headers;
	// Redacted before it is shortened: of half a token, nothing would be found.
	const location = firstText(typeof given === 'string' && redact(given, authorization));
	return new CallFailure({
		message: `The service redirects to ${location ?? 'an unnamed address'}; redirects are not followed, so that the access token stays with its service (HTTP ${response.statusCode})`,
		hint: 'Enter the final address as base URL in the credential, if you trust it',
		httpStatus: response.statusCode,
		outcome: 'refused',
	});
}

/** An answer of unexpected shape. `expected` completes the sentence "The answer has ...". */
export function wrongShape(expected: string, value: unknown): CallFailure {
	return new CallFailure({
		message: `The answer does not have the expected form: expected ${expected}, got ${quote(value)}`,
		hint: NOT_THIS_SERVICE,
		outcome: 'unknown',
	});
}

/** Where answers have a status of their own (interface, sections 4.5 and 4.6). */
const CALLS = '/v1/contracts/';

/** Whether a JSON answer says that the service did not do it; elsewhere `status` may be a field like any other. */
function saysFailed({ status, error }: Record<string, unknown>, path: string): boolean {
	if (path.startsWith(CALLS)) return status !== undefined && status !== 'SUCCESS';
	return typeof status === 'string' && /^failed$/i.test(status) && typeof error === 'string';
}

/**
 * The JSON value of an answer, with every integer beyond 2^53 as an exact decimal string.
 *
 * @param response full response with the body as text
 * @param authorization the header that was sent: its token is removed wherever the answer repeats it
 * @param path path of the request, from `/v1` on
 * @throws CallFailure when the status is not 2xx, the body is not JSON, or says that the service did not do it.
 */
export function readAnswer(
	response: IN8nHttpFullResponse,
	authorization: unknown,
	path: string,
): unknown {
	const status = response.statusCode;
	const text = redact(bodyText(response.body), authorization);
	if (status >= 300 && status < 400) throw redirected(response, authorization);
	if (status < 200 || status >= 300) {
		throw failedStatus(status, wordsOf(text), retryAfterMs(response.headers));
	}
	const parsed = tryParse(text);
	if ('problem' in parsed) throw notJson(text, parsed.problem, status);
	const { value } = parsed;
	if (isObject(value) && saysFailed(value, path)) {
		const words = firstText(value.error, value.message) ?? `status ${quote(value.status)}`;
		throw new CallFailure({
			message: `The service could not do it: ${words}`,
			hint: 'Change what the service names, or try again later if it says so',
			serviceText: words,
			httpStatus: status,
			outcome: 'refused',
		});
	}
	return value;
}
