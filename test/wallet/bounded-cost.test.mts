/** What a receipt can make of the cost of a write. */
import { toQuantity, Transaction, Wallet } from 'ethers';
import { boundedCost } from '../../service/src/writes/bounded-cost.mts';

const VALUE = 1_000n;
const DATA_FEE = 500n;
const signer = new Wallet(`0x${'1'.repeat(64)}`);
const HUGE = toQuantity(10n ** 30n);

async function signed(fees: object): Promise<string> {
	const to = signer.address;
	return await signer.signTransaction({ to, value: VALUE, gasLimit: 100n, chainId: 1, ...fees });
}

/** Of value 1,000, up to 100 gas for 10 wei, and a data fee of 500. */
const write = async () => {
	const raw = await signed({ type: 2, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n });
	return { raw, cost: VALUE + 100n * 10n + DATA_FEE };
};

test.each<[string, object, bigint | undefined]>([
	['what it paid', { gasUsed: '0x32', effectiveGasPrice: '0x7' }, 350n],
	[
		'what it paid, with its data',
		{ gasUsed: '0x32', effectiveGasPrice: '0x7', l1Fee: '0x64' },
		450n,
	],
	[
		'less than was reserved for the data',
		{ gasUsed: '0x32', effectiveGasPrice: '0x0', l1Fee: null },
		0n,
	],
	['an odd price', { gasUsed: '0x32', effectiveGasPrice: HUGE }, 500n],
	['odd gas', { gasUsed: HUGE, effectiveGasPrice: '0x7' }, 700n],
	['an odd data fee', { gasUsed: '0x32', effectiveGasPrice: '0x7', l1Fee: HUGE }, 1_500n],
	['all of it odd', { gasUsed: HUGE, effectiveGasPrice: HUGE, l1Fee: HUGE }, 1_500n],
	// celo-org/op-geth#383, METADIUM/go-metadium#105
	['no price', { gasUsed: '0x32', effectiveGasPrice: null }, undefined],
	['a price that cannot be read', { gasUsed: '0x32', effectiveGasPrice: '-0x7' }, undefined],
	[
		'a data fee that cannot be read',
		{ gasUsed: '0x32', effectiveGasPrice: '0x7', l1Fee: '0xNaN' },
		undefined,
	],
	['gas that cannot be read', { effectiveGasPrice: '0x7' }, undefined],
])('%s: %j counts as %s', async (_name, receipt, cost) => {
	expect(boundedCost(await write(), { ...receipt })).toBe(cost);
});

test('without a base fee, the one price is the bound', async () => {
	const raw = await signed({ type: 0, gasPrice: 10n });
	expect(Transaction.from(raw).type).toBe(0);
	const receipt = { gasUsed: '0x64', effectiveGasPrice: HUGE };
	expect(boundedCost({ raw, cost: VALUE + 1_000n }, receipt)).toBe(1_000n);
});
