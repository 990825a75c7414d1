/** The list of the Token parameter in n8n's contexts for forms, against the reference service and a scripted one. */
import { getAddress } from 'ethers';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Service, useService } from '../support/sandbox/service.mts';
import { failed, json, type ScriptedAnswer } from './support/answers.mts';
import { useForm } from './support/form.mts';
import { useScriptedService } from './support/scripted-service.mts';
import { ALICE, READ, TOKEN } from './support/scripted-world.mts';

const form = useForm();

type Credential = Record<string, string>;

/** The entries that a form shows for a credential. */
const listed = async (
	walletServiceApi: Credential,
	parameters: INodeParameters = {},
	filter?: string,
	type?: string,
) => {
	const open = { parameters, credentials: { walletServiceApi }, ...(type && { type }) };
	return (await form.search('getTokens', open, filter)).results;
};

const shortly = (address: string) => `(${address.slice(0, 6)}…${address.slice(-4)})`;

describe('against the reference service', () => {
	const service = useService();
	afterEach(async () => await service().faults.reset());

	const own = (changes: Credential = {}) => ({ ...service().credential(), ...changes });
	const ofNobody = (allowedContracts = '') => own({ userId: '', allowedContracts });
	const susd = () => {
		const { usd } = service().contracts;
		const url = expect.stringContaining(`/explorer/address/${usd}`);
		return { name: `SUSD - Sandbox Dollar ${shortly(usd)}`, value: usd, description: usd, url };
	};

	/** Every form that has the parameter. */
	test.each<[name: string, parameters: INodeParameters, type?: string]>([
		['Balance: Get Token', { resource: 'balance', operation: 'token' }],
		['Token: Send', { resource: 'token', operation: 'send' }],
		['History: Get Many', { resource: 'history', operation: 'list', filters: {} }],
		['the trigger', { event: 'newTransfer', userIds: '' }, 'walletServiceTrigger'],
	])('%s lists the tokens of the wallet', async (name, parameters, type = 'walletService') => {
		const entries = await listed(own(), parameters, undefined, type);
		expect(entries).toContainEqual(susd());
		const { art, items, usd } = service().contracts;
		const isBalance = name.startsWith('Balance');
		const history = await service().chain.history(service().user().address);
		const used = history.map(({ tokenAddress }) => getAddress(tokenAddress));
		const latestFirst = [...new Set(used)].filter((one) => one !== items || !isBalance);
		expect(entries.map(({ value }) => value)).toEqual(latestFirst);
		const nameOf = (token: string) => entries.find(({ value }) => value === token)?.name;
		expect(nameOf(art)).toBe(`SART - Sandbox Art (NFT) ${shortly(art)}`);
		expect(nameOf(items)).toBe(isBalance ? undefined : `Unnamed items ${shortly(items)}`);
		// A token with decimals is an ERC-20 token, so its contract is not read.
		const requests = await service().faults.requests();
		expect(requests.filter(({ path }) => path.endsWith('/history'))).toHaveLength(1);
		expect(JSON.stringify(requests)).not.toContain(`"address":"${usd}"`);
	});

	test.each<[string, (contracts: Service['contracts']) => string]>([
		['in lower case, with white space', ({ usd }) => ` ${usd.toLowerCase()}\n`],
		['in a page of an explorer', ({ usd }) => `https://e.example/token/${usd}`],
	])('an address that is pasted %s is looked up, also without a user', async (_name, paste) => {
		const found = await listed(ofNobody(), {}, paste(service().contracts));
		expect(found).toEqual([susd()]);
		expect((await fetch(String(found[0]?.url))).status).toBe(200);
	});

	test('a pasted address without a balance, or that is not a token, is refused', async () => {
		const { art, items, shapes } = service().contracts;
		const balance = { resource: 'balance', operation: 'token' };
		expect((await listed(own(), balance, art))[0]?.name).toMatch(/^SART - Sandbox Art \(NFT\) /);
		expect((await listed(own(), {}, items))[0]?.name).toMatch(/^Unnamed items /);
		const of = async (parameters: INodeParameters, address: string) =>
			await listed(own(), parameters, address);
		await expect(of(balance, items)).rejects.toThrow(/^No ERC.20 or ERC.721 token found at 0x/);
		await expect(of({}, shapes)).rejects.toThrow(/^No token found at 0x.*\. Check/);
	});

	test.each([
		['susd', 1],
		['  Sandbox dollar ', 1],
		['nothing of the kind', 0],
	])('%j finds %d', async (filter, count) => {
		expect(await listed(own(), {}, filter)).toHaveLength(count);
	});

	test('allowed contracts are listed without those that are not tokens', async () => {
		const { usd, gold, shapes } = service().contracts;
		const entries = await listed(ofNobody(`${usd}, ${gold}\n${shapes}`));
		expect(entries.map(({ name, value }) => [name, value])).toEqual([
			[`SUSD - Sandbox Dollar ${shortly(usd)}`, usd],
			[`SGLD - Sandbox Gold ${shortly(gold)}`, gold],
		]);
		expect(entries[0]?.url).toContain(usd);
		for (const { path } of await service().faults.requests()) expect(path).toBe(READ);
	});

	test('an unreadable list of allowed contracts does not prevent a look-up', async () => {
		expect(await listed(own({ allowedContracts: 'SUSD' }))).toContainEqual(susd());
	});

	test('a wallet without transfers and an unknown user are errors', async () => {
		await expect(listed(service().credential('newcomer'))).rejects.toThrow(
			"No tokens in this wallet's recent transfers. Choose Address and paste the token's address",
		);
		const unknown = listed(own(), { resource: 'balance', userId: 'GOOGLE-404' });
		await expect(unknown).rejects.toThrow(/GOOGLE\u2011404/);
	});
});

