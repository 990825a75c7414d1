/**
 * Only the package's own nodes check the spending limits, so no other node may use the credentials: n8n prevents this in
 * the versions that can, and the access token's credential itself prevents it in every version.
 */
import type { INode } from 'n8n-workflow';

import { StoredCredentials } from './support/stored-credentials.mts';
import { useNode } from './support/use-node.mts';
import { otherNode } from './support/workflow-parts.mts';
import { useService } from '../support/sandbox/service.mts';

const NAME = 'HTTP Request';
const API = 'walletServiceApi';
const OAUTH2 = 'walletServiceOAuth2Api';

const node = useNode(useService());
afterEach(() => jest.restoreAllMocks());

/** A write that bypasses the package's node. */
function httpRequest(type: string): INode {
	const { contracts, ready, user } = node.service;
	const call = {
		address: contracts.usd,
		abi: 'approve(address,uint256) public returns (bool)',
		args: [user('Rahul Sen').address, '1'],
	};
	const parameters = {
		method: 'POST',
		url: `${ready.baseUrl}/v1/contracts/method/write`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: type,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: JSON.stringify(call),
	};
	return {
		...otherNode(NAME, 'n8n-nodes-base.httpRequest', parameters, 4.2),
		credentials: { [type]: { id: '1', name: 'Test credential' } },
	};
}

const restricted = (type: string) => `Credential type "${type}" is restricted to specific nodes`;

// If n8n cannot restrict a credential type, the credential itself refuses, whichever domains are entered.
test.each<[type: string, domains: string, isKnown: boolean, message: string]>([
	[API, 'all', true, restricted(API)],
	[OAUTH2, 'all', true, restricted(OAUTH2)],
	[API, 'all', false, 'This credential is for the Wallet Service nodes only'],
	[API, 'none', false, 'prevent use within an HTTP Request'],
])('no other node gets %s (domains: %s, n8n restricts it: %s)', async (type, ...row) => {
	const [domains, isKnown, message] = row;
	const credential = {
		...node.service.credential(),
		allowWrites: false,
		allowedHttpRequestDomains: domains,
		oauthTokenData: { access_token: node.service.user().accessToken },
	};
	const { prototype } = StoredCredentials;
	// Even if n8n restricted no type of credential.
	if (!isKnown) jest.spyOn(prototype, 'isCredentialUsableByNode').mockReturnValue(true);
	const run = await node.engine.runNode(httpRequest(type), { credential });
	expect(run.data.resultData.error?.message).toContain(message);
	expect(await node.service.faults.requests()).toEqual([]);
});

test.each([API, OAUTH2])('%s allows no domain by default', (type) => {
	const fields = node.engine.nodeTypes.credentialType(type).properties;
	const field = fields.find(({ name }) => name === 'allowedHttpRequestDomains');
	expect(field).toMatchObject({ type: 'hidden', default: 'none' });
});
