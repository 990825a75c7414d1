/** Whole tokens in arguments, counted by contracts on the chain, and found there. */
import { Contract, formatUnits } from 'ethers';

import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { untilMined } from '../support/until.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});

async function approve(contractAddress: string, amount: string) {
	return await engine.run({
		parameters: {
			resource: 'contract',
			operation: 'write',
			contractAddress,
			functionSource: 'commonFunction',
			writeFunction: 'ERC-20 approve(address,uint256)',
			arguments: {
				mappingMode: 'defineBelow',
				value: { 'spender (address)': service.user('Rahul Sen').id, 'amount (uint256)': amount },
			},
		},
		credential: service.credential(),
	});
}

test.each([
	['usd', '1.5 token', 1_500_000n],
	['usd', '2.5 SUSD', 2_500_000n],
	['gold', '1.5 SGLD', 1_500_000_000_000_000_000n],
] as const)('of %s, %s is %s', async (token, amount, baseUnits) => {
	const address = service.contracts[token];
	const { items, error } = await approve(address, amount);
	expect(error).toBeUndefined();
	expect(items[0]?.json.summary).toContain(amount.replace('token', 'SUSD'));
	await untilMined(service.chain, String(items[0]?.json.hash));
	const abi = ['function allowance(address,address) view returns (uint256)'];
	const allowance: unknown = await new Contract(address, abi, service.chain)
		.getFunction('allowance')
		.staticCall(service.user('Nelly').address, service.user('Rahul Sen').address);
	expect(allowance).toBe(baseUnits);
});

describe('a read by what it does', () => {
	const read = async (contractAddress: string, readFunction: string) =>
		await engine.run({
			parameters: {
				...{ resource: 'contract', operation: 'read', contractAddress, readFunction },
				...{ argumentsMode: 'json', args: '={{ $json.of }}' },
			},
			items: [{ of: [service.user('Nelly').id] }, { of: [service.user('Rahul Sen').id] }],
			credential: service.credential(),
		});

	test.each(['usd', 'gold'] as const)('gives amounts of %s, and asks once', async (token) => {
		const address = service.contracts[token];
		await service.faults.reset();
		const { items } = await read(address, 'ERC-20 balanceOf(address)');
		expect(
			(await service.faults.requests()).filter(({ path }) => path.endsWith('/read')),
		).toHaveLength(4);
		const abi = [
			'function balanceOf(address) view returns (uint256)',
			'function decimals() view returns (uint8)',
			'function symbol() view returns (string)',
		];
		const contract = new Contract(address, abi, service.chain);
		const [decimals, symbol] = await Promise.all([contract.decimals?.(), contract.symbol?.()]);
		for (const [index, name] of (['Nelly', 'Rahul Sen'] as const).entries()) {
			const balance = await contract.balanceOf?.(service.user(name).address);
			const amount = formatUnits(balance, decimals).replace(/\.0$/, '');
			expect(items[index]?.json).toMatchObject({ value: String(balance), amount, symbol });
		}
	});

	test.each(['ERC-20 balanceOf(address)', 'ERC-721 balanceOf(address)'])(
		'gives the number of NFTs as it is: %s',
		async (readFunction) => {
			const { items } = await read(service.contracts.art, readFunction);
			expect(items[0]?.json).toHaveProperty('value');
			expect(items[0]?.json).not.toHaveProperty('amount');
			expect(items[0]?.json).not.toHaveProperty('symbol');
		},
	);
});

test.each([
	['gold', '1.5 SUSD', /"1.5 SUSD" is of another token: .* has the symbol "SGLD"/],
	['art', '5 token', /"5 token" cannot be counted: .* names no decimals/],
	['items', '5 token', /names no decimals/],
	['shapes', '5 token', /names no decimals/],
] as const)('of %s, %s is refused', async (token, amount, message) => {
	const { error } = await approve(service.contracts[token], amount);
	expect(error?.message).toMatch(message);
});
