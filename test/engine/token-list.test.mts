/** The list of Token: the tokens of a wallet and of a credential, in the contexts in which n8n fills a form. */
import { getAddress } from 'ethers';
import type { INodeParameters } from 'n8n-workflow';

import { Form, type OpenForm } from './support/form.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let form: Form;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[form, service] = await Promise.all([Form.create(), resources.use(Service.start())]);
});
afterEach(async () => {
	await service.faults.reset();
});

/** Every form that has the parameter. */
const FORMS: readonly [name: string, type: string, parameters: INodeParameters][] = [
	['Balance: Get Token', 'walletService', { resource: 'balance', operation: 'token' }],
	['Token: Send', 'walletService', { resource: 'token', operation: 'send' }],
	['History: Get Many', 'walletService', { resource: 'history', operation: 'list', filters: {} }],
	['the trigger', 'walletServiceTrigger', { event: 'newTransfer', userIds: '' }],
];

const isBalance = ({ resource }: INodeParameters): boolean => resource === 'balance';
const shortly = (address: string) => `(${address.slice(0, 6)}…${address.slice(-4)})`;

const listed = async (open: OpenForm, filter?: string) =>
	(await form.search('getTokens', open, filter)).results;

describe('at the reference service', () => {
	const own = () => ({ walletServiceApi: service.credential() });
	const susd = () => ({
		name: `SUSD - Sandbox Dollar ${shortly(service.contracts.usd)}`,
		value: service.contracts.usd,
		description: service.contracts.usd,
		url: expect.stringContaining(`/explorer/address/${service.contracts.usd}`),
	});

	test.each(FORMS)('%s lists the tokens of the wallet', async (_name, type, parameters) => {
		const entries = await listed({ type, parameters, credentials: own() });
		expect(entries).toContainEqual(susd());
		const { art, items, usd } = service.contracts;
		const history = await service.chain.history(service.user().address);
		const used = history.map(({ tokenAddress }) => getAddress(tokenAddress));
		const latestFirst = [...new Set(used)].filter((one) => one !== items || !isBalance(parameters));
		expect(entries.map(({ value }) => value)).toEqual(latestFirst);
		const nameOf = (token: string) => entries.find(({ value }) => value === token)?.name;
		expect(nameOf(art)).toBe(`SART - Sandbox Art (NFT) ${shortly(art)}`);
		const ofItems = isBalance(parameters) ? undefined : `Unnamed items ${shortly(items)}`;
		expect(nameOf(items)).toBe(ofItems);
		// Decimal places say that it is an ERC-20 token.
		const requests = await service.faults.requests();
		expect(requests.filter(({ path }) => path.endsWith('/history'))).toHaveLength(1);
		expect(JSON.stringify(requests)).not.toContain(`"address":"${usd}"`);
	});

	test.each<[string, (contracts: Service['contracts']) => string]>([
		['in lower case', ({ usd }) => usd.toLowerCase()],
		['with white space', ({ usd }) => ` ${usd}\n`],
		['in a page of an explorer', ({ usd }) => `https://e.example/token/${usd}`],
	])('an address that is pasted %s is looked up, by nobody too', async (_name, paste) => {
		const walletServiceApi = { ...service.credential(), userId: '' };
		const credentials = { walletServiceApi };
		const found = await listed({ parameters: {}, credentials }, paste(service.contracts));
		expect(found).toEqual([susd()]);
		expect((await fetch(String(found[0]?.url))).status).toBe(200);
	});

	test('what is pasted and holds no balance, or is no token, is said in words', async () => {
		const { art, items, shapes } = service.contracts;
		const open = (parameters: INodeParameters) => ({ parameters, credentials: own() });
		const balance = open({ resource: 'balance', operation: 'token' });
		expect((await listed(balance, art))[0]?.name).toMatch(/^SART - Sandbox Art \(NFT\) /);
		expect((await listed(open({}), items))[0]?.name).toMatch(/^Unnamed items /);
		await expect(listed(balance, items)).rejects.toThrow(/^There is no token with a balance at 0x/);
		await expect(listed(open({}), shapes)).rejects.toThrow(/^There is no token at 0x.*\. Check/);
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
			[`SUSD - Sandbox Dollar ${shortly(usd)}`, usd],
			[`SGLD - Sandbox Gold ${shortly(gold)}`, gold],
		]);
		expect(entries[0]?.url).toContain(usd);
		for (const { path } of await service.faults.requests()) expect(path).toMatch(/\/read$/);
	});

	test('an unreadable list of allowed contracts keeps nobody from looking', async () => {
		const credentials = { walletServiceApi: { ...service.credential(), allowedContracts: 'SUSD' } };
		expect(await listed({ parameters: {}, credentials })).toContainEqual(susd());
	});

	test('a wallet without transfers is told what to do', async () => {
		const credentials = { walletServiceApi: service.credential('newcomer') };
		await expect(listed({ parameters: {}, credentials })).rejects.toThrow(
			"No tokens in this wallet's recent transfers. Choose Address and paste the token's address",
		);
	});

	test('an unknown user is said in words', async () => {
		const parameters = { resource: 'balance', userId: 'GOOGLE-404' };
		await expect(listed({ parameters, credentials: own() })).rejects.toThrow(/GOOGLE\u2011404/);
	});
});
