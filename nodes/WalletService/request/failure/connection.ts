import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import type { FailureCode } from './failure-code';
import { failedStatus } from './http-status';
import { ServiceError } from './service-error';

interface Reason {
	readonly text: string;
	readonly code: FailureCode;
	/** System calls whose failure proves that the connection was never established. */
	readonly isNotSentDuring?: ReadonlySet<unknown>;
	/** The request was certainly not sent, whatever the system call. */
	readonly isNotSent?: boolean;
	/** A retry cannot help. */
	readonly isPermanent?: boolean;
}

/** System calls before the first byte of a request: with any other, the connection had been established. */
const CONNECTING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

const UNREACHABLE = { code: 'unreachable', isNotSentDuring: CONNECTING } as const;
const CUT: Reason = { text: 'the connection was cut', code: 'connection-lost' };
const TIMED_OUT: Reason = { text: 'it did not answer in time', code: 'timeout' };

/** @param fault what is wrong with the certificate */
function badCertificate(fault: string): Reason {
	return {
		text: `its TLS certificate ${fault}`,
		code: 'bad-certificate',
		isNotSent: true,
		isPermanent: true,
	};
}

const SELF_SIGNED = badCertificate('is self-signed');
const NOT_VERIFIED = badCertificate('cannot be verified');
/** OpenSSL reports these codes also for a connection that was already in use: the request may have been sent. */
const NO_TLS: Reason = {
	text: 'it does not speak TLS as n8n does',
	code: 'bad-certificate',
	isPermanent: true,
};

const REASONS = new Map<unknown, Reason>(
	Object.entries({
		ECONNREFUSED: { text: 'nothing listens at its address', ...UNREACHABLE },
		ENOTFOUND: { text: 'its host name does not exist', ...UNREACHABLE },
		EAI_AGAIN: { text: 'its host name could not be looked up', ...UNREACHABLE },
		EHOSTUNREACH: { text: 'its host cannot be reached', ...UNREACHABLE },
		ENETUNREACH: { text: 'its network cannot be reached', ...UNREACHABLE },
		ECONNRESET: CUT,
		EPIPE: CUT,
		ETIMEDOUT: TIMED_OUT,
		ECONNABORTED: TIMED_OUT,
		ERR_CANCELED: { text: 'the execution was cancelled', code: 'cancelled', isPermanent: true },
		CERT_HAS_EXPIRED: badCertificate('has expired'),
		CERT_NOT_YET_VALID: badCertificate('is not valid yet'),
		ERR_TLS_CERT_ALTNAME_INVALID: badCertificate('is for another host'),
		DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
		SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
		UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_VERIFIED,
		UNABLE_TO_GET_ISSUER_CERT: NOT_VERIFIED,
		UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_VERIFIED,
		ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
		ERR_SSL_UNSUPPORTED_PROTOCOL: NO_TLS,
		ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: NO_TLS,
	}),
);

const UNKNOWN_REASON: Reason = { ...CUT, text: 'the connection failed' };
const BROKEN_OFF: Reason = { ...CUT, text: 'the connection was cut in the middle of its answer' };

/** An error and its causes, outermost first; bounded, because causes can form a cycle. */
export function chainOf(error: unknown): Record<string, unknown>[] {
	const chain: Record<string, unknown>[] = [];
	for (let next = error; isObject(next) && chain.length < 5; next = next.cause) chain.push(next);
	return chain;
}

/** HTTP status of the answer that an error is about; `undefined` if there was none. */
function statusOf(chain: Record<string, unknown>[]): number | undefined {
	for (const { response } of chain) {
		if (isObject(response) && typeof response.status === 'number') return response.status;
	}
	return undefined;
}

/** The connection error's code, such as `ECONNREFUSED`, from anywhere in the chain of causes. */
function codeOf(chain: Record<string, unknown>[]): string | undefined {
	const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
	return codes.find((code) => REASONS.has(code)) ?? codes[0];
}

/** Whether an error proves that no connection was established. A host with several addresses causes one error for each. */
function isNeverSent(error: unknown): boolean {
	if (!isObject(error)) return false;
	const { errors, code, syscall } = error;
	if (Array.isArray(errors) && errors.length > 0) return errors.every(isNeverSent);
	const reason = REASONS.get(code);
	return reason?.isNotSent === true || reason?.isNotSentDuring?.has(syscall) === true;
}

/**
 * What the credential refused before n8n sent anything, behind an error of n8n. The credential is a bundle of its own, so its
 * class of errors is another one of the same name.
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
 * The failure behind an error of n8n's HTTP client. The original is dropped on purpose: it contains the request with
 * its Authorization header.
 *
 * @param cancel the execution's own signal: a request that was aborted without it has timed out
 */
export function connectionFailure(error: unknown, cancel?: AbortSignal): ServiceError {
	const chain = chainOf(error);
	const status = statusOf(chain);
	if (status !== undefined && status >= 400) return failedStatus(status, '');
	const found = codeOf(chain);
	const connectionCode = found === 'ERR_CANCELED' && cancel?.aborted !== true ? 'ETIMEDOUT' : found;
	const otherReason = status === undefined ? UNKNOWN_REASON : BROKEN_OFF;
	const reason = REASONS.get(connectionCode) ?? otherReason;
	// An answer that has begun has a status: the request was sent, however the connection ended.
	const isNotSent = status === undefined && chain.some(isNeverSent);
	return new ServiceError({
		message: `The service could not be reached: ${reason.text}`,
		hint: 'Check the base URL of the credential, and that the service is running and reachable from n8n',
		code: reason.code,
		connectionCode,
		isTransient: reason.isPermanent !== true,
		certainty: isNotSent ? 'never sent' : undefined,
	});
}
