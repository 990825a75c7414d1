/** The totals of a history of 10,000 transfers, which the service lists in pages: those of the chain. */
import { formatUnits, Interface } from 'ethers';

import { useService } from '../support/sandbox/service.mts';
import { until } from '../support/until.mts';
import { useNode } from './support/use-node.mts';

const node = useNode(useService());

/** Transactions, and transfers in each. */
const [TRANSACTIONS, EACH] = [20, 500];
const PAGE = 100;

const FUNCTIONS = new Interface([
	'function mint(address to, uint256 amount)',
	'function approve(address spender, uint256 amount)',
	'function payEach(address token, address[] recipients, uint256 amount)',
]);

/** Lets a wallet that is none of the service pay somebody 10,000 times. */
async function payOften(to: string): Promise<void> {
	const { chain, contracts } = node.service;
	const from = `0x${'5e'.repeat(20)}`;
	const call = async (contract: string, name: string, args: unknown[]) => {
		const data = FUNCTIONS.encodeFunctionData(name, args);
		return String(await chain.send('eth_sendTransaction', [{ from, to: contract, data }]));
	};
	await chain.send('anvil_setBalance', [from, `0x${(10n ** 20n).toString(16)}`]);
	await chain.send('anvil_impersonateAccount', [from]);
	await call(contracts.usd, 'mint', [from, 10n ** 12n]);
	await call(contracts.usd, 'approve', [contracts.payouts, 10n ** 12n]);
	const recipients = Array<string>(EACH).fill(to);
	let last = '';
	for (let amount = 1; amount <= TRANSACTIONS; amount++) {
		last = await call(contracts.payouts, 'payEach', [contracts.usd, recipients, amount]);
	}
	await until(async () => (await chain.getTransactionReceipt(last)) !== null);
}

test('the totals of 10,000 transfers are those of the chain, and all pages were read', async () => {
	const { chain, contracts, faults, user } = node.service;
	const { address, id: userId } = user('Nelly');
	await payOften(address);
	const usd = contracts.usd.toLowerCase();
	const transfers = (await chain.transfers(address)).filter((one) => one.tokenAddress === usd);
	expect(transfers.length).toBeGreaterThan(TRANSACTIONS * EACH);
	const before = await faults.requestsFor(`/v1/users/${userId}/history`);
	const list = { resource: 'history', operation: 'list', returned: 'totals', userId };
	const { items, run, error } = await node.run(list);
	expect(error).toBeUndefined();
	for (const direction of ['received', 'sent']) {
		const own = transfers.filter(({ to }) => (to === address) === (direction === 'received'));
		const sum = own.reduce((total, { value }) => total + BigInt(value), 0n);
		const amount = formatUnits(sum, 6).replace(/\.0$/, '');
		const found = items.find(
			({ json }) => json.tokenAddress === usd && json.direction === direction,
		);
		expect(found?.json).toMatchObject({ amount, count: own.length });
	}
	expect(items.filter(({ json }) => 'warning' in json)).toEqual([]);
	expect(run.data.resultData.runData['Wallet Service']?.[0]?.hints ?? []).toEqual([]);
	const pages = (await faults.requestsFor(`/v1/users/${userId}/history`)) - before;
	expect(pages).toBeGreaterThanOrEqual((TRANSACTIONS * EACH) / PAGE);
});
