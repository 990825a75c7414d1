/**
 * The spending policy is checked by the package's own nodes, so no other node gets the credential: n8n refuses it where it
 * knows how, and the access token's own credential does in any version of n8n.
 */
import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';

import { Engine, startNode } from './support/engine.mts';
import { Service } from './support/service.mts';

const NAME = 'HTTP Request';

let engine: Engine;
let service: Service;

beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), Service.start()]);
});
afterEach(async () => await service.reset());
afterAll(async () => await service.stop());

const readOnly = () => ({ ...service.credential(), allowWrites: false });

/** A write that goes past the node of this package. */
function httpRequest(): INode {
	return {
		id: 'http-request',
		name: NAME,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		position: [200, 0],
		parameters: {
			method: 'POST',
			url: `${service.ready.baseUrl}/v1/contracts/method/write`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'walletServiceApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: JSON.stringify({
				address: service.ready.contracts.usd,
				abi: 'approve(address,uint256) public returns (bool)',
				args: [service.user(1).address, '1'],
			}),
		},
		credentials: { walletServiceApi: { id: '1', name: 'Test credential' } },
	};
}

async function runHttpRequest(credential: ICredentialDataDecryptedObject) {
	const connections = { Start: { main: [[{ node: NAME, type: 'main' as const, index: 0 }]] } };
	const nodes = [startNode(), httpRequest()];
	const run = await engine.runWorkflow(nodes, connections, credential, [{}]);
	return run.data.resultData;
}

test('the credential itself refuses a request that is not of a node of the package', async () => {
	// As an n8n that does not know the field which forbids it.
	const credential = { ...readOnly(), allowedHttpRequestDomains: 'all' };
	const { error } = await runHttpRequest(credential);
	expect(error?.message).toContain('This credential is for the Wallet Service nodes only');
	expect(await service.requests()).toEqual([]);
});

const presetOf = (name: string) =>
	engine.credentialProperties(name).find((one) => one.name === 'allowedHttpRequestDomains');

test.each(['walletServiceApi', 'walletServiceOAuth2Api'])('n8n is told so by %s', (name) => {
	expect(presetOf(name)).toMatchObject({ type: 'hidden', default: 'none' });
});

test('n8n refuses it then, before the credential is asked', async () => {
	const { error } = await runHttpRequest({ ...readOnly(), allowedHttpRequestDomains: 'none' });
	expect(error?.message).toContain('prevent use within an HTTP Request');
	expect(await service.requests()).toEqual([]);
});

test.each([
	['a read', { operation: 'read', abi: 'decimals() view returns (uint8)' }],
	['a write', { operation: 'write', abi: 'mint(address,uint256)' }],
])('%s of the Wallet Service node goes on then', async (_name, call) => {
	const args = call.operation === 'read' ? [] : [service.user().address, '1'];
	const { error, items } = await engine.run({
		parameters: {
			resource: 'contract',
			contractAddress: service.ready.contracts.usd,
			argumentsMode: 'json',
			args: JSON.stringify(args),
			...call,
		},
		credential: { ...service.credential(), allowedHttpRequestDomains: 'none' },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
});
