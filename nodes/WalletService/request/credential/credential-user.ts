import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isUserId } from '../../values/user-id';

/**
 * The user that a credential names; `undefined` when it names none, or what it holds is no user ID.
 *
 * @param credential with the user of a sign-in in it, see `readActiveCredential`
 * @example credentialUser({ userId: ' DISCORD-1 ' }) // 'DISCORD-1'
 */
export function credentialUser({ userId }: ICredentialDataDecryptedObject): string | undefined {
	const given = typeof userId === 'string' ? userId.trim() : '';
	return isUserId(given) ? given : undefined;
}
