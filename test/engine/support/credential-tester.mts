import './environment.mts';

import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunction,
	INodeCredentialTestResult,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { additionalDataFor } from './engine.mts';
import { LoadedNodeTypes } from './node-types.mts';
import { StoredCredentials } from './stored-credentials.mts';

/** Tests the access token's credential in the context that n8n provides. */
export class CredentialTester {
	readonly nodeTypes: LoadedNodeTypes;

	private constructor(nodeTypes: LoadedNodeTypes) {
		this.nodeTypes = nodeTypes;
	}

	static async load(): Promise<CredentialTester> {
		return new CredentialTester(await LoadedNodeTypes.load());
	}

	/** The action node's method that tests the credential. */
	get method(): ICredentialTestFunction {
		const node = this.nodeTypes.getByNameAndVersion('n8n-nodes-wallet-service.walletService');
		const method = node.methods?.credentialTest?.testWalletServiceApi;
		if (method === undefined) throw new Error('The credential has no test');
		return method;
	}

	/** A field of the credential's form. */
	fieldOf(name: string): INodeProperties {
		const { properties } = this.nodeTypes.credentialType('walletServiceApi');
		const field = properties.find((one) => one.name === name);
		if (field === undefined) throw new Error(`There is no field ${name}`);
		return field;
	}

	async test(data: INodeParameters): Promise<INodeCredentialTestResult> {
		const stored = new StoredCredentials({}, this.nodeTypes);
		const context = new CredentialTestContext(additionalDataFor(stored));
		// n8n also fills in defaults before a test.
		const properties = stored.getCredentialsProperties('walletServiceApi');
		const filled = NodeHelpers.getNodeParameters(properties, data, true, false, null, null);
		return await this.method.call(context, {
			id: '1',
			name: 'Test',
			type: 'walletServiceApi',
			data: filled as ICredentialDataDecryptedObject,
		});
	}
}
