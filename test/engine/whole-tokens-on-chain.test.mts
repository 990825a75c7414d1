/** Whole tokens in arguments, counted by contracts on the chain, and found there. */
import { Contract } from 'ethers';

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

test.each([
	['gold', '1.5 SUSD', /"1.5 SUSD" is of another token: .* has the symbol "SGLD"/],
	['art', '5 token', /"5 token" cannot be counted: .* names no decimals/],
	['items', '5 token', /names no decimals/],
	['shapes', '5 token', /names no decimals/],
] as const)('of %s, %s is refused', async (token, amount, message) => {
	const { error } = await approve(service.contracts[token], amount);
	expect(error?.message).toMatch(message);
});
