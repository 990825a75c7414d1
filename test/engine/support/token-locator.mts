import type { IDataObject } from 'n8n-workflow';

import type { ScriptedAnswer, ScriptedRequest } from './scripted-service.mts';
import { ScriptedService } from './scripted-service.mts';

/** The token of these tests. */
export const TOKEN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
/** Another address, which stands where it does not count. */
export const OTHER = `0x${'b2'.repeat(20)}`;
const WALLET = `0x${'a1'.repeat(20)}`;
/** Its page in a block explorer. */
export const PAGE = `https://etherscan.io/token/${TOKEN}?a=${OTHER}#balances`;

const json = (value: unknown): ScriptedAnswer => ({ body: JSON.stringify(value) });

const transferOf = (tokenAddress: string, hash: string) => ({
	...{ type: 'TRANSFER', timestamp: '2026-11-21T13:28:22.000Z', hash, explorerUrl: 'x' },
	to: { username: 'x', platform: 'X', address: WALLET },
	amount: {
		...{ valueBn: { type: 'BigNumber', hex: '0x01' }, formatted: 1, decimals: 0 },
		...{ symbol: 'S', name: 'S', tokenAddress, network: 'X', chainId: 1 },
	},
});

function answer({ path, body }: ScriptedRequest): ScriptedAnswer {
	const [, , , , what, address = ''] = path.split('/');
	if (path.endsWith('/read')) {
		const response = body.includes('decimals') ? 6 : 'SUSD';
		return json({ status: 'SUCCESS', response });
	}
	if (what === 'history') {
		return json([transferOf(TOKEN.toLowerCase(), '0x1'), transferOf(OTHER, '0x2')]);
	}
	const amount = { balance: '5000000', decimals: '6', symbol: 'SUSD', name: 'S', chainId: 1 };
	if (what === 'balance') {
		return json({ [address.toLowerCase()]: { ...amount, tokenAddress: address, network: 'x' } });
	}
	return json({ id: 'X-1', provider: 'X', username: 'x', address: WALLET, imageSrc: '' });
}

/** What the form keeps of a token that was chosen. */
export const locator = (mode: unknown, value: unknown): IDataObject =>
	({ __rl: true, mode, value, cachedResultName: 'SUSD - Sandbox Dollar' }) as IDataObject;

/** Whether an address is that of the token. */
export const same = (found: unknown) => String(found).toLowerCase() === TOKEN.toLowerCase();

/** A service at which everybody has the token, and transfers of it and of another one. */
export async function startTokenService(): Promise<ScriptedService> {
	const service = await ScriptedService.start();
	service.script = answer;
	return service;
}

/** A credential for it. */
export const credentialFor = ({ baseUrl }: ScriptedService) => ({
	...{ baseUrl, accessToken: 'secret', userId: 'X-1' },
});
