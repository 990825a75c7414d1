import { Contract, formatUnits } from 'ethers';
import { userPath, useService, type Username } from '../support/sandbox/service.mts';

const sandbox = useService();

/** The service's answer to Nelly about the balance of a user. */
async function balanceOf(username: Username, token = '') {
	const { as, user } = sandbox();
	return await as('Nelly').get(userPath(user(username), `/balance${token && `/${token}`}`));
}

/** An entry of the answer, with the exact amount on the chain. */
function entry(onChain: bigint, decimals: string | number, more: object) {
	return {
		balance: onChain.toString(),
		balanceBn: { type: 'BigNumber', hex: expect.any(String) },
		formatted: formatUnits(onChain, Number(decimals)),
		decimals,
		network: 'sandbox',
		chainId: 31337,
		...more,
	};
}

test('the native balance is keyed by its symbol, with decimals as a number and no token address', async () => {
	const onChain = await sandbox().chain.getBalance(sandbox().user('Rahul Sen').address);
	const { status, data } = await balanceOf('Rahul Sen');
	expect(status).toBe(200);
	const more = { symbol: 'ETH', name: 'Ether', tokenAddress: null };
	expect(data).toEqual({ ETH: entry(onChain, 18, more) });
	expect(BigInt(data.ETH.balanceBn.hex)).toBe(onChain);
	// Whole bytes, as in ethers v5.
	expect(data.ETH.balanceBn.hex.length % 2).toBe(0);
});

test.each([
	['usd', '6', 'SUSD', 'Sandbox Dollar'],
	['gold', '18', 'SGLD', 'Sandbox Gold'],
] as const)(
	'the balance of %s is keyed by the lower-case address, with decimals as a string',
	async (token, decimals, symbol, name) => {
		const { user, chain, contracts } = sandbox();
		const tokenAddress = contracts[token];
		const abi = ['function balanceOf(address) view returns (uint256)'];
		const contract = new Contract(tokenAddress, abi, chain);
		const onChain: bigint = await contract.getFunction('balanceOf')(user('Nelly').address);
		const { status, data } = await balanceOf('Nelly', tokenAddress);
		expect(status).toBe(200);
		const key = tokenAddress.toLowerCase();
		expect(data).toEqual({ [key]: entry(onChain, decimals, { symbol, name, tokenAddress }) });
		expect(BigInt(data[key].balanceBn.hex)).toBe(onChain);
	},
);

test('the token address comes back in the letter case of the caller', async () => {
	const { usd } = sandbox().contracts;
	const lower = usd.toLowerCase();
	for (const written of [lower, `0x${lower.slice(2).toUpperCase()}`, usd]) {
		const { data } = await balanceOf('Nelly', written);
		expect(data[lower].tokenAddress).toBe(written);
	}
});

test('a wallet without tokens has a balance of zero', async () => {
	const { data } = await balanceOf('newcomer', sandbox().contracts.usd);
	expect(Object.values(data)).toMatchObject([
		{ balance: '0', balanceBn: { hex: '0x00' }, formatted: '0.0' },
	]);
});

test('an ERC-721 collection counts pieces', async () => {
	const { data } = await balanceOf('StormRider', sandbox().contracts.art);
	expect(Object.values(data)).toMatchObject([{ balance: '1', decimals: '0', symbol: 'SART' }]);
});

test.each(['items', 'payouts'] as const)('%s has no balances, which is a 404', async (contract) => {
	const { status, data } = await balanceOf('Nelly', sandbox().contracts[contract]);
	expect(status).toBe(404);
	expect(data).toMatchObject({ code: 'unknown_token', field: 'tokenAddress' });
});

test('an address that no contract has is a 404', async () => {
	expect((await balanceOf('Nelly', sandbox().user('Nelly').address)).status).toBe(404);
});

const swapped = (letter: string) =>
	letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();

test.each([
	['too short', (address: string) => address.slice(0, -1)],
	['not hexadecimal', (address: string) => `${address.slice(0, -1)}g`],
	['without 0x', (address: string) => address.slice(2)],
	[
		'with a wrong checksum',
		(address: string) => `0x${address.slice(2).replace(/[a-f]/i, swapped)}`,
	],
])('a token address %s is a 400 that names the field', async (_what, spoil) => {
	const { status, data } = await balanceOf('Nelly', spoil(sandbox().contracts.usd));
	expect(status).toBe(400);
	expect(data).toMatchObject({ code: 'invalid_request', field: 'tokenAddress' });
});
