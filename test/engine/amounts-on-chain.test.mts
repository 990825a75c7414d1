/** Amounts as they arrive on the chain: native coin in whole coins or with a unit, and whole tokens in arguments. */
import { Contract, formatUnits } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { untilMined } from '../support/until.mts';
import { useService } from '../support/sandbox/service.mts';
import { storeCall } from './support/contract-calls.mts';
import { useNode } from './support/use-node.mts';

const node = useNode(useService());

describe('the native coin of a write', () => {
	const pay = (nativeCoin: unknown, changes: IDataObject = {}): IDataObject => ({
		...storeCall(node.service.contracts.shapes, { args: '[]', abi: 'pay() payable', ...changes }),
		options: { nativeCoin } as IDataObject,
	});

	async function valueOf(parameters: IDataObject): Promise<bigint | undefined> {
		const { items, error } = await node.run(parameters);
		expect(error).toBeUndefined();
		return (await node.service.chain.getTransaction(String(items[0]?.json.hash)))?.value;
	}

	const byAbi = {
		...{ functionSource: 'contractAbi', abi: undefined },
		...{ contractAbi: 'function pay() payable', contractFunction: 'pay()' },
	};

	// All other forms, and all other refusals, are in test/unit/values/amount.
	test.each<[given: unknown, wei: bigint, changes?: IDataObject]>([
		['7 wei', 7n],
		['0.000000000000000001', 1n],
		['0.1', 10n ** 17n],
		[' 0.25 ether', 25n * 10n ** 16n],
		[2, 2n * 10n ** 18n],
		['={{ "3" }} wei', 3n],
		// The signature need not contain "payable".
		['12 wei', 12n, { abi: 'pay()' }],
		['13 wei', 13n, byAbi],
	])('given as %p is sent exactly', async (...[given, wei, changes]) => {
		expect(await valueOf(pay(given, changes))).toBe(wei);
	});

	test.each([
		['0,5', /"0,5" has a comma/],
		['', /The amount is missing/],
		['={{ $json.missing }} wei', /is not an amount/],
		[`1${'0'.repeat(60)}`, /more than a contract can receive/],
	])('given as %p is never rounded or guessed', async (given, message) => {
		const { error } = await node.run(pay(given));
		expect(error?.message).toMatch(message);
		expect(error?.message).toMatch(/native ?coin/i);
		expect(await node.service.faults.requests()).toEqual([]);
	});

	test('is not sent with a function of a token standard, whose form does not show it', async () => {
		const { contracts, user } = node.service;
		const approve = {
			...{ contractAddress: contracts.usd, functionSource: 'commonFunction', abi: undefined },
			writeFunction: 'ERC-20 approve(address,uint256)',
			args: JSON.stringify([user('Rahul Sen').address, '1']),
		};
		expect(await valueOf(pay('1 wei', approve))).toBe(0n);
	});
});

describe('whole tokens in an argument', () => {
	const approve = async (contractAddress: string, amount: string) =>
		await node.run({
			...{ resource: 'contract', operation: 'write', contractAddress },
			...{ functionSource: 'commonFunction', writeFunction: 'ERC-20 approve(address,uint256)' },
			arguments: {
				mappingMode: 'defineBelow',
				value: {
					'spender (address)': node.service.user('Rahul Sen').id,
					'amount (uint256)': amount,
				},
			},
		});

	test.each([
		['usd', '1.5 token', 1_500_000n],
		['usd', '2.5 SUSD', 2_500_000n],
		['gold', '1.5 SGLD', 1_500_000_000_000_000_000n],
	] as const)('of %s, %s is %s', async (token, amount, baseUnits) => {
		const { chain, contracts, user } = node.service;
		const { items, error } = await approve(contracts[token], amount);
		expect(error).toBeUndefined();
		expect(items[0]?.json.summary).toContain(amount.replace('token', 'SUSD'));
		await untilMined(chain, String(items[0]?.json.hash));
		const abi = ['function allowance(address,address) view returns (uint256)'];
		const allowance: unknown = await new Contract(contracts[token], abi, chain)
			.getFunction('allowance')
			.staticCall(user('Nelly').address, user('Rahul Sen').address);
		expect(allowance).toBe(baseUnits);
	});
});

describe('a read by a common function', () => {
	const read = async (contractAddress: string, readFunction: string) => {
		const { user } = node.service;
		const parameters = {
			...{ resource: 'contract', operation: 'read', contractAddress, readFunction },
			...{ argumentsMode: 'json', args: '={{ $json.of }}' },
		};
		const items = [{ of: [user('Nelly').id] }, { of: [user('Rahul Sen').id] }];
		return (await node.run(parameters, { items })).items.map(({ json }) => json);
	};

	test.each(['usd', 'gold'] as const)(
		'outputs amounts of %s, and requests the facts once',
		async (token) => {
			const { chain, contracts, faults, user } = node.service;
			const items = await read(contracts[token], 'ERC-20 balanceOf(address)');
			const asked = (await faults.requests()).filter(({ path }) => path.endsWith('/read'));
			expect(asked).toHaveLength(4);
			const abi = [
				'function balanceOf(address) view returns (uint256)',
				'function decimals() view returns (uint8)',
				'function symbol() view returns (string)',
			];
			const contract = new Contract(contracts[token], abi, chain);
			const [decimals, symbol] = await Promise.all([contract.decimals?.(), contract.symbol?.()]);
			for (const [index, name] of (['Nelly', 'Rahul Sen'] as const).entries()) {
				const balance = await contract.balanceOf?.(user(name).address);
				const amount = formatUnits(balance, decimals).replace(/\.0$/, '');
				expect(items[index]).toMatchObject({ value: String(balance), amount, symbol });
			}
		},
	);

	test.each(['ERC-20 balanceOf(address)', 'ERC-721 balanceOf(address)'])(
		'outputs the number of NFTs unchanged: %s',
		async (readFunction) => {
			const [item] = await read(node.service.contracts.art, readFunction);
			expect(item).toHaveProperty('value');
			expect(item).not.toHaveProperty('amount');
			expect(item).not.toHaveProperty('symbol');
		},
	);
});
