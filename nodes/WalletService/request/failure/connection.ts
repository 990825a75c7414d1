import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { urlOf } from '../../values/urls';
import type { FailureCode } from './failure-code';
import { failedStatus } from './http-status';
import { ServiceError } from './service-error';

/** System calls before a connection exists; any other implies an established connection. */
const CONNECTING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

const LOST = 'the connection was lost';
const LATE = 'it did not answer in time';
const SELF_SIGNED = 'its TLS certificate is self-signed';
const NOT_VERIFIED = 'its TLS certificate cannot be verified';
const NO_TLS = 'a TLS connection could not be established';
const TUNNEL_REFUSED = ['a proxy refused to connect to it', 'unreachable'] as const;
const HTTP_2_ONLY = ['it accepts only HTTP/2, n8n only HTTP/1.1', 'unreadable-answer'] as const;

const REASONS = new Map<unknown, readonly [text: string, code: FailureCode]>([
	['ECONNREFUSED', ['nothing is listening at its address', 'unreachable']],
	['ENOTFOUND', ['its host name does not exist', 'unreachable']],
	['EAI_AGAIN', ['its host name could not be looked up', 'unreachable']],
	['EHOSTUNREACH', ['its host cannot be reached', 'unreachable']],
	['ENETUNREACH', ['its network cannot be reached', 'unreachable']],
	['HPE_INVALID_CONSTANT', ['its answer is not HTTP', 'connection-lost']],
	['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', HTTP_2_ONLY],
	['ECONNRESET', [LOST, 'connection-lost']],
	['EPIPE', [LOST, 'connection-lost']],
	['ETIMEDOUT', [LATE, 'timeout']],
	['ECONNABORTED', [LATE, 'timeout']],
	['ERR_CANCELED', ['the execution was cancelled', 'cancelled']],
	['CERT_HAS_EXPIRED', ['its TLS certificate has expired', 'bad-certificate']],
	['CERT_NOT_YET_VALID', ['its TLS certificate is not valid yet', 'bad-certificate']],
	['ERR_TLS_CERT_ALTNAME_INVALID', ['its TLS certificate is for another host', 'bad-certificate']],
	['DEPTH_ZERO_SELF_SIGNED_CERT', [SELF_SIGNED, 'bad-certificate']],
	['SELF_SIGNED_CERT_IN_CHAIN', [SELF_SIGNED, 'bad-certificate']],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', [NOT_VERIFIED, 'bad-certificate']],
	['UNABLE_TO_GET_ISSUER_CERT', [NOT_VERIFIED, 'bad-certificate']],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', [NOT_VERIFIED, 'bad-certificate']],
	['ERR_SSL_WRONG_VERSION_NUMBER', [NO_TLS, 'bad-certificate']],
	['ERR_SSL_UNSUPPORTED_PROTOCOL', [NO_TLS, 'bad-certificate']],
	['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', [NO_TLS, 'bad-certificate']],
]);

/** Codes of failures that last. */
const LASTING: ReadonlySet<FailureCode> = new Set([
	...(['bad-certificate', 'cancelled', 'unreadable-answer'] as const),
]);

/** Lists an error and its causes, outermost first; bounded, because causes can form a cycle. */
export function chainOf(error: unknown): Record<string, unknown>[] {
	const chain: Record<string, unknown>[] = [];
	for (let next = error; isObject(next) && chain.length < 5; next = next.cause) chain.push(next);
	return chain;
}

function statusOf(chain: Record<string, unknown>[]): number | undefined {
	for (const { response } of chain) {
		if (isObject(response) && typeof response.status === 'number') return response.status;
	}
	return undefined;
}

const SERVICE_TO_CHECK =
	'Check the base URL of the credential, and that the service is running and reachable from n8n';
const PROXY_TO_CHECK =
	'Check the proxy of the credential or of n8n (HTTP_PROXY, HTTPS_PROXY, NO_PROXY), and that it is running';
const STOPPED = 'Somebody stopped the execution, or it exceeded its time-out in n8n';

function codeOf(chain: Record<string, unknown>[]): string | undefined {
	const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
	return codes.find((code) => REASONS.has(code)) ?? codes[0];
}

/** Whether an answer begins with a frame of type 4, SETTINGS, as every HTTP/2 server's does (RFC 9113, section 3.4). */
const isHttp2 = ({ rawPacket }: Record<string, unknown>): boolean =>
	isObject(rawPacket) && rawPacket[3] === 4;

