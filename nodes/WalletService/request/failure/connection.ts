import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
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

const REASONS = new Map<unknown, readonly [text: string, code: FailureCode]>([
	['ECONNREFUSED', ['nothing is listening at its address', 'unreachable']],
	['ENOTFOUND', ['its host name does not exist', 'unreachable']],
	['EAI_AGAIN', ['its host name could not be looked up', 'unreachable']],
	['EHOSTUNREACH', ['its host cannot be reached', 'unreachable']],
	['ENETUNREACH', ['its network cannot be reached', 'unreachable']],
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

function codeOf(chain: Record<string, unknown>[]): string | undefined {
	const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
	return codes.find((code) => REASONS.has(code)) ?? codes[0];
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

/**
 * Finds the credential's InvalidInputError inside an n8n error, which means that nothing was sent. It is identified by name,
 * because the credential is bundled separately, with its own copy of the class.
 */
export function refusedInput(error: unknown): InvalidInputError | undefined {
	const refused = chainOf(error).find(({ name }) => name === 'InvalidInputError');
	if (refused === undefined) return undefined;
	const { message, hint, parameter } = refused;
	return new InvalidInputError({
		message: String(message),
		hint: String(hint),
		parameter: typeof parameter === 'string' ? parameter : undefined,
	});
}

/**
 * Converts an error of n8n's HTTP client. The original error is not kept, because it contains the Authorization header.
 *
 * @param cancel the cancel signal of the execution; a request aborted for another reason has timed out
 */
export function connectionFailure(error: unknown, cancel?: AbortSignal): ServiceError {
	const chain = chainOf(error);
	const status = statusOf(chain);
	if (status !== undefined && status >= 400) return failedStatus(status, '');
	const found = codeOf(chain);
	const connectionCode = found === 'ERR_CANCELED' && cancel?.aborted !== true ? 'ETIMEDOUT' : found;
	const other =
		status === undefined ? 'the connection failed' : `${LOST} in the middle of its answer`;
	const [text, code] = REASONS.get(connectionCode) ?? [other, 'connection-lost' as const];
	// A status means that an answer had begun, so the request was sent.
	const isNotSent = status === undefined && chain.some(isNeverSent);
	const problem = isNotSent
		? 'The service could not be reached'
		: 'The request to the service failed';
	return new ServiceError({
		message: `${problem}: ${text}`,
		hint: 'Check the base URL of the credential, and that the service is running and reachable from n8n',
		code,
		connectionCode,
		isTransient: code !== 'bad-certificate' && code !== 'cancelled',
		certainty: isNotSent ? 'never sent' : undefined,
	});
}
