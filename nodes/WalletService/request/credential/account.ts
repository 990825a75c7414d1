import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isUserId } from '../../values/user-id';
import type { CredentialContext, CredentialType } from './active-credential';
import { activeCredentialType, RENEWED_CREDENTIAL } from './active-credential';
import { baseUrlOf } from './base-url';
import { withSignedInUser } from './signed-in-user';

/** What one reading of a credential says. */
export interface Account {
	readonly type: CredentialType;
	/** For OAuth2, with the signed-in user in place of an empty User ID. */
	readonly credential: ICredentialDataDecryptedObject;
	/** The normalized base URL. @throws InvalidInputError if it is invalid. */
	readonly baseUrl: string;
	/** The user; absent if there is none, or an invalid one. */
	readonly userId: string | undefined;
	/** Differs by service, and by application or user with a separate wallet: expressions and sign-ins can change them. */
	readonly key: string;
}

/** Reads and decrypts the credential of a node. */
export async function readAccount(
	context: CredentialContext,
	type = activeCredentialType(context),
): Promise<Account> {
	const stored = await context.getCredentials(type);
	const credential = type === RENEWED_CREDENTIAL ? withSignedInUser(stored) : stored;
	const { baseUrl, accessToken } = credential;
	const user = typeof credential.userId === 'string' ? credential.userId.trim() : '';
	return {
		type,
		credential,
		get baseUrl() {
			return baseUrlOf(credential);
		},
		userId: isUserId(user) ? user : undefined,
		key: JSON.stringify([baseUrl, accessToken ?? user]),
	};
}
