/**
 * The spending limits are checked by the package's own nodes, so no other node gets the credentials: n8n refuses that where it
 * knows how, and the access token's own credential does in any version of n8n.
 */
import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';

import { Engine, startNode } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

const NAME = 'HTTP Request';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const readOnly = () => ({ ...service.credential(), allowWrites: false });

type Credential = 'walletServiceApi' | 'walletServiceOAuth2Api';

/** A write that goes past the node of this package. */
function httpRequest(type: Credential): INode {
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
			nodeCredentialType: type,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: JSON.stringify({
				address: service.contracts.usd,
				abi: 'approve(address,uint256) public returns (bool)',
				args: [service.user('Rahul Sen').address, '1'],
			}),
		},
		credentials: { [type]: { id: '1', name: 'Test credential' } },
	};
}

async function runHttpRequest(
	credential: ICredentialDataDecryptedObject,
	type: Credential = 'walletServiceApi',
) {
	const connections = { Start: { main: [[{ node: NAME, type: 'main' as const, index: 0 }]] } };
	const nodes = [startNode(), httpRequest(type)];
	const run = await engine.runWorkflow(nodes, connections, credential, [{}]);
	return run.data.resultData;
}

test.each(['walletServiceApi', 'walletServiceOAuth2Api'] as const)(
	'n8n gives %s to no node of another package',
	async (type) => {
		const oauthTokenData = { access_token: service.user().accessToken };
		const { error } = await runHttpRequest({ ...readOnly(), oauthTokenData }, type);
		expect(error?.message).toBe(`Credential type "${type}" is restricted to specific nodes`);
		expect(await service.faults.requests()).toEqual([]);
	},
);

describe('where n8n does not know that', () => {
	beforeAll(() => {
		engine.knowsRestriction = false;
	});
	afterAll(() => {
		engine.knowsRestriction = true;
	});

	test('the credential itself refuses a request that is not of a node of the package', async () => {
		// Nor the field that forbids it for every domain.
		const credential = { ...readOnly(), allowedHttpRequestDomains: 'all' };
		const { error } = await runHttpRequest(credential);
		expect(error?.message).toContain('This credential is for the Wallet Service nodes only');
		expect(await service.faults.requests()).toEqual([]);
	});

	test('n8n refuses it where it knows that the credential is for no domain', async () => {
		const { error } = await runHttpRequest({ ...readOnly(), allowedHttpRequestDomains: 'none' });
		expect(error?.message).toContain('prevent use within an HTTP Request');
		expect(await service.faults.requests()).toEqual([]);
	});
});

const presetOf = (name: string) =>
	engine.credentialProperties(name).find((one) => one.name === 'allowedHttpRequestDomains');

test.each(['walletServiceApi', 'walletServiceOAuth2Api'])('n8n is told so by %s', (name) => {
	expect(presetOf(name)).toMatchObject({ type: 'hidden', default: 'none' });
});

test.each([
	['a read', { operation: 'read', abi: 'decimals() view returns (uint8)' }],
	['a write', { operation: 'write', abi: 'mint(address,uint256)' }],
])('%s of the Wallet Service node goes on then', async (_name, call) => {
	const args = call.operation === 'read' ? [] : [service.user().address, '1'];
	const { error, items } = await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			contractAddress: service.contracts.usd,
			argumentsMode: 'json',
			args: JSON.stringify(args),
			...call,
		},
		credential: { ...service.credential(), allowedHttpRequestDomains: 'none' },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
});
