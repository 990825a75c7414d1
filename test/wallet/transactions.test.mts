/** What becomes of transactions on a chain that reorganises, as the service reports it. */
import { Interface } from 'ethers';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { LEDGER } from '../../tools/wallet/network.mts';
import type { RpcRequest } from './support/endpoint.mts';
import { useInstallation } from './support/network-and-service.mts';
import { NEVER, startOrders } from './support/orders.mts';

const installed = useInstallation('sqlite', NEVER);
const standard = new Interface([
	'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
	'error Unheard(uint256 of)',
]);

const methodNotFound = { error: { code: -32601, message: 'Method not found' } };
let number = 0;

/** A service with one order that is in no block yet. @param treat as for `startOrders` */
async function running(resources: Resources, treat?: (request: RpcRequest) => object | undefined) {
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
