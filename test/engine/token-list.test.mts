/** The list of Token: the tokens of a wallet and of a credential, in the contexts in which n8n fills a form. */
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { Form, type OpenForm } from './support/form.mts';
import { ScriptedService, type ScriptedAnswer } from './support/scripted-service.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let form: Form;
let service: Service;
let scripted: ScriptedService;

const resources = useResources();
beforeAll(async () => {
	[form, service, scripted] = await Promise.all([
		Form.create(),
		resources.use(Service.start()),
		resources.use(ScriptedService.start()),
	]);
});
afterEach(async () => {
	scripted.reset();
	await service.faults.reset();
});

/** Every form that has the parameter. */
const FORMS: readonly [name: string, type: string, parameters: INodeParameters][] = [
	['Balance: Get Token', 'walletService', { resource: 'balance', operation: 'token' }],
	['Token: Send', 'walletService', { resource: 'token', operation: 'send' }],
	['History: Get Many', 'walletService', { resource: 'history', operation: 'list', filters: {} }],
	['the trigger', 'walletServiceTrigger', { event: 'newTransfer', userIds: '' }],
];

const listed = async (open: OpenForm, filter?: string) =>
	(await form.search('getTokens', open, filter)).results;

describe('at the reference service', () => {
	const own = () => ({ walletServiceApi: service.credential() });
	const susd = () => ({
		name: 'SUSD - Sandbox Dollar',
		value: service.contracts.usd,
		description: service.contracts.usd,
		url: expect.stringContaining(`/explorer/address/${service.contracts.usd}`),
	});

	test.each(FORMS)('%s lists the tokens of the wallet', async (_name, type, parameters) => {
		const entries = await listed({ type, parameters, credentials: own() });
		expect(entries).toContainEqual(susd());
		const named = entries.flatMap(({ name, value }) => (name === value ? [] : [name]));
		// Those without words come last.
		expect(entries.slice(0, named.length).map(({ name }) => name)).toEqual(named.sort());
		const requests = await service.faults.requests();
		expect(requests.map(({ path }) => path)).toEqual([
			`/v1/users/${encodeURIComponent(service.user().id)}/history`,
		]);
	});

	test('a token is found by its address, and the page that it links to is there', async () => {
		const { usd } = service.contracts;
		const found = await listed({ parameters: {}, credentials: own() }, usd.toLowerCase());
		expect(found).toEqual([susd()]);
		expect((await fetch(String(found[0]?.url))).status).toBe(200);
	});

	test.each([
		['susd', 1],
		['  Sandbox dollar ', 1],
		['nothing of the kind', 0],
	])('%j finds %d', async (filter, count) => {
		expect(await listed({ parameters: {}, credentials: own() }, filter)).toHaveLength(count);
	});

	test('allowed contracts are asked for their words, and one that is no token is left out', async () => {
		const { usd, gold, shapes } = service.contracts;
		const nobodys = { ...service.credential(), userId: '' };
		const allowedContracts = `${usd}, ${gold}\n${shapes}`;
		const credentials = { walletServiceApi: { ...nobodys, allowedContracts } };
		const entries = await listed({ parameters: {}, credentials });
		expect(entries.map(({ name, value }) => [name, value])).toEqual([
			['SGLD - Sandbox Gold', gold],
			['SUSD - Sandbox Dollar', usd],
		]);
		expect(entries[1]?.url).toContain(usd);
		expect((await service.faults.requests()).every(({ path }) => path.endsWith('/read'))).toBe(
			true,
		);
	});

	test('an unreadable list of allowed contracts keeps nobody from looking', async () => {
		const credentials = { walletServiceApi: { ...service.credential(), allowedContracts: 'SUSD' } };
		expect(await listed({ parameters: {}, credentials })).toContainEqual(susd());
	});

	test('a wallet without transfers has no tokens, which is no error', async () => {
		const credentials = { walletServiceApi: service.credential('newcomer') };
		expect(await listed({ parameters: {}, credentials })).toEqual([]);
	});

	test('an unknown user is said in words', async () => {
		const parameters = { resource: 'balance', userId: 'GOOGLE-404' };
		await expect(listed({ parameters, credentials: own() })).rejects.toThrow(/GOOGLE\u2011404/);
	});
});

