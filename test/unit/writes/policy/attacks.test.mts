/** Attempts to get around limits on recipients and tokens, each refused by its rule, and ordinary calls that pass. */
import { selector } from '../../../../nodes/WalletService/contract/function.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import type { Case } from '../../support/policy/calls.mts';
import {
	BOB,
	byDai,
	EVE,
	FOR_ALL,
	ME,
	MOVERS,
	NAMED,
	OTHER,
	PERMIT2,
	ruleOf,
	STRANGERS,
	TOKEN,
	UNIT,
	withNames,
} from '../../support/policy/calls.mts';

const RECIPIENTS = { allowedRecipients: `GOOGLE-2\n${ME}` };
const limit = (amount: string) => ({ amountLimits: `${amount} ${TOKEN}` });
const inCapitals = (hex: string) => hex.toUpperCase().replace('0X', '0x');
const giving = (decimals?: number) => ({
	decimals: async () => await Promise.resolve(decimals),
	isNft: async () => await Promise.resolve(false),
});
const failing = async (): Promise<never> => await Promise.reject(new Error('HTTP 500'));
const [BY_RECIPIENT, BY_LIMIT] = ['Allowed Recipients', 'Token Limits per Execution'];

/** Calls to unlisted recipients, by any function in any form. */
function* forStrangers(): Generator<Case> {
	const movers = MOVERS.map(([types, args]) => [types, args(EVE, '1')] as const);
	for (const [signature, args] of [...movers, [FOR_ALL, [EVE, true]] as const]) {
		const code = selector(parseSignature(signature));
		for (const allowedFunctions of ['', signature, code, inCapitals(code)])
			for (const name of NAMED) {
				const policy = { ...RECIPIENTS, allowedFunctions };
				yield { policy, signature: withNames(signature, name), args, rule: BY_RECIPIENT };
			}
		const named = { ...limit('9'), allowedFunctions: signature };
		for (const address of [OTHER, inCapitals(OTHER)])
			yield { policy: named, signature, args, address, rule: BY_LIMIT };
	}
	for (const [signature, args] of STRANGERS) {
		const named = { ...RECIPIENTS, allowedFunctions: 'transfer(address,uint256), 0x095ea7b3' };
		yield { policy: RECIPIENTS, signature, args, rule: BY_RECIPIENT };
		for (const address of [TOKEN, OTHER, inCapitals(OTHER)])
			yield { policy: limit('9'), signature, args, address, rule: BY_LIMIT };
		yield { policy: named, signature, args, rule: 'Allowed Functions' };
	}
	const wallets = [failing, async () => await Promise.resolve(EVE)];
	for (const [signature, args] of MOVERS) {
		const given = { signature, args: args('GOOGLE-2', '1'), rule: BY_RECIPIENT };
		for (const wallet of wallets)
			yield { ...given, policy: { allowedRecipients: 'GOOGLE-2' }, lookUps: { wallet } };
		const paid = { allowedRecipients: BOB, allowedFunctions: signature };
		yield { ...given, policy: paid, args: args(BOB, '1'), value: '1' };
	}
}

/** Calls that exceed a limit, or whose amount is unknown. */
function* forTooMuch(): Generator<Case> {
	const rule = BY_LIMIT;
	for (const [signature, args, counts] of MOVERS) {
		const policy = { ...limit('10'), allowedFunctions: ['', signature] };
		const at = (amount: bigint, spent: bigint, decimals?: number) => ({
			policy,
			signature,
			args: args(BOB, String(amount)),
			spent: spent * UNIT,
			rule,
			lookUps: giving(decimals),
		});
		if (counts === 'one') {
			yield { ...at(3n, 10n), lookUps: {} };
			// In ERC-4524, these functions take amounts.
			yield at(1n, 0n);
			yield { ...at(1n, 0n), lookUps: { isNft: failing } };
		}
		// A batch also moves one token of another kind.
		if (counts === 'many') for (const spent of [0n, 1n, 9n, 10n]) yield at(11n - spent, spent);
		if (counts !== undefined) continue;
		for (const decimals of [1, 2, 6, 8, 18, 27, 36])
			for (const spent of [0n, 1n, 9n, 10n])
				yield at((10n - spent) * 10n ** BigInt(decimals) + 1n, spent, decimals);
		yield at(1n, 0n);
		yield { ...at(1n, 0n), lookUps: { decimals: failing } };
		yield { ...at(1n, 0n), lookUps: { ...giving(), isNft: failing } };
		const token = { address: TOKEN, decimals: 6 };
		for (const decimals of [1, 5, 7, 18, 255]) yield { ...at(1n, 0n, decimals), token };
	}
	yield { policy: limit('9'), signature: FOR_ALL, args: [BOB, true], rule };
	yield { policy: limit('9'), signature: 'authorizeOperator(address)', args: [BOB], rule };
	// An NFT's token ID can be 0, and so can decimals.
	const piece = { policy: limit('0'), lookUps: giving(0), rule };
	yield { ...piece, signature: 'approve(address,uint256)', args: [BOB, '0'] };
	yield { ...piece, signature: 'transferFrom(address,address,uint256)', args: [ME, BOB, '0'] };
}

