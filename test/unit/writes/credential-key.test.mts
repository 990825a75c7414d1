/** Which nodes share a queue, a budget, and what is known of unknown calls. */
import type { INode } from 'n8n-workflow';

import { originOf } from '../../../nodes/WalletService/writes/identity.ts';

const keyOf = (authentication: string, credentials: INode['credentials']) => {
	const node = { name: 'Pay', type: '', parameters: { authentication }, credentials };
	return originOf({
		getNode: () => node,
		getItemIndex: () => 0,
		getExecutionId: () => '7',
		getWorkflow: () => ({ id: 'w' }),
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	} as never).credentialKey;
};

const credentials = {
	walletServiceApi: { id: '1', name: 'a' },
	walletServiceOAuth2Api: { id: '1', name: 'b' },
};

test('the credential that the node is set to use, by its id', () => {
	expect(keyOf('accessToken', credentials)).toBe('["walletServiceApi","1"]');
	expect(keyOf('oAuth2', credentials)).toBe('["walletServiceOAuth2Api","1"]');
	const other = { walletServiceApi: { id: '2', name: 'a' } };
	expect(keyOf('accessToken', other)).toBe('["walletServiceApi","2"]');
});

test.each([
	['credentials', undefined],
	['a credential of its type', { walletServiceOAuth2Api: { id: '1', name: 'b' } }],
	['an id', { walletServiceApi: { id: null, name: 'a' } }],
])('without %s, all share one', (_what, given) => {
	expect(keyOf('accessToken', given)).toBe('["walletServiceApi",""]');
});