const TOKEN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const credential = (changes: IDataObject = {}): ICredentialDataDecryptedObject =>
	({ baseUrl: scripted.baseUrl, accessToken: 'secret', userId: 'X-1', ...changes }) as never;
const open = (parameters: INodeParameters, changes?: IDataObject): OpenForm => ({
	parameters,
	credentials: { walletServiceApi: credential(changes) },
});
const json = (value: unknown, status = 200): ScriptedAnswer => ({
	status,
	body: JSON.stringify(value),
});
const transfer = (amount: object, more: object = {}): object => ({
	...{ type: 'TRANSFER', hash: '0x1', explorerUrl: 'https://e.example/tx/0x1', ...more },
	amount: { symbol: 'SUSD', name: 'Sandbox Dollar', tokenAddress: TOKEN.toLowerCase(), ...amount },
});
const historyIs = (...entries: unknown[]): void => {
	scripted.script = () => json(entries);
};

describe('whose tokens', () => {
	const asked = () =>
		scripted.requests.map(({ path }) => decodeURIComponent(path.split('/')[3] ?? ''));
	beforeEach(() => historyIs());

	test.each<[INodeParameters, string]>([
		[{ resource: 'balance', userId: 'GOOGLE-2' }, 'GOOGLE-2'],
		[{ resource: 'history', userId: ' GOOGLE-2 ' }, 'GOOGLE-2'],
		[{ resource: 'balance', userId: '' }, 'X-1'],
		[{ resource: 'balance', userId: 'GOOGLE-2, GOOGLE-3' }, 'X-1'],
		[{ resource: 'balance', userId: '={{ $json.id }}' }, 'X-1'],
		[{ resource: 'balance', userId: 'nobody' }, 'X-1'],
		// The sender is the user of the credential, whatever an earlier form has left.
		[{ resource: 'token', userId: 'GOOGLE-2' }, 'X-1'],
		[{ event: 'newTransfer', userIds: 'GOOGLE-2' }, 'GOOGLE-2'],
		[{ event: 'newTransfer', userIds: '' }, 'X-1'],
	])('%j: %s', async (parameters, user) => {
		await listed(open(parameters));
		expect(asked()).toEqual([user]);
	});

	test('of several users, with nobody in the credential, the first', async () => {
		await listed(open({ resource: 'balance', userId: 'GOOGLE-2\nGOOGLE-3' }, { userId: '' }));
		expect(asked()).toEqual(['GOOGLE-2']);
	});
});

describe('what stands in its way is said in words', () => {
	test('no credential', async () => {
		await expect(listed({ parameters: {} })).rejects.toThrow(/chosen.*\. Choose a credential/);
	});

	test('nobody to ask for', async () => {
		await expect(listed(open({}, { userId: '' }))).rejects.toThrow(
			/^Nobody is named whose tokens could be listed. Enter a User ID .* choose By Address/,
		);
		expect(scripted.requests).toEqual([]);
	});

	test.each<[string, ScriptedAnswer, RegExp]>([
		['a rejected token', json({ error: 'expired' }, 401), /access token was rejected/i],
		['no list', json({ items: [] }), /expected a list of transfers/],
		[
			'a redirect',
			{ status: 302, headers: { location: 'http://127.0.0.1:1/x' }, body: '' },
			/redirect/,
		],
	])('%s', async (_name, answer, message) => {
		scripted.script = () => answer;
		await expect(listed(open({}))).rejects.toThrow(message);
		expect(scripted.requests).toHaveLength(1);
	});

	test('a sign-in that is not connected', async () => {
		const walletServiceOAuth2Api = credential({ accessTokenUrl: scripted.baseUrl });
		const parameters = { authentication: 'oAuth2' };
		const listing = listed({ parameters, credentials: { walletServiceOAuth2Api } });
		await expect(listing).rejects.toThrow(/is not connected/);
		expect(scripted.requests).toEqual([]);
	});
});

