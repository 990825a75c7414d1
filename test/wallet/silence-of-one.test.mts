/** What one of two endpoints says while the other one refuses to answer: no absence, and no amount, is told as a fact. */
import axios from 'axios';
import { id, Interface, toBeHex, toQuantity } from 'ethers';
import { RpcClient } from '../../service/src/rpc/client.mts';
import { cleaned } from '../../service/src/rpc/words.mts';
import { LEDGER } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { payloadOf } from './support/payment.mts';
import type { Lie } from './support/scripted-endpoint.mts';
import { ANNA, COIN, scriptedIndex } from './support/scripted-index.mts';
import { installScripted, TOKEN, type ScriptedOptions } from './support/scripted-service.mts';
import { transferCall, transferLog } from './support/scripted-transfer.mts';

const RECIPIENT = `0x${'be'.repeat(20)}`;
const OTHER_BLOCK = `0x${'cd'.repeat(32)}`;
/** The key of a stranger. */
const KEY = `0x${'57'.repeat(32)}`;
const SYMBOL = id('symbol()').slice(0, 10);
const UNAVAILABLE = { status: 424, data: { code: 'chain_unavailable' } };

const coder = new Interface(['error Error(string)']);
const reasonOf = (text: string) => coder.encodeErrorResult('Error', [text]);
const fieldsOf = (value: unknown): Record<string, unknown> => Object(value);

/** Refuses for the moment. */
const REFUSED: Lie = () => ({ error: { code: -32005, message: 'limit exceeded' } });

/** The honest answer, with other fields. */
const bent =
	(fields: object): Lie =>
	(_request, truth) => {
		const { result } = fieldsOf(truth());
		return { result: result && { ...fieldsOf(result), ...fields } };
	};

/** Lies only about the newest or the final block. */
const about =
	(tag: string, lie: Lie): Lie =>
	(request, truth) =>
		request.params[0] === tag ? lie(request, truth) : truth();

async function startTwo(resources: Resources, options: ScriptedOptions = {}) {
	const scripted = await installScripted(resources, options);
	await scripted.start();
	const [liar, honest] = scripted.endpoints;
	if (!liar || !honest) throw new Error('There are not two endpoints');
	const call = { address: LEDGER, abi: 'pay(bytes32)', args: [payloadOf(1)] };
	return {
		...scripted,
		liar,
		honest,
		look: async (hash: string) => fieldsOf((await scripted.get(`/transactions/${hash}`)).data),
		pay: async () => await scripted.put('order', call),
		balance: async () => await scripted.get(`/users/${scripted.payers[0]?.id}/balance/${TOKEN}`),
		async page(hash: string) {
			const url = `${scripted.run().url}/explorer/tx/${hash}`;
			const { status, data } = await axios.get(url, { validateStatus: () => true });
			return { status, text: JSON.stringify(data) };
		},
	};
}

test('transfers whose decimals one endpoint says are marked, and not listed once they are final', async () => {
	await using resources = new Resources();
	const { chain, liar, honest, look, page } = await startTwo(resources);
	const hash = chain.signElsewhere(KEY, { to: TOKEN, data: transferCall(RECIPIENT, 5_000_000n) });
	chain.mine();
	liar.lie('eth_call', () => ({ result: toBeHex(0, 32) }));
	honest.lie('eth_call', REFUSED);
	const note = expect.stringContaining('certain');
	expect(await look(hash)).toMatchObject({ final: false, transfers: [{}], note });
	expect((await page(hash)).text).toContain('certain');
	chain.mine(20);
	await until(async () => (await look(hash)).final === true);
	expect(await look(hash)).toMatchObject({ transfers: [], note });
	for (const endpoint of [liar, honest]) endpoint.becomeHonest();
	await until(async () => !('note' in (await look(hash))));
	expect(await look(hash)).toMatchObject({ transfers: [{ amount: { formatted: 5 } }] });
});

test('the page of a transaction tells no outcome, no block and no absence that too few endpoints report', async () => {
	await using resources = new Resources();
	const { chain, endpoints, liar, honest, page } = await startTwo(resources);
	const hash = chain.signElsewhere(KEY);
	chain.mine();
	for (const endpoint of endpoints) {
		endpoint.lie('eth_getTransactionReceipt', bent({ blockNumber: '0x7ffffff0' }));
		expect((await page(hash)).text).not.toContain('2147483632');
		endpoint.becomeHonest();
	}
	for (const endpoint of endpoints) {
		endpoint.lie('eth_getTransactionReceipt', () => ({ result: null }));
	}
	const { text } = await page(hash);
	expect(text).toContain('pending, or no endpoint has its receipt');
	liar.lie('eth_getTransactionByHash', () => ({ result: null }));
	honest.isDead = true;
	expect((await page(hash)).status).toBe(424);
});

test('a write is not refused because one endpoint lacks the contract, or has small blocks', async () => {
	await using resources = new Resources();
	const { liar, honest, balance, pay } = await startTwo(resources);
	liar.lie('eth_getCode', () => ({ result: '0x' }));
	honest.lie('eth_getCode', REFUSED);
	expect(await pay()).toMatchObject(UNAVAILABLE);
	liar.lie('eth_call', () => ({ result: '0x' }));
	honest.lie('eth_call', REFUSED);
	expect(await balance()).toMatchObject(UNAVAILABLE);
	for (const endpoint of [liar, honest]) endpoint.becomeHonest();
	liar.lie('eth_getBlockByNumber', bent({ gasLimit: '0x5208' }));
	honest.lie('eth_getBlockByNumber', about('latest', REFUSED));
	expect(await pay()).toMatchObject(UNAVAILABLE);
});

