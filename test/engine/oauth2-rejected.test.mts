/** A service that refuses an access token although it is new: that is about the request, not about the sign-in. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { storeCall } from './support/contract-calls.mts';
import { Engine, type EngineResult } from './support/engine.mts';
import { OAuthAccount } from './support/oauth-account.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { Service, type Username } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;
let account: OAuthAccount;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
beforeEach(async () => {
	account = await OAuthAccount.connect(service);
});
afterEach(async () => {
	await account.door.close();
	await service.faults.reset();
});

const refused = { status: 401, body: 'Unauthorized' };
const words = /rejects the access token .* renewed just now/;

/** Has the service refuse whatever is about a user. */
const forbid = async (username: Username) =>
	await service.faults.add({
		kind: 'status-text',
		match: { path: `/v1/users/${service.user(username).id}` },
		params: refused,
	});

const run = async (
	parameters: INodeParameters,
	items?: IDataObject[],
	node?: Partial<INode>,
): Promise<EngineResult> => await account.run(engine, parameters, items, node);

const usersOf = { resource: 'user', operation: 'get', userId: '={{ $json.id }}' };
const idOf = (username: Username): IDataObject => ({ id: service.user(username).id });
const store = (): INodeParameters => storeCall(service.contracts.shapes);

test('a 401 for one thing is the failure of that request, and ends the sign-in for nobody', async () => {
	await forbid('Rahul Sen');
	const one = await run(usersOf, [idOf('Rahul Sen')]);
	expect(one.error?.message).toMatch(words);
	const other = await run(usersOf, [idOf('Nelly')]);
	expect(other.error).toBeUndefined();
	expect(other.items).toMatchObject([{ json: { id: service.user('Nelly').id } }]);
	expect(account.door.renewals).toBe(1);
});

test('a 401 for some items of a run is their failure only', async () => {
	await forbid('Rahul Sen');
	const items = Array.from({ length: 30 }, (_, index) =>
		idOf(index % 2 === 0 ? 'Nelly' : 'Rahul Sen'),
	);
	const { items: output } = await run(usersOf, items, { onError: 'continueRegularOutput' });
	for (const [index, { json }] of output.entries()) {
		if (index % 2 === 0) expect(json.address).toBe(service.user('Nelly').address);
		else expect(json.error).toMatch(words);
	}
	expect(output).toHaveLength(30);
});

test('a 401 that is answered with another failure after the renewal gives that one', async () => {
	const hash = `0x${'ab'.repeat(32)}`;
	await service.faults.add({ kind: 'status-text', times: 1, params: refused });
	await service.faults.add({
		kind: 'status-text',
		times: 1,
		params: { status: 500, body: `Broken off after ${hash}` },
	});
	const { error } = await run(store());
	expect(error?.message).toContain(`Broken off after ${hash}`);
	expect(error).toMatchObject({ httpCode: '500' });
	expect(await service.faults.requests()).toHaveLength(2);
});

test('a second 401, to the repeated write, whose body names a transaction is unknown, with its hash', async () => {
	const hash = `0x${'ab'.repeat(32)}`;
	const body = JSON.stringify({ error: 'Signed out', hash });
	await service.faults.add({ kind: 'status-text', times: 2, params: { status: 401, body } });
	const { items } = await run(store(), undefined, { onError: 'continueRegularOutput' });
	expect(items[0]?.json).toMatchObject({
		error: expect.stringContaining(hash),
		details: { outcome: 'unknown', hashes: [hash] },
	});
	expect(await service.faults.requests()).toHaveLength(2);
});

test('a second 401, to the repeated write, that is cut off is unknown: nobody knows what it would have named', async () => {
	await using scripted = await ScriptedService.start();
	const cut = { 'content-length': '1000', connection: 'close' };
	scripted.script = () => ({
		status: 401,
		headers: scripted.requests.length > 1 ? cut : {},
		body: '{"error":"Signed out","hash":"0xab',
	});
	account.credential.baseUrl = scripted.baseUrl;
	const { items } = await run(store(), undefined, { onError: 'continueRegularOutput' });
	expect(items[0]?.json).toMatchObject({ details: { outcome: 'unknown', httpStatus: 401 } });
	expect(scripted.requests).toHaveLength(2);
});

test('a second 401, to the repeated write, is a refusal', async () => {
	await service.faults.add({ kind: 'status-text', times: 2, params: refused });
	const { items } = await run(store(), undefined, { onError: 'continueRegularOutput' });
	expect(items[0]?.json).toMatchObject({
		error: expect.stringMatching(words),
		details: { outcome: 'refused' },
	});
	expect(await service.faults.requests()).toHaveLength(2);
});

test('a token that is not a Bearer one is refused before n8n puts it into the URL', async () => {
	const token = account.token('access_token');
	account.credential.oauthTokenData = { access_token: token, token_type: 'DPoP' };
	for (const parameters of [store(), { ...usersOf, userId: service.user().id }]) {
		const { error, run: whole } = await run(parameters);
		expect(error?.message).toContain('a token of the type "DPoP"; only Bearer tokens can be used');
		expect(JSON.stringify(whole.data.resultData)).not.toContain(token);
	}
	expect(await service.faults.requests()).toEqual([]);
});