describe('words that a contract has chosen', () => {
	const names = async (...entries: unknown[]) => {
		historyIs(...entries);
		return (await listed(open({}))).map(({ name }) => name);
	};

	test('never begin as an expression of n8n, which keeps them in the parameter', async () => {
		const symbol = '={{ $env.SECRET }}';
		expect(await names(transfer({ symbol }))).toEqual(['{{ $env.SECRET }} - Sandbox Dollar']);
		expect(await names(transfer({ symbol: '=', name: '' }))).toEqual([TOKEN]);
		expect(await names(transfer({ symbol: ' \u202e=x', name: '=y' }))).toEqual(['x - =y']);
	});

	test('are short, in one line, and may be missing', async () => {
		expect(await names(transfer({ symbol: 'A\nB\u202e', name: null }))).toEqual(['A B']);
		expect(await names(transfer({ symbol: null, name: 7 }))).toEqual([TOKEN]);
		expect(await names(transfer({ symbol: 'SUSD', name: 'SUSD' }))).toEqual(['SUSD']);
		const [long = ''] = await names(transfer({ symbol: 'S', name: 'x'.repeat(5000) }));
		expect(long.length).toBeLessThan(80);
	});

	test('are told apart by their address when two tokens have the same', async () => {
		const other = `0x${'0e'.repeat(20)}`;
		expect(await names(transfer({}), transfer({ tokenAddress: other }), transfer({}))).toEqual([
			expect.stringMatching(/^SUSD - Sandbox Dollar \(0x0[eE]0[eE]…0[eE]0[eE]\)$/),
			'SUSD - Sandbox Dollar (0xd8dA…6045)',
		]);
	});

	test.each([
		['javascript:alert(1)//tx/0x1', undefined],
		['https://e.example/tx/0x2', undefined],
		['https://e.example/tx/0x1', `https://e.example/address/${TOKEN}`],
	])('the link of %s is %s', async (explorerUrl, url) => {
		historyIs(transfer({}, { explorerUrl }));
		expect((await listed(open({})))[0]?.url).toBe(url);
	});

	test('what cannot be read is left out', async () => {
		const odd = [null, 'x', {}, { amount: null }, transfer({ tokenAddress: '0x12' })];
		expect(await names(...odd, transfer({}))).toEqual(['SUSD - Sandbox Dollar']);
	});
});

test('no more than 20 allowed contracts are asked, and those that fail are left out', async () => {
	const contracts = Array.from({ length: 30 }, (_, index) => `0x${String(index + 10).repeat(20)}`);
	scripted.script = ({ path, body }) => {
		if (path.endsWith('/history')) return json([transfer({ tokenAddress: contracts[0] })]);
		const { abi, address } = JSON.parse(body) as { abi: string; address: string };
		if (address.endsWith('11')) return json({ error: 'no contract' }, 500);
		return abi.startsWith('symbol')
			? json({ status: 'SUCCESS', response: `T${address.slice(-2)}`, explorerUrl: 'x' })
			: json({ status: 'FAILED', error: 'no name' });
	};
	const entries = await listed(open({}, { allowedContracts: contracts.join('\n') }));
	expect(entries).toHaveLength(20);
	expect(entries.map(({ name }) => name)).toContain('T12');
	expect(entries.map(({ name }) => name)).not.toContain('T11');
	expect(entries.every(({ name, url }) => name.startsWith('SUSD') || url === undefined)).toBe(true);
	const reads = scripted.requests.filter(({ path }) => path.endsWith('/read'));
	expect(reads).toHaveLength(40);
	expect(scripted.requests.every(({ authorization }) => authorization === 'Bearer secret')).toBe(
		true,
	);
});
