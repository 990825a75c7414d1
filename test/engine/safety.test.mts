/** What must never leave: bad input, and the access token. */
import { inspect } from 'node:util';

import { startLocalServer } from '../../tools/network/local-server.mts';
import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const user = { resource: 'user', operation: 'get' };
const token = { resource: 'balance', operation: 'token' };
const call = {
	resource: 'contract',
	functionSource: 'signature',
	contractAddress: ADDRESS,
	abi: 'f(uint8)',
	argumentsMode: 'json',
	args: '["1"]',
};

const coin = (nativeCoin: string) => ({ options: { nativeCoin } });

test.each([
	['a user id without provider', { ...user, userId: '8035' }, /User ID: "8035" is not a user id/],
	['a dot', { ...user, userId: '.' }, /User ID/],
	['two dots', { ...user, userId: '..' }, /User ID/],
	['an absolute URL', { ...user, userId: 'https://evil.example/x' }, /User ID/],
	[
		'a short address',
		{ ...token, token: '0x12' },
		/Token: .* has 2 hexadecimal digits instead of 40/,
	],
	['no address', { ...token, token: '={{ "" }}' }, /Token: /],
	[
		'a wrong checksum',
		{ ...token, token: ADDRESS.replace('d8dA', 'D8dA') },
		/Token: .* wrong checksum/,
	],
	[
		'no hexadecimal',
		{ ...token, token: ADDRESS.replace('d8', 'zz') },
		/Token: .* is not an address/,
	],
	[
		'a signature that is none',
		{ ...call, operation: 'read', abi: 'balanceOf' },
		/Function Signature/,
	],
	['a value out of range', { ...call, operation: 'read', args: '["256"]' }, /uint8/],
	['too few arguments', { ...call, operation: 'write', args: '[]' }, /argument/i],
	['arguments that are no JSON', { ...call, operation: 'write', args: '[' }, /JSON/],
	['less coin than there is', { ...call, operation: 'write', ...coin('0.5 wei') }, /Native Coin/],
	['a negative value', { ...call, operation: 'write', ...coin('-1') }, /Native Coin/],
	[
		'a concurrency of nothing',
		{ ...user, options: { concurrency: 0 } },
		/Options: Concurrency: 0 is out of range/,
	],
])(
	'%s is refused, naming the parameter and the item, and nothing is sent',
	async (_name, parameters, message) => {
		const { error } = await engine.run({ parameters, credential: service.credential() });
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Item 0');
		expect(error?.description).toEqual(expect.stringMatching(/\w+/));
		expect(await service.faults.requests()).toEqual([]);
	},
);

test('an empty User ID takes the one of the credential; with neither it is an error', async () => {
	const credential = service.credential();
	const { items } = await engine.run({ parameters: { ...user, userId: ' ' }, credential });
	expect(items[0]?.json.id).toBe(service.user().id);
	const { error } = await engine.run({
		parameters: user,
		credential: { ...credential, userId: '' },
	});
	expect(error?.message).toContain('User ID: No user is given');
});

test('an id with slashes and odd characters reaches its own user', async () => {
	const odd = service.ready.users.find(({ id }) => id.includes('/'));
	const { items } = await engine.run({
		parameters: { ...user, userId: odd?.id ?? '' },
		credential: service.credential(),
	});
	expect(items[0]?.json).toMatchObject({ id: odd?.id, address: odd?.address });
});

test.each([
	['stop', {}],
	['continue', { onError: 'continueRegularOutput' as const }],
])('an echoed token shows nowhere (%s)', async (_name, node) => {
	const credential = service.credential();
	for (const kind of ['echo-authorization', 'echo-authorization-failed']) {
		await service.faults.add({
			kind: 'echo-authorization',
			times: 1,
			params: kind.endsWith('failed') ? { status: 400 } : {},
		});
		const result = await engine.run({ parameters: { ...user, simplify: false }, credential, node });
		const shown = inspect(result, { depth: Infinity, maxStringLength: Infinity });
		expect(shown).not.toContain(credential.accessToken);
		expect(shown).toContain('[access token removed]');
	}
});

test.each(['read', 'write'])(
	'a redirect of a %s is not followed, and no other origin sees the token',
	async (operation) => {
		const seen: string[] = [];
		await using other = await startLocalServer((request, response) => {
			seen.push(String(request.headers.authorization));
			response.end('{}');
		});
		await service.faults.add({ kind: 'redirect', params: { location: `${other.url}/v1/x` } });
		const { error } = await engine.run({
			parameters: { ...call, operation },
			credential: service.credential(),
		});
		expect(error?.message).toContain(`redirects to ${other.url}/v1/x`);
		expect(seen).toEqual([]);
	},
);

test('a wrong token is an error that says where to mend it', async () => {
	const { error } = await engine.run({
		parameters: user,
		credential: { ...service.credential(), accessToken: 'wrong-token' },
	});
	expect(error?.message).toContain('The access token was rejected');
	expect(error?.description).toContain('Open the credential');
	expect(await service.faults.requests()).toHaveLength(1);
});
