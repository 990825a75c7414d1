/** What a chain proves about writes, and what it does not: no absence and no single endpoint decides what became of one. */
import { toQuantity } from 'ethers';
import { LEDGER } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { payloadOf } from './support/payment.mts';
import { installScripted, type ScriptedOptions } from './support/scripted-service.mts';

const DEPTH = 6;
const BLOCK_MS = 300;
const FAR = 0x7ffffff0;

/** A running service whose blocks the test makes, with what a caller reads from it. */
async function started(resources: Resources, options: ScriptedOptions = {}) {
	const service = await installScripted(resources, { depth: DEPTH, ...options });
	await service.start();
	const pay = async (number: number): Promise<Record<string, string>> => {
		const body = { address: LEDGER, abi: 'pay(bytes32)', args: [payloadOf(number)] };
		const { data } = await service.put(`order ${number}`, body);
		return Object(data);
	};
	const look = async (hash = ''): Promise<Record<string, unknown>> =>
		Object((await service.get(`/transactions/${hash}`)).data);
	const wallet = async () => await service.db.selectFrom('wallets').selectAll().executeTakeFirst();
	/** Waits until an endpoint was asked again, several times. */
	const untilAsked = async (place = 0, method = 'eth_getTransactionReceipt'): Promise<void> => {
		const asked = () => service.endpoints[place]?.asked.get(method) ?? 0;
		const before = asked();
		await until(async () => asked() > before + 4);
	};
	const untilFinal = async (hash = '') => {
		service.chain.startMining(BLOCK_MS);
		await until(async () => (await look(hash)).final === true);
		service.chain.stopMining();
		return await look(hash);
	};
	return { ...service, pay, look, wallet, untilAsked, untilFinal };
}

test('receipts that come long after the block, from every endpoint, make no write foreign', async () => {
	await using resources = new Resources();
	const { chain, endpoints, pay, look, wallet, untilAsked, untilFinal } = await started(resources);
	const { hash, status } = await pay(1);
	expect(status).toBe('SUCCESS');
	for (const endpoint of endpoints) {
		endpoint.lie('eth_getTransactionReceipt', () => ({ result: null }));
	}
	chain.mine(4 * DEPTH);
	await until(async () => (await look(hash)).minedHash === hash);
	const open = { status: 'PENDING', final: false, note: expect.stringContaining('succeeded') };
	await untilAsked();
	expect(await look(hash)).toMatchObject(open);
	expect(await wallet()).toMatchObject({ state: 'open' });
	for (const endpoint of endpoints) endpoint.becomeHonest();
	expect(await untilFinal(hash)).toMatchObject({ status: 'SUCCESS', final: true });
});

test('a block of the wallet that only one endpoint shows ends no write', async () => {
	await using resources = new Resources();
	const service = await started(resources);
	const { chain, endpoints, payers, pay, look, wallet, untilAsked, untilFinal } = service;
	chain.isHeld = () => true;
	const { hash } = await pay(1);
	const [liar] = endpoints;
	liar?.lie('eth_getTransactionCount', () => ({ result: '0x1' }));
	liar?.lie('eth_getBlockByNumber', ({ params: [, isWhole] }, honest) => {
		const answer = honest();
		if (isWhole !== true || !('result' in answer)) return answer;
		const foreign = { hash: `0x${'fa'.repeat(32)}`, from: payers[0]?.address, nonce: '0x0' };
		return { result: { ...Object(answer.result), transactions: [foreign] } };
	});
	chain.mine(4 * DEPTH);
	await untilAsked(0, 'eth_getBlockByNumber');
	await untilAsked();
	expect(await look(hash)).toMatchObject({ status: 'PENDING', final: false });
	expect(await wallet()).toMatchObject({ state: 'open' });
	liar?.becomeHonest();
	chain.isHeld = () => false;
	expect(await untilFinal(hash)).toMatchObject({ status: 'SUCCESS' });
});