/** Amounts that never run down, at the edges of what counts as such. */
const ENDLESS = [96n, 112n, 128n, 160n, 200n, 255n, 256n].flatMap((bits) => {
	const most = 2n ** bits - 1n;
	return [most, most - 1n, most - 2n ** (bits - 33n), ...(bits > 128n ? [2n ** (bits - 1n)] : [])];
});

/** Calls that are refused even without any limit. */
function* forAccidents(): Generator<Case> {
	const named = (index: number) => ` ${['tokenId', '_id', 'nftId', 'id'][index] ?? `p${index}`}`;
	for (const [types, args] of MOVERS.slice(2, 10))
		for (const amount of ENDLESS)
			for (const written of [String(amount), `0x${amount.toString(16)}`])
				for (const signature of [types, withNames(types, named)])
					yield { policy: {}, signature, args: args(BOB, written), rule: 'unlimited' };
	for (const amount of ENDLESS.filter((one) => one < 2n ** 160n)) {
		const args = [TOKEN, BOB, String(amount), '9'];
		yield { policy: {}, signature: PERMIT2, args, rule: 'unlimited' };
	}
	for (const allowed of [true, 'true']) {
		const [signature, args] = byDai(BOB, allowed);
		yield { policy: {}, signature, args, rule: 'unlimited' };
	}
	const lookalike = { signature: 'workMyDirefulOwner(uint256,uint256)', args: ['1', '1'] };
	for (const policy of [RECIPIENTS, limit('9'), {}])
		yield { ...lookalike, policy, rule: 'has the selector' };
}

/** Calls that sufficient limits allow. */
function* ordinary(): Generator<Case> {
	const policies = [{}, RECIPIENTS, limit('1000'), { ...RECIPIENTS, ...limit('1000') }];
	for (const [signature, args, counts] of MOVERS)
		for (const policy of policies)
			for (const to of [BOB, inCapitals(BOB), 'GOOGLE-2', ME])
				for (let amount = 1; amount <= 7; amount += 1) {
					const units = counts === undefined ? `${amount}000000` : String(amount);
					yield { policy, signature, args: args(to, units), spent: BigInt(amount) * UNIT };
				}
	for (const [signature, args] of STRANGERS)
		for (const policy of policies) {
			const allowedFunctions = `${signature}; transfer(address,uint256)`;
			yield { policy: { ...policy, allowedFunctions }, signature, args };
		}
	const approve = 'approve(address,uint256)';
	// A call that exactly reaches the limit, and calls that move nothing.
	yield { policy: limit('10'), signature: approve, args: [BOB, '4000000'], spent: 6n * UNIT };
	yield { policy: limit('0'), signature: approve, args: [BOB, '0'] };
	yield { policy: limit('0'), signature: 'decreaseAllowance(address,uint256)', args: [BOB, '5'] };
	yield { policy: limit('0'), signature: FOR_ALL, args: [BOB, false] };
	yield { policy: {}, signature: approve, args: [BOB, 'unlimited'] };
	// Large, but less than a token has: SHIB's supply, 2^96, and not quite the largest integer of 96 bits.
	for (const amount of [10n ** 33n, 2n ** 96n, 2n ** 96n - 2n ** 65n, 2n ** 127n])
		for (const [signature, args] of MOVERS.slice(0, 10))
			yield { policy: {}, signature, args: args(BOB, String(amount)) };
	// An approval taken back, and one that an NFT of the ID 0 could be.
	const back = { ...RECIPIENTS, ...limit('0') };
	const [ofDai, taken] = byDai(EVE, false);
	const given: [string, readonly unknown[]][] = [
		...MOVERS.slice(2, 10).map(([types, args]): [string, unknown[]] => [types, args(EVE, '0')]),
		...[[FOR_ALL, [EVE, false]] as const, [ofDai, taken] as const].map(
			(one): [string, readonly unknown[]] => [...one],
		),
		[PERMIT2, [TOKEN, EVE, '0', '0']],
		['decreaseAllowance(address,uint256)', [EVE, '5']],
		['revokeOperator(address)', [EVE]],
	];
	for (const [signature, args] of given)
		for (const address of [TOKEN, OTHER]) yield { policy: back, signature, args, address };
}

async function wrongOf(cases: readonly Case[]) {
	const wrong = [];
	for (const one of cases) {
		const { rule = 'passed', signature, args, spent = 0n } = one;
		const found = await ruleOf(one);
		if (!found.includes(rule))
			wrong.push({ found, rule, signature, args, spent: String(spent / UNIT) });
	}
	return wrong;
}

test('each of more than 300 attacks is refused, and its rule is named', async () => {
	const cases = [...forStrangers(), ...forTooMuch(), ...forAccidents()];
	expect(cases.length).toBeGreaterThan(300);
	expect(await wrongOf(cases)).toEqual([]);
});

test('each of more than 1000 ordinary calls passes', async () => {
	const cases = [...ordinary()];
	expect(cases.length).toBeGreaterThan(1000);
	expect(await wrongOf(cases)).toEqual([]);
});