/** The proxy to which no connection was possible, such as `127.0.0.1:3128`; `undefined` if it was the service. */
function proxyOf(chain: Record<string, unknown>[]): string | undefined {
	const config = chain.map(({ config, options }) => config ?? options).find(isObject);
	const service = urlOf(String(config?.baseURL ?? config?.url));
	const said = chain.flatMap(({ message, errors }) => [message, errors]).join(' ');
	const [, target] = /\b(?:connect|getaddrinfo) E[A-Z_]+ ([^\s,]+)/.exec(said) ?? [];
	const port = service?.port || (service?.protocol === 'https:' ? 443 : 80);
	const isService = target === service?.hostname || target?.endsWith(`:${port}`);
	return service === undefined || isService ? undefined : target;
}

/** Statuses that n8n throws, because only an error shows which server answered. */
export const THROWN = [408, 500, 502, 503, 504];

/** Whether a proxy refused a tunnel: a request to an https URL ended before TLS, so nothing was sent to the service. */
const isTunnelRefused = ({ request, message }: Record<string, unknown>): boolean =>
	(isObject(request) &&
		request.protocol === 'https:' &&
		isObject(request.socket) &&
		request.socket.encrypted !== true) ||
	message === 'Proxy connection ended before receiving CONNECT response';

/** Returns the answer in an error of n8n, its body as it is. @throws the error if there is none. */
export function thrownAnswer(error: unknown) {
	const chain = chainOf(error);
	const { status, data, headers } = chain.map(({ response }) => response).find(isObject) ?? {};
	if (typeof status !== 'number' || (typeof data !== 'string' && !isObject(data))) throw error;
	const given = Object.entries(isObject(headers) ? headers : {});
	const texts = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
	const isOfProxy = chain.some(isTunnelRefused);
	return {
		statusCode: status,
		headers: texts,
		body: data as IN8nHttpFullResponse['body'],
		isOfProxy,
	};
}

/** Whether an error proves that no connection was established. A host with several addresses causes several errors. */
function isNeverSent(error: unknown): boolean {
	if (!isObject(error)) return false;
	const { errors, code, syscall } = error;
	if (Array.isArray(errors) && errors.length > 0) return errors.every(isNeverSent);
	const [text, kind] = REASONS.get(code) ?? [];
	if (kind === 'unreachable') return CONNECTING.has(syscall);
	// OpenSSL also reports a wrong protocol on connections already in use.
	return kind === 'bad-certificate' && text !== NO_TLS;
}

/** Finds the refusal of an input inside an error of n8n, which means that nothing was sent. */
export function refusedInput(error: unknown): InvalidInputError | undefined {
	return chainOf(error).find((one) => one instanceof InvalidInputError);
}

/**
 * Converts an error of n8n's HTTP client. The original error is not kept, because it contains the Authorization header.
 *
 * @param cancel the cancel signal of the execution; a request aborted for another reason has timed out
 * @param isWrite whether the request can move money, so that its outcome is unknown if it may have been sent
 */
export function connectionFailure(
	error: unknown,
	{ cancel, isWrite = false }: { readonly cancel?: AbortSignal; readonly isWrite?: boolean } = {},
): ServiceError {
	const chain = chainOf(error);
	const status = statusOf(chain);
	const isRefused = chain.some(isTunnelRefused);
	if (status !== undefined && status >= 400 && !isRefused) {
		const failure = failedStatus(status, '');
		return isWrite ? failure.with({ state: 'unknown' }) : failure;
	}
	const found = codeOf(chain);
	const connectionCode = found === 'ERR_CANCELED' && cancel?.aborted !== true ? 'ETIMEDOUT' : found;
	const other =
		status === undefined ? 'the connection failed' : `${LOST} in the middle of its answer`;
	const answered = chain.some(isHttp2) ? HTTP_2_ONLY : REASONS.get(connectionCode);
	const [text, code] = isRefused
		? TUNNEL_REFUSED
		: (answered ?? [other, 'connection-lost' as const]);
	// A status means that an answer had begun, so the request was sent.
	const isNotSent = isRefused || (status === undefined && chain.some(isNeverSent));
	const proxy = isNotSent ? proxyOf(chain) : undefined;
	const goal = proxy === undefined ? 'service' : `proxy ${proxy}`;
	const problem = isNotSent
		? `The ${goal} could not be reached`
		: 'The request to the service failed';
	const toCheck = proxy === undefined ? SERVICE_TO_CHECK : PROXY_TO_CHECK;
	return new ServiceError({
		message: `${problem}: ${text}`,
		hint: code === 'cancelled' ? STOPPED : toCheck,
		code,
		connectionCode,
		state: isWrite && !isNotSent ? 'unknown' : LASTING.has(code) ? 'refused' : 'refused-for-now',
	});
}
