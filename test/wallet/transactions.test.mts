/** What becomes of transactions on a chain that reorganises, as the service reports it. */
import axios from 'axios';
import { Interface, toQuantity, ZeroAddress } from 'ethers';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { lookFor } from '../../service/src/writes/inclusion.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { LEDGER } from '../../tools/wallet/network.mts';
import { startEndpoint } from './support/endpoint.mts';
import { useInstallation } from './support/network-and-service.mts';
import { NEVER, startOrders } from './support/orders.mts';

const installed = useInstallation('sqlite', NEVER);
const standard = new Interface([
	'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
	'error Unheard(uint256 of)',
]);

const STRANGER = `0x${'57'.repeat(20)}`;
const EMPTY = { transactions: [] };
const OTHER_HASH = `0x${'0b'.repeat(32)}`;
const ANY_STATUS = { validateStatus: () => true };
const methodNotFound = { error: { code: -32601, message: 'Method not found' } };
let number = 0;

/** A service with one order that is in no block yet. @param treat as for `startOrders` */
async function running(resources: Resources, treat?: Parameters<typeof startOrders>[3]) {
	const orders = await startOrders(resources, installed(), {}, treat);
	number += 1;
	const { hash = '' } = await orders.order(number);
	return { ...orders, hash, look: async () => await orders.look(hash) };
}

test('final is what lies deep enough, and below the block that the chain calls final', async () => {
	await using resources = new Resources();
	const { hash, look, mine } = await running(resources);
	expect(await look()).toMatchObject({ status: 'PENDING', confirmations: 0, final: false });
	await mine(20);
	await until(async () => (await look()).status === 'SUCCESS');
	await mine(1);
	const mined = await look();
	expect(mined).toMatchObject({ minedHash: hash, confirmations: 21, final: false });
	// The chain calls the block final that lies 64 below its newest.
	await mine(64);
	await until(async () => (await look()).final === true);
	expect(await look()).toMatchObject({ status: 'SUCCESS', finalAt: expect.any(String) });
});

test('a chain without the tag is final at its depth', async () => {
	await using resources = new Resources();
	const { look, mine } = await running(resources, ({ params }) => {
		return params[0] === 'finalized' ? methodNotFound : undefined;
	});
	await mine(20);
	await until(async () => (await look()).final === true);
});

test('a transaction that a reorganisation undoes is pending, and is sent again', async () => {
	await using resources = new Resources();
	const { hash, look, mine, provider } = await running(resources);
	await mine(2);
	await until(async () => (await look()).status === 'SUCCESS');
	await provider.send('anvil_reorg', [2, []]);
	await provider.send('anvil_dropTransaction', [hash]);
	await until(async () => (await look()).status === 'PENDING');
	await until(async () => (await provider.getTransaction(hash)) !== null);
	await mine(1);
	await until(async () => (await look()).status === 'SUCCESS');
	expect(await look()).toMatchObject({ minedHash: hash, confirmations: 1 });
});

test('one of two endpoints undoes nothing: what they disagree about is in doubt, which readiness reports', async () => {
	await using resources = new Resources();
	const { rpcUrl, provider } = installed().network;
	let isElsewhere = false;
	const other = await resources.use(
		startEndpoint(rpcUrl, ({ method, params }) => {
			if (!isElsewhere || method !== 'eth_getBlockByNumber') return undefined;
			return provider.send(method, params).then((block) => {
				return { result: block && { ...block, ...EMPTY, hash: OTHER_HASH } };
			});
		}),
	);
	const orders = await startOrders(resources, installed(), { RPC_URL: `${other.url},${rpcUrl}` });
	number += 1;
	const { hash } = await orders.order(number);
	const look = async () => await orders.look(hash);
	await orders.mine(2);
	await until(async () => (await look()).status === 'SUCCESS');
	const mined = await look();
	isElsewhere = true;
	await until(async () => (await look()).status === 'PENDING');
	const note = expect.stringContaining(`It was in block ${mined.blockNumber}; `);
	expect(await look()).toMatchObject({ note });
	const readyz = async () => await axios.get(`${orders.service.url}/readyz`, ANY_STATUS);
	await until(async () => JSON.stringify((await readyz()).data).includes('It was in block'));
	isElsewhere = false;
	await until(async () => (await look()).status === 'SUCCESS');
	expect(await look()).toEqual(mined);
	await until(async () => !JSON.stringify((await readyz()).data).includes('It was in block'));
});

