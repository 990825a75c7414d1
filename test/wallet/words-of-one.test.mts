/** What one of two endpoints says alone: it is marked as not certain, or not told. */
import axios from 'axios';
import { Interface, toBeHex, toQuantity } from 'ethers';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { Balances } from '../../service/src/operation/balances.mts';
import { LEDGER } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { payloadOf } from './support/payment.mts';
import type { Lie } from './support/scripted-endpoint.mts';
import { installScripted, TOKEN, type ScriptedOptions } from './support/scripted-service.mts';

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER_BLOCK = `0x${'cd'.repeat(32)}`;
const RECIPIENT = `0x${'be'.repeat(20)}`;
const LONG_AGO = 1_000_000_000;
const NOT_CERTAIN = expect.stringContaining('certain');

/** The key of a stranger. */
const KEY = `0x${'57'.repeat(32)}`;

const coder = new Interface([
	'error Error(string)',
	'function transfer(address to, uint256 amount)',
]);
const reasonOf = (text: string) => coder.encodeErrorResult('Error', [text]);
const TRANSFER = coder.encodeFunctionData('transfer', [RECIPIENT, 5_000_000]);

const fieldsOf = (value: unknown): Record<string, unknown> => Object(value);

/** A service over two endpoints, the first of which is to lie. */
async function startTwo(resources: Resources, options: ScriptedOptions = {}) {
	const scripted = await installScripted(resources, options);
	await scripted.start();
	const [liar, honest] = scripted.endpoints;
	if (!liar || !honest) throw new Error('There are not two endpoints');
	const look = async (hash: unknown) => await scripted.get(`/transactions/${String(hash)}`);
	return {
		...scripted,
		liar,
		honest,
		look,
		/** The answer, once a field of it has a value. */
		async lookUntil(hash: unknown, name: string, value: unknown) {
			await until(async () => fieldsOf((await look(hash)).data)[name] === value);
			return fieldsOf((await look(hash)).data);
		},
		/** Calls the ledger. @returns the hash */
		async pay() {
			const call = { address: LEDGER, abi: 'pay(bytes32)', args: [payloadOf(1)] };
			return fieldsOf((await scripted.put('order', call)).data).hash;
		},
		/** Sends 5 tokens. @returns the hash */
		async send() {
			const args = [RECIPIENT, '5000000'];
			const call = { address: TOKEN, abi: 'transfer(address,uint256)', args };
			return fieldsOf((await scripted.put('order', call)).data).hash;
		},
	};
}

/** A receipt with other fields, also in its logs. */
const bent =
	(fields: object, ofLogs: object): Lie =>
	(_request, truth) => {
		const receipt = fieldsOf(fieldsOf(truth()).result);
		const logs = [receipt.logs].flat().map((log) => ({ ...fieldsOf(log), ...ofLogs }));
		return { result: { ...receipt, ...fields, logs } };
	};

/** A receipt with a thousand times the amount. */
const THOUSANDFOLD = bent({}, { data: toBeHex(5_000_000_000, 32) });

test('that one endpoint does not know a transaction while the other one is silent is no answer', async () => {
	await using resources = new Resources();
	const { honest, look } = await startTwo(resources);
	expect(await look(HASH)).toMatchObject({ status: 404 });
	honest.isDead = true;
	expect(await look(HASH)).toMatchObject({ status: 424, data: { code: 'chain_unavailable' } });
});

test('transfers by the receipt of one endpoint are not certain, and not listed once the write is final', async () => {
	await using resources = new Resources();
	const { chain, liar, honest, look, lookUntil, send } = await startTwo(resources);
	const hash = await send();
	chain.mine();
	await lookUntil(hash, 'status', 'SUCCESS');
	liar.lie('eth_getTransactionReceipt', THOUSANDFOLD);
	honest.lie('eth_getTransactionReceipt', () => ({ result: null }));
	expect((await look(hash)).data).toMatchObject({ final: false, note: NOT_CERTAIN });
	for (const endpoint of [liar, honest]) endpoint.becomeHonest();
	chain.mine(20);
	const amount = { formatted: 5 };
	expect(await lookUntil(hash, 'final', true)).toMatchObject({ transfers: [{ amount }] });
	liar.lie('eth_getTransactionReceipt', THOUSANDFOLD);
	honest.isDead = true;
	const { data } = await look(hash);
	expect(data).toMatchObject({ final: true, transfers: [], note: NOT_CERTAIN });
});

test('what became of the transaction of a stranger by the receipt of one endpoint is not certain', async () => {
	await using resources = new Resources();
	const { chain, liar, honest, look } = await startTwo(resources);
	const hash = chain.signElsewhere(KEY, { to: TOKEN, data: TRANSFER });
	chain.mine(20);
	liar.lie('eth_getTransactionReceipt', bent({ status: '0x0' }, {}));
	honest.lie('eth_getTransactionReceipt', () => ({ result: null }));
	const reverted = { status: 'REVERTED', final: false, note: NOT_CERTAIN };
	expect((await look(hash)).data).toMatchObject(reverted);
	liar.lie('eth_getTransactionReceipt', THOUSANDFOLD);
	const succeeded = { status: 'SUCCESS', final: false, note: NOT_CERTAIN };
	expect((await look(hash)).data).toMatchObject(succeeded);
	for (const endpoint of [liar, honest]) endpoint.becomeHonest();
	const { data } = await look(hash);
	expect(data).toMatchObject({ status: 'SUCCESS', final: true });
	expect(data).not.toHaveProperty('note');
});

