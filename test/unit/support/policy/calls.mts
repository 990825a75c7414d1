/** Tables of calls that move tokens, and a policy's verdict on a call. */
import { encodeArguments } from '../../../../nodes/WalletService/contract/arguments.ts';
import type { CheckedCall } from '../../../../nodes/WalletService/contract/call.ts';
import { checkedCall } from '../../../../nodes/WalletService/contract/call.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import { InvalidInputError } from '../../../../nodes/WalletService/values/invalid-input.ts';
import type { PolicyLookUps } from '../../../../nodes/WalletService/writes/policy/policy-facts.ts';
import {
	assertAllowed,
	lookUpForPolicy,
} from '../../../../nodes/WalletService/writes/policy/policy.ts';
import { resolveBy } from '../contract/resolve.mts';

export const [TOKEN, OTHER, ME, BOB, EVE] = ['a0', 'b0', 'c1', 'b2', 'e5'].map(
	(two) => `0x${two.repeat(20)}`,
) as [...[string, string, string, string, string]];
export const UNIT = 10n ** 255n;
const S32 = `0x${'11'.repeat(32)}`;

/** A credential as the form stores it, without any limit. */
export const open = {
	allowWrites: true,
	allowedContracts: '',
	allowedFunctions: '',
	allowedRecipients: '',
	amountLimits: '',
	maxValuePerCall: '',
	maxValuePerExecution: '',
};

const PERMIT = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)';
const AUTHORIZED =
	'WithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)';
const ONE_KIND = 'safeTransferFrom(address,address,uint256,uint256,bytes)';
const KINDS = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';

type Arguments = (to: string, amount: string) => unknown[];

/** Functions that move or approve tokens: an ERC-20 amount in base units, `one` ERC-721 NFT, or `many` of ERC-1155. */
export const MOVERS: readonly [types: string, args: Arguments, counts?: 'one' | 'many'][] = [
	['transfer(address,uint256)', (to, amount) => [to, amount]],
	['transferFrom(address,address,uint256)', (to, amount) => [ME, to, amount]],
	['approve(address,uint256)', (to, amount) => [to, amount]],
	['increaseAllowance(address,uint256)', (to, amount) => [to, amount]],
	['increaseApproval(address,uint256)', (to, amount) => [to, amount]],
	['approveAndCall(address,uint256)', (to, amount) => [to, amount]],
	['approveAndCall(address,uint256,bytes)', (to, amount) => [to, amount, '0x']],
	[PERMIT, (to, amount) => [ME, to, amount, '1', '27', S32, S32]],
	['permit(address,address,uint256,uint256,bytes)', (to, amount) => [ME, to, amount, '1', S32]],
	['approveDelegation(address,uint256)', (to, amount) => [to, amount]],
	[
		PERMIT.replace('permit', 'delegationWithSig'),
		(to, amount) => [ME, to, amount, '1', '27', S32, S32],
	],
	[`approve${AUTHORIZED}`, (to, amount) => [ME, to, amount, '0', '1', S32, '27', S32, S32]],
	['transferAndCall(address,uint256)', (to, amount) => [to, amount]],
	['transferAndCall(address,uint256,bytes)', (to, amount) => [to, amount, '0x']],
	['transferFromAndCall(address,address,uint256)', (to, amount) => [ME, to, amount]],
	['transferFromAndCall(address,address,uint256,bytes)', (to, amount) => [ME, to, amount, '0x']],
	['send(address,uint256,bytes)', (to, amount) => [to, amount, '0x']],
	['safeTransferFrom(address,address,uint256)', (to, amount) => [ME, to, amount], 'one'],
	['safeTransferFrom(address,address,uint256,bytes)', (to, id) => [ME, to, id, '0x'], 'one'],
	[ONE_KIND, (to, amount) => [ME, to, '7', amount, '0x'], 'many'],
	[KINDS, (to, amount) => [ME, to, ['1', '2'], [amount, '1'], '0x'], 'many'],
];
export const FOR_ALL = 'setApprovalForAll(address,bool)';
export const PERMIT2 = 'approve(address,address,uint160,uint48)';
const OF_DAI = 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)';
export const byDai = (to: string, allowed: unknown) =>
	[OF_DAI, [ME, to, '1', '0', allowed, '27', S32, S32]] as const;

