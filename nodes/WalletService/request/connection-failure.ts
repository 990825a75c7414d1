import { CallFailure } from './call-failure';
import { chainOf, statusOf } from './error-chain';
import { failedStatus } from './failed-status';

interface Reason {
	readonly text: string;
	/** The connection never came about, so that the service cannot have seen the request. */
	readonly isNotSent?: boolean;
	/** Trying again is of no use. */
	readonly isLasting?: boolean;
}

const BAD_CERTIFICATE = { isNotSent: true, isLasting: true } as const;

const REASONS: Readonly<Record<string, Reason>> = {
	ECONNREFUSED: { text: 'nothing listens at its address', isNotSent: true },
	ENOTFOUND: { text: 'its host name does not exist', isNotSent: true },
	EAI_AGAIN: { text: 'its host name could not be looked up', isNotSent: true },
	EHOSTUNREACH: { text: 'its host cannot be reached', isNotSent: true },
	ENETUNREACH: { text: 'its network cannot be reached', isNotSent: true },
	ECONNRESET: { text: 'the connection was cut' },
	EPIPE: { text: 'the connection was cut' },
	ETIMEDOUT: { text: 'it did not answer in time' },
	ECONNABORTED: { text: 'it did not answer in time' },
	ERR_CANCELED: { text: 'the execution was cancelled', isLasting: true },
	CERT_HAS_EXPIRED: { text: 'its TLS certificate has expired', ...BAD_CERTIFICATE },
	ERR_TLS_CERT_ALTNAME_INVALID: {
		text: 'its TLS certificate is for another host',
		...BAD_CERTIFICATE,
	},
	DEPTH_ZERO_SELF_SIGNED_CERT: { text: 'its TLS certificate is self-signed', ...BAD_CERTIFICATE },
	SELF_SIGNED_CERT_IN_CHAIN: { text: 'its TLS certificate is self-signed', ...BAD_CERTIFICATE },
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
		text: 'its TLS certificate cannot be verified',
		...BAD_CERTIFICATE,
	},
};

const UNKNOWN_REASON: Reason = { text: 'the connection failed' };
const BROKEN_OFF: Reason = { text: 'the connection was cut in the middle of its answer' };

/** The connection error's code, such as `ECONNREFUSED`, wherever in the chain of causes it stands. */
function codeOf(chain: Record<string, unknown>[]): string | undefined {
	const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
	return codes.find((code) => code in REASONS) ?? codes[0];
}

/**
 * The failure behind an error of n8n's HTTP client. The original is left behind on purpose: it holds the request with
 * its Authorization header.
 *
 * @param cancel the execution's own signal: a request that ended without it ran out of time
 */
export function connectionFailure(error: unknown, cancel?: AbortSignal): CallFailure {
	const chain = chainOf(error);
	const status = statusOf(chain);
	if (status !== undefined && status >= 400) return failedStatus(status, '');
	const found = codeOf(chain);
	const code = found === 'ERR_CANCELED' && cancel?.aborted !== true ? 'ETIMEDOUT' : found;
	const otherReason = status === undefined ? UNKNOWN_REASON : BROKEN_OFF;
	const reason = (code === undefined ? undefined : REASONS[code]) ?? otherReason;
	return new CallFailure({
		// Without the code: n8n replaces a message that has one by its own general words.
		message: `The service could not be reached: ${reason.text}`,
		hint: `Check the base URL of the credential, and that the service is running and reachable from n8n${code ? ` (${code})` : ''}`,
		code,
		isPassing: reason.isLasting !== true,
		outcome: reason.isNotSent === true ? 'not sent' : 'unknown',
	});
}
