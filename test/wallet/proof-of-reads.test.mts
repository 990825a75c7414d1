/** What a chain proves about tokens and balances: a refusal is the endpoint's word, and one endpoint of two decides nothing. */
import { setTimeout } from 'node:timers/promises';
import { id, toBeHex } from 'ethers';
import { LEDGER } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { ScriptedChain } from './support/scripted-chain.mts';
import { COIN, installScripted, TOKEN, type ScriptedOptions } from './support/scripted-service.mts';

const DECIMALS = id('decimals()').slice(0, 10);
const KEY = 'https://rpc.example/v2/4f3c9a17b2e84d60';

async function started(resources: Resources, options: ScriptedOptions = {}) {
	const service = await installScripted(resources, options);
	await service.start();
	const user = service.payers[0]?.id;
	const balance = async () => await service.get(`/users/${user}/balance/${TOKEN}`);
	const coin = async () => await service.get(`/users/${user}/balance`);
	return { ...service, balance, coin };
}

const isDecimals = (params: unknown[]) => JSON.stringify(params).includes(DECIMALS);

test.each([
	{ code: 429, message: 'Too Many Requests' },
	{ code: -32005, message: 'daily request count exceeded' },
	{ code: -32000, message: 'header not found' },
	{ code: -32603, message: 'Internal error' },
	{ code: -32603, message: 'Internal JSON-RPC error.', data: {} },
	{ code: -32000, message: 'out of gas' },
	{ code: -32000, message: 'missing trie node' },
])('$code $message is not what a token says about its decimals', async (error) => {
	await using resources = new Resources();
	const { endpoints, balance } = await started(resources);
	for (const endpoint of endpoints) {
		endpoint.lie('eth_call', ({ params }, honest) => (isDecimals(params) ? { error } : honest()));
	}
	expect(await balance()).toMatchObject({ status: 424, data: { code: 'chain_unavailable' } });
	for (const endpoint of endpoints) endpoint.becomeHonest();
	expect((await balance()).data).toMatchObject({ [TOKEN]: { formatted: '1000.0', decimals: '6' } });
});

test.each([
	['a number', { result: toBeHex(0, 32) }],
	['nothing', { result: '0x' }],
	['a revert', { error: { code: 3, message: 'execution reverted', data: '0x' } }],
])('%s from one of two endpoints does not decide the decimals', async (_what, answer) => {
	await using resources = new Resources();
	const { endpoints, balance } = await started(resources);
	endpoints[0]?.lie('eth_call', ({ params }, honest) => (isDecimals(params) ? answer : honest()));
	expect(await balance()).toMatchObject({ status: 424 });
	endpoints[0]?.becomeHonest();
	expect((await balance()).data).toMatchObject({ [TOKEN]: { formatted: '1000.0' } });
});

test('a token without decimals that both endpoints call so has none', async () => {
	await using resources = new Resources();
	const { endpoints, balance } = await started(resources);
	const error = { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' };
	for (const endpoint of endpoints) {
		endpoint.lie('eth_call', ({ params }, honest) => (isDecimals(params) ? { error } : honest()));
	}
	expect((await balance()).data).toMatchObject({ [TOKEN]: { decimals: '0' } });
});

test('a balance from an endpoint that answers for another chain is not the balance', async () => {
	await using resources = new Resources();
	const { chain, endpoints, coin } = await started(resources);
	const before = (await coin()).data;
	const [moved] = endpoints;
	if (!moved) throw new Error('There is no endpoint');
	moved.chain = new ScriptedChain({ chainId: 5, blocks: 500 });
	await until(async () => (moved.asked.get('eth_chainId') ?? 0) > 1);
	expect((await coin()).data).toEqual(before);
	moved.chain = chain;
	expect((await coin()).data).toEqual(before);
});

test("an endpoint's key does not leave the service, whatever is asked", async () => {
	await using resources = new Resources();
	const { endpoints, put, get, payers } = await started(resources);
	const error = { code: -32000, message: `invalid project: ${KEY}`, data: { url: KEY } };
	for (const endpoint of endpoints) {
		for (const method of ['eth_estimateGas', 'eth_call', 'eth_getBalance', 'eth_getLogs']) {
			endpoint.lie(method, () => ({ error }));
		}
	}
	const body = { address: LEDGER, abi: 'pay(bytes32)', args: [`0x${'1'.repeat(64)}`] };
	const user = payers[0]?.id;
	const answers = [
		await put('order', body),
		await get(`/users/${user}/balance`),
		await get(`/users/${user}/balance/${TOKEN}`),
	];
	for (const { status, data } of answers) {
		expect(status).toBe(424);
		expect(JSON.stringify(data)).not.toMatch(/4f3c9a17|rpc\.example/);
	}
});

test('an endpoint that answers late does not make the other one look old, to decide alone', async () => {
	await using resources = new Resources();
	const { chain, endpoints, put, get, coin } = await started(resources);
	const [late] = endpoints;
	chain.isHeld = () => true;
	const body = { address: LEDGER, abi: 'pay(bytes32)', args: [`0x${'1'.repeat(64)}`] };
	const { hash } = Object((await put('order', body)).data);
	const honest = Object((await coin()).data)[COIN];
	late?.lie('eth_getBalance', () => ({ result: '0x1' }));
	let isAsked = false;
	late?.lie('eth_getTransactionCount', async ({ params: [, tag] }, answer) => {
		if (tag !== 'latest' || isAsked) return answer();
		isAsked = true;
		// The other one has answered: the block comes after that.
		await setTimeout(100);
		chain.isHeld = () => false;
		chain.startMining(100);
		await until(async () => (await coin()).status === 424);
		return answer();
	});
	await until(async () => Object((await get(`/transactions/${hash}`)).data).status === 'SUCCESS');
	expect(await coin()).toMatchObject({ status: 424 });
	late?.becomeHonest();
	await until(async () => (await coin()).status === 200);
	expect(Object((await coin()).data)[COIN].balance).not.toBe(honest.balance);
});