/** Functions that the policy does not recognize as token transfers or approvals, although some resemble them. */
export const STRANGERS: readonly [signature: string, args: unknown[]][] = [
	['Transfer(address,uint256)', [BOB, '1']],
	['transfer(address,uint128)', [BOB, '1']],
	['transfer(address,uint256,bytes)', [BOB, '1', '0x']],
	['transfer((address,uint256))', [[BOB, '1']]],
	['transfer((address,uint256)[])', [[[BOB, '1']]]],
	['transfer(address[],uint256[])', [[BOB], ['1']]],
	['burn(uint256)', ['1']],
	['mint(address,uint256)', [BOB, '1']],
	['multicall(bytes[])', [['0xa9059cbb']]],
	['execute(address,uint256,bytes)', [BOB, '1', '0x']],
	['balanceOf(address)', [BOB]],
	['allowance(address,address)', [BOB, BOB]],
];

/** Parameter names in an ABI: none, neutral ones and misleading ones. */
export const NAMED = [
	() => '',
	(index: number) => ` p${index}`,
	(index: number) => ` ${['tokenId', 'amount', 'to', 'from', 'spender', 'value', 'id'][index]}`,
];
export const withNames = (types: string, name: (index: number) => string): string => {
	let index = 0;
	return types.replace(/[\w[\]]+(?=[,)])/g, (type) => `${type}${name(index++)}`);
};

export interface Case {
	readonly policy: Record<string, unknown>;
	readonly signature: string;
	readonly args: readonly unknown[];
	readonly address?: string;
	readonly value?: string;
	readonly spent?: bigint;
	readonly token?: CheckedCall['token'];
	readonly lookUps?: Partial<PolicyLookUps>;
	/** Words of the expected refusal; absent if the call must pass. */
	readonly rule?: string;
}

const WALLETS: Readonly<Record<string, string>> = { 'DISCORD-1': ME, 'GOOGLE-2': BOB };
const lookUps: PolicyLookUps = {
	wallet: async (user) => await (WALLETS[user] ?? Promise.reject(new Error('unknown'))),
	decimals: async () => await Promise.resolve(6),
	// By default, a contract is what its function says.
	isNft: async () => await Promise.resolve(false),
	isItems: async () => await Promise.resolve(false),
	symbol: async () => await Promise.resolve('SUSD'),
};

async function judge({ policy, signature, args, value, token, ...more }: Case) {
	const { address = TOKEN, spent = 0n } = more;
	const contractFunction = parseSignature(signature);
	const resolve = resolveBy({ addresses: new Map([['GOOGLE-2', BOB]]) });
	const encoded = await encodeArguments(contractFunction, args, 'args', resolve);
	const users = args.flat(9).filter((arg) => arg === 'GOOGLE-2');
	const resolvedAddresses: Record<string, string> = users.length > 0 ? { 'GOOGLE-2': BOB } : {};
	const call = { address, args: encoded, value };
	const checked = checkedCall(contractFunction, 'write', call, { resolvedAddresses, token });
	const before = { value: 0n, tokens: spent };
	const credential = { ...open, ...policy } as never;
	const standard = MOVERS.find(([types]) => types === signature.replace(/ \w+(?=[,)])/g, ''))?.[2];
	const kind = {
		isNft: async () => await Promise.resolve(standard === 'one'),
		isItems: async () => await Promise.resolve(standard === 'many'),
	};
	const asked = () => ({ ...lookUps, ...kind, ...more.lookUps });
	const facts = await lookUpForPolicy(credential, checked, before, asked);
	assertAllowed(credential, checked, before, facts);
}

/** The rule that refuses a case, or the error message if it names no rule; `passed` if the case is allowed. */
export async function ruleOf(one: Case): Promise<string> {
	try {
		await judge(one);
		return 'passed';
	} catch (error) {
		if (!(error instanceof InvalidInputError)) throw error;
		return /rule "([^"]+)"/.exec(error.message)?.[1] ?? error.message;
	}
}