describe('against a scripted service', () => {
	const service = useScriptedService();

	const own = (changes: object = {}) => service().credential(changes);
	const SUSD = { symbol: 'SUSD', name: 'Sandbox Dollar', decimals: 6, tokenAddress: TOKEN };
	const SHOWN = `SUSD - Sandbox Dollar ${shortly(TOKEN)}`;
	const transfer = (amount: object, more: object = {}): object => ({
		type: 'TRANSFER',
		hash: '0x1',
		explorerUrl: 'https://e.example/tx/0x1',
		...more,
		amount: { ...SUSD, ...amount },
	});
	const namesOf = async (...entries: unknown[]) => {
		service().script = () => json(entries);
		return (await listed(own())).map(({ name }) => name);
	};

	test.each<[parameters: INodeParameters, user: string, changes?: IDataObject]>([
		[{ resource: 'balance', userId: 'GOOGLE-2' }, 'GOOGLE-2'],
		[{ resource: 'history', userId: ' GOOGLE-2 ' }, 'GOOGLE-2'],
		[{ resource: 'balance', userId: '' }, ALICE.id],
		[{ resource: 'balance', userId: 'GOOGLE-2, GOOGLE-3' }, ALICE.id],
		[{ resource: 'balance', userId: 'GOOGLE-2\nGOOGLE-3' }, 'GOOGLE-2', { userId: '' }],
		[{ resource: 'balance', userId: '={{ $json.id }}' }, ALICE.id],
		[{ resource: 'balance', userId: 'nobody' }, ALICE.id],
		// The sender is the user of the credential, regardless of earlier values in the form.
		[{ resource: 'token', userId: 'GOOGLE-2' }, ALICE.id],
		[{ event: 'newTransfer', userIds: 'GOOGLE-2' }, 'GOOGLE-2'],
		[{ event: 'newTransfer', userIds: '' }, ALICE.id],
	])('with %j, the tokens of %s are listed', async (parameters, user, changes = {}) => {
		service().script = () => json([transfer({})]);
		await listed(own(changes), parameters);
		expect(service().requests.map(({ path }) => path)).toEqual([`/v1/users/${user}/history`]);
	});

	test('without a credential or a sign-in, or without a user, nothing is sent', async () => {
		const nothing = form.search('getTokens', { parameters: {} });
		await expect(nothing).rejects.toThrow(/selected.*\. Select a credential/);
		await expect(listed(own({ userId: '' }))).rejects.toThrow(
			/^There is no user to list tokens for. Enter a User ID .* choose Address/,
		);
		const credentials = { walletServiceOAuth2Api: own({ accessTokenUrl: service().baseUrl }) };
		const parameters = { authentication: 'oAuth2' };
		const signedOut = form.search('getTokens', { parameters, credentials });
		await expect(signedOut).rejects.toThrow(/is not connected/);
		expect(service().requests).toEqual([]);
	});

	test.each<[string, ScriptedAnswer, RegExp]>([
		['a rejected token', json({ error: 'expired' }, 401), /access token was rejected/i],
		['no list', json({ items: [] }), /expected a list of transfers/],
		['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/x' } }, /redirect/],
	])('%s is an error', async (_name, answer, message) => {
		service().script = () => answer;
		await expect(listed(own())).rejects.toThrow(message);
		expect(service().requests).toHaveLength(1);
	});

	// All other foreign text is in test/unit/values/quote.
	test.each<[amount: object, words: string]>([
		[{ symbol: '={{ $env.SECRET }}' }, '$env.SECRET - Sandbox Dollar'],
		[{ symbol: ' \u202e= =x', name: '=y' }, 'x - =y'],
		[{ symbol: 'SUSD', name: 'SUSD' }, 'SUSD'],
		[{ symbol: `0x4d4b52${'00'.repeat(29)}` }, 'MKR - Sandbox Dollar'],
		[{ name: 'Dollar (0xD0a8...0fcB)' }, 'SUSD - "Dollar D0a8...0fcB"'],
		[{ symbol: '=', name: '' }, 'Unnamed token'],
	])('the words of a contract are never an expression: %j', async (amount, words) => {
		expect(await namesOf(transfer(amount))).toEqual([`${words} ${shortly(TOKEN)}`]);
	});

	test('a token is listed once, and its address distinguishes it from others of the same name', async () => {
		const other = `0x${'0'.repeat(39)}1`;
		const odd = [null, 'x', {}, { amount: null }, transfer({ tokenAddress: '0x12' })];
		const given = [transfer({}), transfer({ tokenAddress: other }), transfer({}), ...odd];
		expect(await namesOf(...given)).toEqual([SHOWN, `SUSD - Sandbox Dollar ${shortly(other)}`]);
	});

	test('the last used token comes first, whatever the order of the service', async () => {
		const at = (day: number, symbol: string, number: number): object =>
			transfer(
				{ symbol, tokenAddress: `0x${String(number).repeat(40)}` },
				{ timestamp: `2026-11-0${day}T00:00:00.000Z` },
			);
		const given = [transfer({}), at(1, 'A', 1), at(3, 'B', 2), at(2, 'C', 3), at(4, 'A', 1)];
		const all = await namesOf(...given, { ...at(9, 'X', 4), timestamp: 'soon' });
		expect(all.map((name) => name.split(' ')[0])).toEqual(['A', 'B', 'C', 'SUSD', 'X']);
	});

	test.each([
		['javascript:alert(1)//tx/0x1', undefined],
		['https://e.example/tx/0x2', undefined],
		['https://e.example/tx/0x1', `https://e.example/address/${TOKEN}`],
	])('the link of %s is %s', async (explorerUrl, url) => {
		service().script = () => json([transfer({}, { explorerUrl })]);
		expect((await listed(own()))[0]?.url).toBe(url);
	});

	test('at most 20 allowed contracts are read, and those that fail are omitted', async () => {
		const contracts = Array.from({ length: 30 }, (_, at) => `0x${String(at + 10).repeat(20)}`);
		service().script = ({ path, body }) => {
			if (path !== READ) return json([transfer({ tokenAddress: contracts[0] })]);
			const { abi, address } = JSON.parse(body) as { abi: string; address: string };
			if (address.endsWith('11')) return json({ error: 'no contract' }, 500);
			const explorerUrl = 'javascript:alert(1)';
			return abi.startsWith('symbol')
				? json({ status: 'SUCCESS', response: `T${address.slice(-2)}`, explorerUrl })
				: failed('no name');
		};
		const entries = await listed(own({ allowedContracts: contracts.join('\n') }));
		expect(entries).toHaveLength(20);
		const names = entries.map(({ name }) => name);
		expect(names).toContain('T12 (0x1212…1212)');
		expect(names.join()).not.toContain('T11');
		expect(entries.slice(1).map(({ url }) => url)).toEqual(Array(19).fill(undefined));
		// Each token takes three reads of facts, one of a name in 32 bytes, and two to find its kind because it has no
		// decimals; one token, another of a symbol in 32 bytes.
		const reads = service().requests.filter(({ path }) => path === READ);
		expect(reads).toHaveLength(20 * (3 + 1 + 2) + 1);
		for (const one of service().requests) expect(one.authorization).toBe('Bearer secret-token');
	});
});