test('a write is not refused for its gas by the words of one endpoint', async () => {
	await using resources = new Resources();
	const { liar, honest, pay } = await startTwo(resources);
	const message = 'gas required exceeds allowance (30000)';
	liar.lie('eth_estimateGas', () => ({ error: { code: -32000, message } }));
	honest.lie('eth_estimateGas', REFUSED);
	expect(await pay()).toMatchObject(UNAVAILABLE);
});

test('why a call would revert is not told while the endpoints disagree about it', async () => {
	await using resources = new Resources();
	const { chain, liar, post, pay } = await startTwo(resources);
	chain.reverts = () => reasonOf('Paused');
	const data = reasonOf('Already paid twice');
	for (const method of ['eth_estimateGas', 'eth_call']) {
		liar.lie(method, () => ({ error: { code: 3, message: 'execution reverted', data } }));
	}
	const error = expect.stringContaining('disagree');
	expect((await pay()).data).toMatchObject({ status: 'FAILED', error });
	const call = { address: LEDGER, abi: 'pay(bytes32)', args: [payloadOf(1)] };
	chain.answerCall(LEDGER, id('pay(bytes32)').slice(0, 10), () => '0x');
	liar.becomeHonest();
	expect((await pay()).data).toMatchObject({ status: 'FAILED', error: 'Paused' });
	expect(await post('/contracts/method/read', call)).toMatchObject({ status: 200 });
});

test('a symbol that the endpoints refuse for a moment is asked for again', async () => {
	await using resources = new Resources();
	const { endpoints, balance } = await startTwo(resources);
	for (const endpoint of endpoints) {
		endpoint.lie('eth_call', (request, truth) =>
			JSON.stringify(request.params).includes(SYMBOL) ? REFUSED(request, truth) : truth(),
		);
	}
	expect((await balance()).data).toMatchObject({ [TOKEN]: { symbol: '', formatted: '1000.0' } });
	for (const endpoint of endpoints) endpoint.becomeHonest();
	await until(async () => fieldsOf(fieldsOf((await balance()).data)[TOKEN]).symbol === 'USDX');
});

test('the block that one endpoint calls final while the other one does not say it is not final', async () => {
	await using resources = new Resources();
	const { chain, liar, honest, look } = await startTwo(resources, { depth: 2 });
	chain.finalLag = 20;
	const hash = chain.signElsewhere(KEY);
	chain.mine(6);
	expect(await look(hash)).toMatchObject({ final: false });
	const number = toQuantity(chain.head);
	const invented: Lie = () => ({ result: { number, hash: OTHER_BLOCK } });
	liar.lie('eth_getBlockByNumber', about('finalized', invented));
	honest.lie('eth_getBlockByNumber', about('finalized', REFUSED));
	expect(await look(hash)).toMatchObject({ final: false });
	for (const endpoint of [liar, honest]) endpoint.becomeHonest();
	chain.mine(20);
	await until(async () => (await look(hash)).final === true);
});

test('no endpoint alone puts a transfer of nothing that a stranger made into a history', async () => {
	await using resources = new Resources();
	const { chain, endpoints, listed, read } = await scriptedIndex(resources);
	const [liar, honest] = endpoints;
	await read();
	chain.logsOf = () => [transferLog(COIN, { from: ANNA, to: RECIPIENT, amount: 0n })];
	chain.signElsewhere(KEY, { to: COIN, data: '0x12345678' });
	chain.mine(30);
	const method = 'eth_getTransactionByBlockHashAndIndex';
	liar?.lie(method, bent({ from: ANNA.toLowerCase() }));
	honest?.lie(method, REFUSED);
	await read();
	expect(await listed()).toEqual([]);
});

test('no part of a key is left where the words of an endpoint are cut', () => {
	const key = 'abcdefghijklmnopqrstuvwxyz0123456789';
	const urls = [`https://rpc.example/v2/${key}`];
	for (let spaces = 2_900; spaces < 3_100; spaces++) {
		expect(cleaned(`${' '.repeat(spaces)}key ${key} is used up`, urls)).not.toContain('abc');
	}
});

test('a balance that does not suffice is not told exactly while the endpoints disagree about it', async () => {
	await using resources = new Resources();
	const { chain, liar, payers, put } = await startTwo(resources);
	chain.fund(payers[0]?.address ?? '', 5n);
	liar.lie('eth_getBalance', () => ({ result: '0x64' }));
	const abi = 'function pay(bytes32) payable';
	const paying = { address: LEDGER, abi, args: [payloadOf(1)], value: String(10n ** 18n) };
	const refused = async (call: object) => fieldsOf((await put('order', call)).data).error;
	expect(await refused(paying)).toContain('your current balance of at most 100');
	const free = { address: LEDGER, abi, args: [payloadOf(1)] };
	expect(await refused(free)).toMatch(
		/lacks at least \d+ wei for gas: its balance is at most 100$/,
	);
	liar.becomeHonest();
	expect(await refused(paying)).toMatch(/your current balance of 5$/);
});

test('a key in the host of a URL is neither in the name of the endpoint nor in its words', () => {
	const key = '0123456789abcdef0123456789abcdef';
	const url = `https://${key}.eth.rpc.example/`;
	expect(new RpcClient(url, 1).name).toBe('….eth.rpc.example');
	expect(cleaned(`the key ${key} is used up`, [url])).toBe('the key … is used up');
	expect(new RpcClient('https://ethereum-mainnet.rpc.example:8545/', 1).name).toBe(
		'ethereum-mainnet.rpc.example:8545',
	);
});
