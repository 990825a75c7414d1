import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { networkOf, readAccessToken } from '../request/credential/service-fields';
import { baseUrlOf } from '../request/credential/base-url';
import { connectionFailure } from '../request/failure/connection';
import { NOT_FOUND, UNAUTHORIZED } from '../request/failure/http-status';
import { ServiceError } from '../request/failure/service-error';
import { asClause, asSentences, saysMore } from '../request/failure/service-text';
import type { Received } from '../request/http/answer';
import { answeredBefore, receive, wordsOf } from '../request/http/answer';
import { untilAborted } from '../request/http/deadline';
import { readRequestSettings } from '../request/http/options';
import { fillRoute, ROUTES } from '../request/http/routes';
import { wallClockMs } from '../values/clock';
import { inSentences, InvalidInputError } from '../values/invalid-input';
import { claimsOf } from '../values/json';
import { isObject } from '../values/objects';
import { parseUserId, shownUserId } from '../values/user-id';
import { readSpendingPolicy } from '../writes/policy/read-policy';

/** The user to request if the credential has none; with a valid token, the service answers 404. */
const UNKNOWN_USER = 'N8N-credential-test';
/** Limit for the whole test: n8n's client only detects inactivity, and an answer arriving byte by byte would never end. */
const TIMEOUT_MS = 15_000;
const HOUR_MS = 3_600_000;

const USE_OAUTH =
	'A Wallet Service OAuth2 API credential renews its token automatically and suits scheduled workflows.';

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });
const passed = (message: string): INodeCredentialTestResult => ({ status: 'OK', message });

async function getUser(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
	uri: string,
	headers: { readonly Authorization?: string },
): Promise<Received> {
	const { proxy, skipSslCertificateValidation } = networkOf(data);
	const response: unknown = await context.helpers.request({
		method: 'GET',
		uri,
		headers: { Accept: 'application/json', ...headers },
		resolveWithFullResponse: true,
		simple: false,
		followRedirect: false,
		proxy,
		rejectUnauthorized: skipSslCertificateValidation !== true,
		timeout: TIMEOUT_MS,
	});
	const received = receive(response as IN8nHttpFullResponse, headers.Authorization);
	const failure = answeredBefore(received);
	if (failure !== undefined) throw failure;
	return received;
}

/** Completes the message of a failed test with the service's own words, if it refused the request. */
function withItsWords(
	result: INodeCredentialTestResult,
	received: Received,
): INodeCredentialTestResult {
	const words = received.response.statusCode < 400 ? '' : wordsOf(received);
	if (result.status === 'OK' || !saysMore(words)) return result;
	return failed(`${result.message} The service reported: ${asClause(words)}.`);
}

function judge(
	{ response: { statusCode: status }, value }: Received,
	userId: string | undefined,
): INodeCredentialTestResult {
	const json = isObject(value) ? value : undefined;
	if (status === UNAUTHORIZED) {
		return failed('The access token was rejected: it is wrong or has expired. Enter a new one.');
	}
	if (status === 403) return failed('The access token is valid, but not allowed to look up users.');
	if (status === NOT_FOUND && json) {
		if (userId === undefined)
			return passed('Connection successful: the service accepts the token.');
		return failed(
			`The service accepts the token, but has no user ${shownUserId(userId)}. Check the User ID.`,
		);
	}
	if (status >= 200 && status < 300 && json) {
		if (userId === undefined || json.id === userId) return passed('Connection successful.');
		return failed(`The service returned the profile of a user other than ${shownUserId(userId)}.`);
	}
	if (status >= 500) return failed(`The service failed (HTTP ${status}). Try again later.`);
	return failed(
		`This is not a wallet service, or not its base URL: the request for a user returned HTTP ${status}${json ? '' : ' without JSON'}. Check the Base URL.`,
	);
}

/**
 * Returns a warning if a pasted token has expired or expires within an hour; `undefined` otherwise. The token is only
 * decoded: the service verifies it.
 *
 * @param now in milliseconds since 1970
 */
export function expiryWarning(token: string, now: number): string | undefined {
	const { exp } = claimsOf(token) ?? {};
	if (typeof exp !== 'number') return undefined;
	// `exp` is in seconds (RFC 7519, section 4.1.4).
	const left = exp * 1000 - now;
	if (left > HOUR_MS) return undefined;
	const time = new Date(exp * 1000).toISOString();
	if (left <= 0) return `The access token expired at ${time}: enter a new one. ${USE_OAUTH}`;
	return `The access token works but expires at ${time}: enter a newer one. ${USE_OAUTH}`;
}

async function testData(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const baseUrl = baseUrlOf(data);
	const token = readAccessToken(data.accessToken);
	const given = String(data.userId ?? '').trim();
	const userId = given === '' ? undefined : parseUserId(given, 'User ID');
	const url = `${baseUrl}${fillRoute(ROUTES.user.url, { userId: userId ?? UNKNOWN_USER })}`;
	const anonymous = await getUser(context, data, url, {});
	// A wallet service refuses a request without a token (interface, section 5).
	const { statusCode } = anonymous.response;
	if (statusCode !== UNAUTHORIZED && statusCode < 500) {
		const result = failed(
			`This is not a wallet service, or not its base URL: a request without a token returned HTTP ${statusCode} instead of 401. Check the Base URL.`,
		);
		return withItsWords(result, anonymous);
	}
	const answer = await getUser(context, data, url, { Authorization: `Bearer ${token}` });
	const result = withItsWords(judge(answer, userId), answer);
	// n8n does not show the message of a test that succeeds, so a warning is reported as a failure.
	const warning = expiryWarning(token, wallClockMs());
	const isAboutToken = result.status === 'OK' || answer.response.statusCode === UNAUTHORIZED;
	if (isAboutToken && warning !== undefined) return failed(warning);
	// Unusable entries of these forbid all writes, or all requests, so they are reported here, before a workflow fails.
	if (result.status === 'OK') {
		readSpendingPolicy(data);
		readRequestSettings({}, data);
	}
	return result;
}

function refusedField(error: InvalidInputError): string {
	// Other messages name their field themselves.
	const [, ...path] = [error.parameter ?? []].flat();
	return [...path, inSentences(error)].join(': ');
}

/**
 * Tests a credential. Reports success, or explains in plain words that the host cannot be reached, is not a wallet
 * service or rejects the token, or that a field of the credential cannot be used.
 */
export async function testWalletServiceApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const deadline = AbortSignal.timeout(TIMEOUT_MS);
	try {
		return await Promise.race([testData(this, credential.data ?? {}), untilAborted(deadline)]);
	} catch (error) {
		if (error instanceof InvalidInputError) return failed(refusedField(error));
		const lost = deadline.aborted ? { code: 'ETIMEDOUT' } : error;
		const { details } = lost instanceof ServiceError ? lost : connectionFailure(lost);
		return failed(asSentences([details.message, `${details.hint}.`]));
	}
}
