import type { ImportedCredential } from '../../../tools/sandbox/credentials.mts';
import type { Service } from '../sandbox/service.mts';

/**
 * Another credential of the first seeded user.
 *
 * @param name - Also its ID.
 * @param limits - Fields that limit its use.
 * @param accessToken - The user's by default.
 */
export const limitedCredential = (
	service: Service,
	name: string,
	limits: Record<string, string>,
	accessToken = service.user('Nelly').accessToken,
): ImportedCredential => ({
	...{ id: name, name, type: 'walletServiceApi' },
	data: { baseUrl: service.ready.baseUrl, accessToken, userId: '', ...limits },
});
