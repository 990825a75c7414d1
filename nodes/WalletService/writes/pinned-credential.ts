import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import type { Account } from '../request/credential/account';
import { readAccount } from '../request/credential/account';
import { TOKEN_CREDENTIAL } from '../request/credential/active-credential';
import type { GetCredentials } from '../request/credential/shared-credential';
import { withSignedInUser } from '../request/credential/signed-in-user';
import { InvalidInputError, refuse } from '../values/invalid-input';
import { settle } from '../values/settle';
import { spendingPolicyFields } from './policy/policy-fields';

/** Hint of a write whose credential has changed. */
export const RUN_AGAIN = 'Nothing was sent. Run the node again';

/** Fields that determine the service, the user and the policy of a write. */
const DECISIVE = [
	'baseUrl',
	'userId',
	'allowInsecureHttp',
	'proxy',
	'ignoreSSLIssues',
	...spendingPolicyFields.map(({ name }) => name),
] as const;

/** A credential that was read once, and the accessor with which its write reads it again. */
export interface PinnedCredential extends Account {
	readonly getCredentials: GetCredentials;
	/** ID of the user whose token it is, if the service says so. */
	readonly user?: string | undefined;
}

/** @throws InvalidInputError if one of the decisive fields differs. */
function assertSame(before: ICredentialDataDecryptedObject, later: ICredentialDataDecryptedObject) {
	const now = withSignedInUser(later);
	const changed = DECISIVE.find(
		(field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]),
	);
	if (changed === undefined) return;
	throw new InvalidInputError({
		code: 'policy-unreadable',
		message: `The credential changed while the write was being prepared (${changed})`,
		hint: 'Nothing was sent. Run the node again; expressions in the credential must return the same value each time',
	});
}

/**
 * Reads the credential of an item once, so that the checked policy belongs to the address and token in use. n8n itself
 * reads a credential and evaluates its expressions for each request.
 *
 * An OAuth2 credential is read again, because its tokens may have been renewed, and must match the first reading.
 *
 * @returns the reading; its `getCredentials` throws InvalidInputError if a later one does not match
 * @example const { credential, getCredentials } = await pinCredential(context);
 */
export async function pinCredential(context: IExecuteSingleFunctions): Promise<PinnedCredential> {
	const account = await readAccount(context);
	const { credential, type: own } = account;
	const getCredentials = async (type: string) => {
		if (type === own && own === TOKEN_CREDENTIAL) return credential;
		const read = await context.getCredentials(type);
		if (type === own) assertSame(credential, read);
		return read;
	};
	return { ...account, getCredentials };
}

/**
 * Checks that the base URL has not changed since a write was checked.
 *
 * @throws InvalidInputError
 * @example assertSameService('https://wallet.example.com', 'https://wallet.example.com') // undefined
 */
export function assertSameService(now: string, before: string): void {
	const message = 'The base URL of the credential changed while the write was being prepared';
	if (now !== before) refuse('Base URL', message, RUN_AGAIN);
}

async function openFor(context: IExecuteSingleFunctions, call: CheckedCall) {
	const pinned = await pinCredential(context);
	assertSameService(pinned.baseUrl, call.preparedFor ?? pinned.baseUrl);
	return pinned;
}

/**
 * Opens the credential of a planned write; one that cannot be used prevents the write like a call that cannot be made.
 *
 * @example const { planned, pinned } = await openPlanned(context, { status: 'fulfilled', value: call });
 */
export async function openPlanned<Call extends CheckedCall>(
	context: IExecuteSingleFunctions,
	planned: PromiseSettledResult<Call>,
) {
	if (planned.status === 'rejected') return { planned };
	const opened = await settle(openFor(context, planned.value));
	return opened.status === 'rejected' ? { planned: opened } : { planned, pinned: opened.value };
}
