/** The list of Token at a service that answers anything: whose tokens, what stands in its way, and the words of strangers. */
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { Form, type OpenForm } from './support/form.mts';
import { ScriptedService, type ScriptedAnswer } from './support/scripted-service.mts';
import { useResources } from '../support/resources.mts';

let form: Form;
let scripted: ScriptedService;

const resources = useResources();
beforeAll(async () => {
	[form, scripted] = await Promise.all([Form.create(), resources.use(ScriptedService.start())]);
});
afterEach(() => scripted.reset());

const listed = async (open: OpenForm, filter?: string) =>
	(await form.search('getTokens', open, filter)).results;

const TOKEN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const SHORT = '(0xd8dA…6045)';
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
const SUSD = {
	...{ symbol: 'SUSD', name: 'Sandbox Dollar', decimals: 6 },
	tokenAddress: TOKEN.toLowerCase(),
};
const transfer = (amount: object, more: object = {}): object => ({
	...{ type: 'TRANSFER', hash: '0x1', explorerUrl: 'https://e.example/tx/0x1', ...more },
	amount: { ...SUSD, ...amount },
});
const historyIs = (...entries: unknown[]): void => {
	scripted.script = () => json(entries);
};

describe('whose tokens', () => {
	const asked = () =>
		scripted.requests.map(({ path }) => decodeURIComponent(path.split('/')[3] ?? ''));
	beforeEach(() => historyIs(transfer({})));

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
			/^There is no user to list tokens for. Enter a User ID .* choose Address/,
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

	test.each<[string, object, string]>([
		['no expression of n8n', { symbol: '={{ $env.SECRET }}' }, '$env.SECRET - Sandbox Dollar'],
		['no expression behind others', { symbol: ' \u202e= =x', name: '=y' }, 'x - =y'],
		['in one line', { symbol: 'A\nB\u202e', name: null }, 'A B'],
		['once', { symbol: 'SUSD', name: 'SUSD' }, 'SUSD'],
		['short', { symbol: 'S', name: 'x'.repeat(5000) }, `S - ${'x'.repeat(60)}`],
		['no address', { name: 'Dollar (0xD0a8...0fcB)' }, 'SUSD - Dollar D0a8...0fcB'],
		['as they look', { symbol: '\u0405U\u3164', name: '\u2800' }, '\u0405U (mixed alphabets)'],
		['left out', { symbol: '=', name: '' }, ''],
		['left out', { symbol: null, name: 7 }, ''],
	])('are %s, and stand beside the address', async (_name, amount, words) => {
		expect(await names(transfer(amount))).toEqual([`${words || 'Unnamed token'} ${SHORT}`]);
	});

	test('are told apart by their address when two tokens have the same', async () => {
		const other = transfer({ tokenAddress: `0x${'0e'.repeat(20)}` });
		expect(await names(transfer({}), other, transfer({}))).toEqual([
			`SUSD - Sandbox Dollar ${SHORT}`,
			expect.stringMatching(/^SUSD - Sandbox Dollar \(0x0[eE]0[eE]…0[eE]0[eE]\)$/),
		]);
	});

	test('the last used token comes first, whatever the order of the service', async () => {
		const at = (day: number, symbol: string, number: number): object =>
			transfer(
				{ symbol, tokenAddress: `0x${String(number).repeat(40)}` },
				{ timestamp: `2026-11-0${day}T00:00:00.000Z` },
			);
		const given = [transfer({}), at(1, 'A', 1), at(3, 'B', 2), at(2, 'C', 3), at(4, 'A', 1)];
		const all = await names(...given, { ...at(9, 'X', 4), timestamp: 'soon' });
		expect(all.map((name) => name.split(' ')[0])).toEqual(['A', 'B', 'C', 'SUSD', 'X']);
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
		expect(await names(...odd, transfer({}))).toEqual([`SUSD - Sandbox Dollar ${SHORT}`]);
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
	const names = entries.map(({ name }) => name);
	expect(names).toContain('T12 (0x1212…1212)');
	expect(names.join()).not.toContain('T11');
	expect(entries.every(({ name, url }) => name.startsWith('SUSD') || url === undefined)).toBe(true);
	const reads = scripted.requests.filter(({ path }) => path.endsWith('/read'));
	// Three facts of each, and twice what it is, because none says decimals.
	expect(reads).toHaveLength(20 * (3 + 2));
	for (const one of scripted.requests) expect(one.authorization).toBe('Bearer secret');
});
