import { Contract, formatUnits } from 'ethers';
import { userPath, useService } from '../support/sandbox/service.mts';

const sandbox = useService();

test('the native balance is keyed by its symbol, with decimals as a number and no token address', async () => {
	const { as, user, chain } = sandbox();
	const rahul = user('Rahul Sen');
	const onChain = await chain.getBalance(rahul.address);
	const { status, data } = await as('Nelly').get(userPath(rahul, '/balance'));
	expect(status).toBe(200);
	expect(data).toEqual({
		ETH: {
			balance: onChain.toString(),
			balanceBn: { type: 'BigNumber', hex: expect.any(String) },
			formatted: formatUnits(onChain, 18),
			decimals: 18,
			symbol: 'ETH',
			name: 'Ether',
			tokenAddress: null,
			network: 'sandbox',
			chainId: 31337,
		},
	});
	expect(BigInt(data.ETH.balanceBn.hex)).toBe(onChain);
	// Written in whole bytes, as ethers v5 does.
	expect(data.ETH.balanceBn.hex.length % 2).toBe(0);
});

describe.each([
	['usd', '6', 'SUSD', 'Sandbox Dollar'],
	['gold', '18', 'SGLD', 'Sandbox Gold'],
] as const)('the balance of %s', (token, decimals, symbol, name) => {
	test('is keyed by the lower-case address, with decimals as a string', async () => {
		const { as, user, chain, contracts } = sandbox();
		const nelly = user('Nelly');
		const address = contracts[token];
		const contract = new Contract(
			address,
			['function balanceOf(address) view returns (uint256)'],
			chain,
		);
		const onChain: bigint = await contract.getFunction('balanceOf')(nelly.address);
		const { status, data } = await as('Nelly').get(userPath(nelly, `/balance/${address}`));
		expect(status).toBe(200);
		expect(Object.keys(data)).toEqual([address.toLowerCase()]);
		expect(data[address.toLowerCase()]).toEqual({
			balance: onChain.toString(),
			balanceBn: { type: 'BigNumber', hex: expect.any(String) },
			formatted: formatUnits(onChain, Number(decimals)),
			decimals,
			symbol,
			name,
			tokenAddress: address,
			network: 'sandbox',
			chainId: 31337,
		});
		expect(BigInt(data[address.toLowerCase()].balanceBn.hex)).toBe(onChain);
	});
});

test('the token address comes back in the letter case of the caller', async () => {
	const { as, user, contracts } = sandbox();
	const lower = contracts.usd.toLowerCase();
	const upper = `0x${lower.slice(2).toUpperCase()}`;
	for (const written of [lower, upper, contracts.usd]) {
		const { data } = await as('Nelly').get(userPath(user('Nelly'), `/balance/${written}`));
		expect(data[lower].tokenAddress).toBe(written);
	}
});

test('a wallet without tokens has a balance of zero', async () => {
	const { as, user, contracts } = sandbox();
	const path = userPath(user('newcomer'), `/balance/${contracts.usd}`);
	const { data } = await as('Nelly').get(path);
	expect(Object.values(data)).toMatchObject([
		{ balance: '0', balanceBn: { hex: '0x00' }, formatted: '0.0' },
	]);
});

test('an ERC-721 collection counts pieces', async () => {
	const { as, user, contracts } = sandbox();
	const path = userPath(user('StormRider'), `/balance/${contracts.art}`);
	const { data } = await as('Nelly').get(path);
	expect(Object.values(data)).toMatchObject([{ balance: '1', decimals: '0', symbol: 'SART' }]);
});

test.each(['items', 'payouts'] as const)('%s has no balances, which is a 404', async (contract) => {
	const { as, user, contracts } = sandbox();
	const path = userPath(user('Nelly'), `/balance/${contracts[contract]}`);
	const { status, data } = await as('Nelly').get(path);
	expect(status).toBe(404);
	expect(data).toMatchObject({ code: 'unknown_token', field: 'tokenAddress' });
});

test('an address that no contract has is a 404', async () => {
	const { as, user } = sandbox();
	const path = userPath(user('Nelly'), `/balance/${user('Nelly').address}`);
	expect((await as('Nelly').get(path)).status).toBe(404);
});

test.each([
	['too short', (address: string) => address.slice(0, -1)],
	['not hexadecimal', (address: string) => `${address.slice(0, -1)}g`],
	['without 0x', (address: string) => address.slice(2)],
	[
		'with a wrong checksum',
		(address: string) => {
			const swapped = (letter: string) =>
				letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
			return `0x${address.slice(2).replace(/[a-f]/i, swapped)}`;
		},
	],
])('a token address %s is a 400 that names the field', async (_what, spoil) => {
	const { as, user, contracts } = sandbox();
	const path = userPath(user('Nelly'), `/balance/${spoil(contracts.usd)}`);
	const { status, data } = await as('Nelly').get(path);
	expect(status).toBe(400);
	expect(data).toMatchObject({ code: 'invalid_request', field: 'tokenAddress' });
});
