import type { INode } from 'n8n-workflow';

/** A node without credentials. */
export const otherNode = (
	name: string,
	type: string,
	parameters: INode['parameters'] = {},
	typeVersion = 1,
): INode => ({ id: name, name, type, typeVersion, position: [100, 0], parameters });

/** A node of the package, with both types of credentials. */
export const ownNode = (
	name: string,
	type: string,
	parameters: INode['parameters'],
	credentialId = '1',
): INode => ({
	...otherNode(name, `n8n-nodes-wallet-service.${type}`, parameters),
	credentials: {
		walletServiceApi: { id: credentialId, name: 'Test credential' },
		walletServiceOAuth2Api: { id: '2', name: 'Test account' },
	},
});

export const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