test('the time of transfers is that of the block in which the transaction is', async () => {
	await using resources = new Resources();
	const { chain, liar, look, lookUntil, send } = await startTwo(resources);
	const hash = await send();
	chain.mine(20);
	await lookUntil(hash, 'final', true);
	const blockHash = OTHER_BLOCK;
	liar.lie('eth_getTransactionReceipt', bent({ blockHash }, { blockHash }));
	liar.lie('eth_getBlockByHash', ({ params: [block] }, truth) => {
		if (block !== OTHER_BLOCK) return truth();
		return { result: { number: '0x1', hash: block, timestamp: toQuantity(LONG_AGO) } };
	});
	const { minedAt, transfers } = fieldsOf((await look(hash)).data);
	expect(transfers).toMatchObject([{ timestamp: minedAt }]);
});

test('a reason that one endpoint says is marked, not kept, and not told while they disagree', async () => {
	await using resources = new Resources();
	const { chain, liar, honest, look, lookUntil, pay } = await startTwo(resources);
	const hash = await pay();
	chain.reverts = () => reasonOf('Paused');
	liar.lie('eth_call', () => ({
		error: { code: 3, message: 'execution reverted', data: reasonOf('Pay again') },
	}));
	chain.mine(20);
	const told = await lookUntil(hash, 'final', true);
	expect(told).toMatchObject({ status: 'REVERTED' });
	expect(told.revertReason).toContain('disagree');
	honest.lie('eth_call', () => undefined);
	expect((await look(hash)).data).toMatchObject({ revertReason: 'Pay again', note: NOT_CERTAIN });
	for (const endpoint of [liar, honest]) endpoint.becomeHonest();
	const { data } = await look(hash);
	expect(data).toMatchObject({ revertReason: 'Paused' });
	expect(data).not.toHaveProperty('note');
});

test('what a wallet has for gas is unknown, rather than what one endpoint says', async () => {
	await using resources = new Resources();
	const { chain, endpoints, payers } = await installScripted(resources);
	const [liar] = endpoints;
	const { address = '' } = payers[0] ?? {};
	liar?.lie('eth_getBalance', () => ({ result: '0x1' }));
	const asked = await Endpoints.connect(endpoints.map(({ url }) => url));
	const balances = new Balances(asked, 0);
	await balances.refresh([address]);
	expect(balances.of(address)).toBeUndefined();
	liar?.becomeHonest();
	await balances.refresh([address]);
	expect(balances.of(address)).toBe(chain.balanceAt(address));
});

test('the newest final block is not above the one that a second endpoint calls final', async () => {
	await using resources = new Resources();
	const { chain, endpoints } = await installScripted(resources);
	const [liar] = endpoints;
	chain.finalLag = 20;
	liar?.lie('eth_getBlockByNumber', ({ params, ...request }, truth) => {
		if (params[0] !== 'finalized') return truth();
		return { result: { ...request, number: toQuantity(chain.head), hash: OTHER_BLOCK } };
	});
	const asked = await Endpoints.connect(endpoints.map(({ url }) => url));
	expect(await asked.finalBlock(2)).toBe(BigInt(chain.head - 20));
});

test('the page of a transaction that one endpoint invents says that it is not certain', async () => {
	await using resources = new Resources();
	const { chain, liar, run, payers } = await startTwo(resources);
	const sent = chain.signElsewhere(KEY);
	chain.mine();
	const page = async (hash: string) =>
		String((await axios.get(`${run().url}/explorer/tx/${hash}`)).data);
	expect(await page(sent)).not.toContain('certain');
	const content = { from: payers[0]?.address, to: RECIPIENT, value: '0x1', nonce: '0x0' };
	const place = { hash: HASH, transactionHash: HASH, blockHash: OTHER_BLOCK };
	const shown = { ...content, ...place, input: '0x', blockNumber: '0x7ffffff0', status: '0x1' };
	liar.lie('eth_getTransactionByHash', () => ({ result: shown }));
	liar.lie('eth_getTransactionReceipt', () => ({ result: { ...shown, logs: [] } }));
	expect(await page(HASH)).toContain('certain');
});

test('the result of a write by the receipt of one endpoint is not certain, and compared again', async () => {
	await using resources = new Resources();
	const { chain, liar, honest, look, lookUntil, pay } = await startTwo(resources);
	const hash = await pay();
	liar.lie('eth_getTransactionReceipt', bent({ status: '0x0' }, {}));
	honest.lie('eth_getTransactionReceipt', () => ({ result: null }));
	chain.mine(2);
	const told = await lookUntil(hash, 'status', 'REVERTED');
	expect(told).toMatchObject({ final: false, note: NOT_CERTAIN });
	honest.becomeHonest();
	expect((await look(hash)).data).toMatchObject({ status: 'PENDING', note: NOT_CERTAIN });
	liar.becomeHonest();
	const { note } = await lookUntil(hash, 'status', 'SUCCESS');
	expect(note).toBeUndefined();
});
