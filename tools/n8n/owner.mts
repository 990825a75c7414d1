import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios, { isAxiosError } from 'axios';
import { N8nRestClient, SINGLE } from './rest-client.mts';
import type { N8nServer } from './server.mts';

/** Login of the owner of an n8n. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** File in an n8n folder, readable for its user only. */
export const passwordFile = (userFolder: string): string => join(userFolder, 'owner-password');

/** Login of the owner of the n8n in a folder, with a random password that is kept there. */
export async function ownerOf(userFolder: string): Promise<Owner> {
	const file = passwordFile(userFolder);
	if (!existsSync(file)) {
		// n8n requires a capital letter and a digit.
		const password = `A1-${randomBytes(18).toString('base64url')}`;
		await writeFile(file, password, { flag: 'wx', mode: 0o600 });
	}
	const password = (await readFile(file, 'utf8')).trim();
	const email = 'owner@wallet-service.example';
	return { email, password, firstName: 'Sandbox', lastName: 'Owner' };
}

/**
 * Signs in as the owner, and creates the owner first if n8n has none yet.
 *
 * @throws Error if n8n has an owner with another password than the one in its folder
 */
export async function signInAsOwner({
	url,
	userFolder,
}: Pick<N8nServer, 'url' | 'userFolder'>): Promise<N8nRestClient> {
	const http = axios.create({ baseURL: url, ...SINGLE });
	const owner = await ownerOf(userFolder);
	const login = { emailOrLdapLoginId: owner.email, password: owner.password };
	const { headers } = await http
		.post('/rest/login', login)
		.catch(async () => await http.post('/rest/owner/setup', owner))
		.catch((cause: unknown) => {
			if (!isAxiosError(cause) || cause.response?.status !== 400) throw cause;
			const file = passwordFile(userFolder);
			const message = `n8n refuses the password in ${file}: enter the current one there, or delete n8n's state`;
			throw new Error(message, { cause });
		});
	const [cookie] = headers['set-cookie'] ?? [];
	if (cookie === undefined) throw new Error('n8n did not sign the owner in');
	http.defaults.headers.common.Cookie = cookie;
	return new N8nRestClient(http);
}