test('endpoints that have not come as far as a block say nothing about what is in it', async () => {
	await using resources = new Resources();
	let seen: number | undefined;
	const { provider } = installed().network;
	const { look, mine } = await running(resources, ({ method, params: [of, ...others] }) => {
		if (seen === undefined) return undefined;
		if (method === 'eth_blockNumber') return { result: toQuantity(seen) };
		if (/^eth_getTransaction(Receipt|ByHash)$/.test(method)) return { result: null };
		if (method !== 'eth_getBlockByNumber') return undefined;
		if (Number(of) > seen) return { result: null };
		const known = of === 'latest' ? toQuantity(seen) : of;
		return provider.send(method, [known, ...others]).then((result) => ({ result }));
	});
	const before = await provider.getBlockNumber();
	await mine(3);
	await until(async () => (await look()).status === 'SUCCESS');
	const mined = await look();
	seen = before;
	await until(async () => (await look()).status === 'PENDING');
	const note = expect.stringContaining(`It was in block ${mined.blockNumber}; `);
	expect(await look()).toMatchObject({ status: 'PENDING', confirmations: 0, final: false, note });
	seen = undefined;
	await until(async () => (await look()).status === 'SUCCESS');
	expect(await look()).toEqual(mined);
});

test('a chain that was set back gets the transaction again, which is then in an earlier block', async () => {
	await using resources = new Resources();
	const { hash, look, mine, provider } = await running(resources);
	const before = await provider.getBlockNumber();
	const snapshot = await provider.send('evm_snapshot', []);
	const isInPool = async () => (await provider.getTransaction(hash)) !== null;
	await provider.send('anvil_dropTransaction', [hash]);
	await mine(3);
	await until(isInPool);
	await mine(1);
	await until(async () => (await look()).blockNumber === before + 4);
	await provider.send('evm_revert', [snapshot]);
	await until(async () => (await look()).status === 'PENDING');
	await until(isInPool);
	await mine(1);
	await until(async () => (await look()).blockNumber === before + 1);
	expect(await look()).toMatchObject({ status: 'SUCCESS', minedHash: hash, confirmations: 1 });
});

test('a transaction is known as long as an endpoint shows its receipt', async () => {
	await using resources = new Resources();
	const { rpcUrl, provider } = installed().network;
	const endpoint = await resources.use(
		startEndpoint(rpcUrl, ({ method, params }) => {
			if (method === 'eth_getTransactionByHash') return { result: null };
			if (method !== 'eth_getBlockByNumber') return undefined;
			return provider.send(method, params).then((block) => ({ result: { ...block, ...EMPTY } }));
		}),
	);
	await provider.send('anvil_setBalance', [STRANGER, toQuantity(10n ** 18n)]);
	await provider.send('anvil_impersonateAccount', [STRANGER]);
	const sent = { from: STRANGER, to: ZeroAddress, value: '0x0' };
	const hash = await provider.send('eth_sendTransaction', [sent]);
	await provider.send('anvil_mine', ['0x1']);
	const blocks = [await provider.getBlockNumber()];
	const endpoints = await Endpoints.connect([endpoint.url]);
	const known = { inclusion: undefined, knowing: 1, answering: 1, blocks };
	expect(await lookFor(endpoints, hash)).toEqual(known);
});

/** Code that reverts with data. */
const reverting = (data: string): string => {
	const bytes = data.slice(2).match(/../g) ?? [];
	const store = bytes.map((byte, place) => `60${byte}60${place.toString(16).padStart(2, '0')}53`);
	return `0x${store.join('')}60${bytes.length.toString(16).padStart(2, '0')}6000fd`;
};

const insufficient = standard.encodeErrorResult('ERC20InsufficientBalance', [LEDGER, 1n, 2n]);
const unheard = standard.encodeErrorResult('Unheard', [5n]);

describe.each([
	['that trace', undefined],
	['that do not trace', methodNotFound],
])('with endpoints %s', (_name, answer) => {
	test.each([
		[`ERC20 insufficient balance: sender ${LEDGER}, balance 1, needed 2`, insufficient],
		[`The contract reverted with an unknown error: ${unheard}`, unheard],
		['The contract reverted without a reason', '0x'],
	])('the reason of a revert is "%s"', async (reason, data) => {
		await using resources = new Resources();
		const { look, mine, provider } = await running(resources, ({ method }) => {
			return method === 'debug_traceTransaction' ? answer : undefined;
		});
		const code = await provider.getCode(LEDGER);
		await provider.send('anvil_setCode', [LEDGER, reverting(data)]);
		await mine(1);
		await until(async () => (await look()).status === 'REVERTED');
		expect(await look()).toMatchObject({ revertReason: reason, transfers: [], confirmations: 1 });
		await provider.send('anvil_setCode', [LEDGER, code]);
	});
});