test('a receipt in a block that cannot be is no receipt, and nothing stands behind it', async () => {
	await using resources = new Resources();
	const { chain, endpoints, pay, look, untilAsked, untilFinal } = await started(resources);
	chain.isHeld = () => true;
	const { hash = '' } = await pay(1);
	const [liar] = endpoints;
	const block = { number: toQuantity(FAR), hash: `0x${'fa'.repeat(32)}`, timestamp: '0x1' };
	liar?.lie('eth_getTransactionCount', () => ({ result: '0x1' }));
	liar?.lie('eth_getTransactionReceipt', () => ({
		result: {
			transactionHash: hash,
			blockNumber: block.number,
			blockHash: block.hash,
			status: '0x1',
			logs: [],
		},
	}));
	liar?.lie('eth_getBlockByNumber', ({ params: [number] }, honest) => {
		return number === block.number ? { result: { ...block, transactions: [hash] } } : honest();
	});
	chain.mine();
	await untilAsked();
	expect(await look(hash)).toMatchObject({ status: 'PENDING', confirmations: 0 });
	liar?.becomeHonest();
	chain.isHeld = () => false;
	expect(await untilFinal(hash)).toMatchObject({ status: 'SUCCESS' });
});

test('right after a start one of two endpoints is no quorum', async () => {
	await using resources = new Resources();
	const service = await started(resources);
	const { chain, endpoints, pay, look, untilAsked, untilFinal } = service;
	chain.isHeld = () => true;
	const { hash = '' } = await pay(1);
	await service.stop();
	const [liar, silent] = endpoints;
	if (silent) silent.isDead = true;
	liar?.lie('eth_getTransactionCount', () => ({ result: '0x1' }));
	liar?.lie('eth_getTransactionReceipt', () => {
		const { number, hash: blockHash } = chain.blocks[30] ?? { number: 0, hash: '' };
		const place = { blockNumber: toQuantity(number), blockHash, status: '0x1', logs: [] };
		return { result: { transactionHash: hash, ...place } };
	});
	liar?.lie('eth_getBlockByNumber', (_request, honest) => {
		const answer = honest();
		if (!('result' in answer) || answer.result === null) return answer;
		return { result: { ...Object(answer.result), transactions: [hash] } };
	});
	await service.start();
	await untilAsked(0, 'eth_getBlockByNumber');
	expect((await look(hash)).final).toBe(false);
	if (silent) silent.isDead = false;
	liar?.becomeHonest();
	chain.isHeld = () => false;
	expect(await untilFinal(hash)).toMatchObject({ status: 'SUCCESS', minedHash: hash });
	expect(chain.find(hash)).toBeDefined();
});

test('writes are confirmed though the first endpoint answers by an old state, and it is named', async () => {
	await using resources = new Resources();
	const { chain, endpoints, pay, look } = await started(resources);
	const [old] = endpoints;
	old?.lie('eth_getTransactionCount', ({ params: [, tag] }, honest) => {
		return tag === 'latest' ? { result: '0x0' } : honest();
	});
	old?.lie('eth_getTransactionReceipt', () => ({ result: null }));
	chain.startMining(BLOCK_MS);
	for (let number = 1; number <= 18; number++) {
		const { hash, status } = await pay(number);
		expect(status).toBe('SUCCESS');
		if (number === 18) await until(async () => (await look(hash)).status === 'SUCCESS');
	}
});

test('one answer with far too many transactions closes no wallet, from the only endpoint either', async () => {
	await using resources = new Resources();
	const { chain, endpoints, pay, wallet, untilFinal } = await started(resources, { endpoints: 1 });
	let lies = 0;
	const { hash } = await pay(1);
	endpoints[0]?.lie('eth_getTransactionCount', ({ params: [, tag] }, honest) => {
		if (tag !== 'latest' || lies > 0) return honest();
		lies += 1;
		return { result: toQuantity(1_000_000_001) };
	});
	chain.mine();
	await until(async () => lies > 0);
	expect(await untilFinal(hash)).toMatchObject({ status: 'SUCCESS' });
	expect(await wallet()).toMatchObject({ state: 'open', next_nonce: 1 });
});

test('a write that an older version called replaced is found in its block at the start', async () => {
	await using resources = new Resources();
	const service = await started(resources);
	const { db, chain, pay, look, wallet, untilFinal } = service;
	const { hash } = await pay(1);
	chain.mine(3);
	await service.stop();
	const reason = 'Another program signed the transaction 0 of the wallet';
	const unknown = { mined_hash: null, block_number: null, block_hash: null, status: null };
	await db
		.updateTable('writes')
		.set({ ...unknown, state: 'foreign', final_at: new Date().toISOString() })
		.execute();
	await db.updateTable('wallets').set({ state: 'closed', closed_reason: reason }).execute();
	await service.start();
	await until(async () => (await look(hash)).status === 'SUCCESS');
	expect(await untilFinal(hash)).toMatchObject({ status: 'SUCCESS' });
	expect(await wallet()).toMatchObject({ state: 'open' });
	expect(await pay(2)).toMatchObject({ status: 'SUCCESS' });
});
