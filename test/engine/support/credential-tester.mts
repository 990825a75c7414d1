import './environment.mts';

import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	INodeCredentialTestResult,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { additionalDataFor } from './engine.mts';
import { useNodeTypes } from './node-types.mts';
import { StoredCredentials } from './stored-credentials.mts';

const TYPE = 'walletServiceApi';

/** Lets the tests of a file test the access token's credential in the context that n8n provides. */
export function useCredentialTester() {
	const nodeTypes = useNodeTypes();

	/** The action node's method that tests the credential. */
	function method() {
		const node = nodeTypes().getByNameAndVersion('n8n-nodes-wallet-service.walletService');
		const { credentialTest } = node.methods as Required<NonNullable<INodeType['methods']>>;
		return credentialTest.testWalletServiceApi;
	}

	return {
		nodeTypes,
		method,
		/** The label of a field in the credential's form. */
		labelOf(field: string) {
			const { properties } = nodeTypes().credentialType(TYPE);
			return properties.find(({ name }) => name === field)?.displayName;
		},
		async test(data: INodeParameters): Promise<INodeCredentialTestResult> {
			const stored = new StoredCredentials(data as ICredentialDataDecryptedObject, nodeTypes());
			const context = new CredentialTestContext(additionalDataFor(stored));
			// n8n also fills in defaults before a test.
			const filled = await stored.getDecrypted(undefined, undefined, TYPE, 'manual');
			return await method().call(context, { id: '1', name: 'Test', type: TYPE, data: filled });
		},
	};
}
