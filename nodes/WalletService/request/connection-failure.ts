import { isObject } from '../values/integers';
import { CallFailure } from './call-failure';
import { failedStatus } from './failed-status';

const REASONS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at its address',
	ENOTFOUND: 'its host name does not exist',
	EAI_AGAIN: 'its host name could not be looked up',
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut',
	ETIMEDOUT: 'it did not answer in time',
	ECONNABORTED: 'it did not answer in time',
	EHOSTUNREACH: 'its host cannot be reached',
	ENETUNREACH: 'its network cannot be reached',
	ERR_CANCELED: 'the execution was cancelled',
	CERT_HAS_EXPIRED: 'its TLS certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate cannot be verified',
};

/** An error and its causes, outermost first; bounded, since causes can form a circle. */
function chainOf(error: unknown): Record<string, unknown>[] {
	const chain: Record<string, unknown>[] = [];
	for (let next = error; isObject(next) && chain.length < 5; next = next.cause) chain.push(next);
	return chain;
}

/** The connection error's code, such as `ECONNREFUSED`, wherever in the chain of causes it stands. */
function codeOf(chain: Record<string, unknown>[]): string | undefined {
	const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
	return codes.find((code) => code in REASONS) ?? codes[0];
}

function statusOf(chain: Record<string, unknown>[]): number | undefined {
	for (const { response } of chain) {
		if (isObject(response) && typeof response.status === 'number') return response.status;
	}
	return undefined;
}

/**
 * The failure behind an error of n8n's HTTP client. The original is left behind on purpose: it holds the request with
 * its Authorization header.
 */
export function connectionFailure(error: unknown): CallFailure {
	const chain = chainOf(error);
	const status = statusOf(chain);
	if (status !== undefined) return failedStatus(status, '');
	const code = codeOf(chain);
	const reason = code === undefined ? undefined : REASONS[code];
	return new CallFailure({
		message: `The service could not be reached: ${reason ?? 'the connection failed'}${code ? ` (${code})` : ''}`,
		hint: 'Check the base URL of the credential, and that the service is running and reachable from n8n',
		code,
	});
}
