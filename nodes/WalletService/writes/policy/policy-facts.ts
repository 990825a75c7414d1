import type { CheckedCall } from '../../contract/call';
import type { TokenMove } from '../../contract/token-moves';
import { ServiceError } from '../../request/failure/service-error';
import { isZeroAddress } from '../../values/address';
import { InvalidInputError } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { settle } from '../../values/settle';
import { userInWords } from '../../values/user-id';
import type { SpendingPolicy } from './read-policy';
import { TOKEN_PLACES, TOKENS } from './read-policy';

/** The look-ups of a policy, made again for each attempt of a write. */
export interface PolicyLookUps {
	/** @param isShared whether an answer from earlier in the run will do. @throws if the look-up fails */
	wallet(userId: string, isShared?: boolean): Promise<string>;
	/** Looks up a token's decimals; `undefined` if it reports none. @throws if the look-up fails */
	decimals(token: string): Promise<number | undefined>;
	/** Whether a contract reports support for ERC-721 only. @throws if the look-up fails */
	isNft(token: string): Promise<boolean>;
	/** Whether a contract reports support for ERC-1155 only. @throws if the look-up fails */
	isItems(token: string): Promise<boolean>;
	/** Looks up the symbol of a token, for display only. */
	symbol(token: string): Promise<unknown>;
}

/** The facts looked up for one attempt. A missing fact forbids the write if the policy needs it. */
export interface PolicyFacts {
	/** Lower-case wallet addresses by user ID, for users in *Allowed Recipients*. */
	readonly wallets: ReadonlyMap<string, string>;
	/** Whether the call certainly only takes an approval back. */
	readonly takesBack?: boolean;
	/** Amount of the token that the call moves, with `TOKEN_PLACES` decimal places; absent if no limit applies to it. */
	readonly tokens?: bigint;
	readonly symbol?: unknown;
}

/** Display name of the limit on receivers. */
export const RECIPIENTS = 'Allowed Recipients';

/**
 * Refuses a write that a rule forbids.
 *
 * @throws InvalidInputError always
 * @example forbid('Allow Writes', 'writes are switched off') // throws InvalidInputError
 */
export function forbid(rule: string, message: string): never {
	throw new InvalidInputError({
		code: 'policy-refused',
		message: `Refused by the spending limits of the credential, rule "${rule}": ${message}`,
		hint: 'Nothing was sent. The owner of the credential can change this limit',
	});
}

export interface Judged {
	readonly policy: SpendingPolicy;
	readonly checked: CheckedCall;
	readonly move: TokenMove | undefined;
	/** The called contract, in lower case. */
	readonly contract: string;
	/** The token that the call moves, if any, in lower case. */
	readonly token: string;
	readonly value: bigint;
	/** The called function by its types and selector. */
	readonly called: string;
	/** Whether *Allowed Functions* lists it. */
	readonly isNamed: boolean;
}

/** Returns the receivers of tokens or native coin that are not allowed recipients. */
function unlisted(
	{ policy, move, contract, value }: Judged,
	{ wallets, takesBack = false }: PolicyFacts,
): string[] {
	if (policy.recipients.length === 0) return [];
	const listed = policy.recipients.map((entry) => wallets.get(entry) ?? entry);
	const isPaid = value > 0n && !policy.contracts.includes(contract);
	const party = move && !takesBack ? [move.party.toLowerCase()] : [];
	return [...party, ...(isPaid ? [contract] : [])].filter((one) => !listed.includes(one));
}

/** The user of the call who has the wallet; the address alone if a listed user had it before. */
function receiverInWords({ policy, checked }: Judged, wallet: string): string {
	const { resolvedAddresses, userNames = {} } = checked;
	const [user = wallet] =
		Object.entries(resolvedAddresses).find(([, one]) => one.toLowerCase() === wallet) ?? [];
	return policy.recipients.includes(user) ? wallet : userInWords(user, wallet, userNames[user]);
}

/**
 * The receiver of tokens or native coin who is not an allowed recipient, as a reason; `undefined` if all are allowed.
 *
 * @example
 * const policy = { recipients: ['0xab'], contracts: [] };
 * const judged = { policy, checked: { resolvedAddresses: {} }, move: { party: '0xcd' }, value: 0n };
 * unlistedInWords(judged, { wallets: new Map() }) // '0xcd is not in the list'
 */
export function unlistedInWords(judged: Judged, facts: PolicyFacts): string | undefined {
	const [receiver] = unlisted(judged, facts);
	if (receiver === undefined) return undefined;
	const isParty = receiver === judged.move?.party.toLowerCase();
	const isNot = `would receive ${judged.value} wei and is neither in the list nor in Allowed Contracts`;
	return `${receiverInWords(judged, receiver)} ${isParty ? 'is not in the list' : isNot}`;
}

/** Waits for a look-up. Its failure is one of the service, and prevents the write. */
async function found<T>(rule: string, what: string, asking: Promise<T>): Promise<T> {
	return await asking.catch((reason: unknown) => {
		const why = reason instanceof Error ? reason.message : String(reason);
		const message = `${what} cannot be looked up: ${why}`;
		if (!(reason instanceof ServiceError)) return forbid(rule, message);
		throw reason.with({
			message: `The spending limits of the credential could not be checked, rule "${rule}": ${message}`,
			hint: `Nothing was sent. ${reason.details.hint}`,
			state: 'refused',
		});
	});
}

/**
 * Looks up the wallets of listed users that receive something, among the users of the call or else among all. Answers from
 * earlier in the run only show whose wallet to look up again.
 */
async function walletsOf(
	judged: Judged,
	takesBack: boolean,
	lookUps: () => PolicyLookUps,
): Promise<PolicyFacts['wallets']> {
	const wallets = new Map<string, string>();
	const missing = () => unlisted(judged, { wallets, takesBack });
	const look = async (user: string, isShared = false): Promise<string> => {
		const asking = lookUps().wallet(user, isShared);
		return (await found(RECIPIENTS, `the user ${quote(user)}`, asking)).toLowerCase();
	};
	const users = judged.policy.recipients.filter((entry) => !entry.startsWith('0x'));
	const isMeant = (user: string) => Object.hasOwn(judged.checked.resolvedAddresses, user);
	for (const some of [users.filter(isMeant), users]) {
		if (missing().length === 0) break;
		const known = await Promise.all(some.map(async (user) => await settle(look(user, true))));
		for (const [index, user] of some.entries()) {
			const result = known[index];
			const isMissing = result?.status === 'fulfilled' && missing().includes(result.value);
			if (isMissing) wallets.set(user, await look(user));
		}
		const failed = known.find((one) => one.status === 'rejected');
		if (failed !== undefined && missing().length > 0 && some === users) throw failed.reason;
	}
	return wallets;
}

/** Returns whether a call that a limit could forbid certainly only takes an approval back. */
async function takesBackOf(
	{ policy, move, token }: Judged,
	lookUps: () => PolicyLookUps,
): Promise<boolean> {
	const isLimited = policy.recipients.length + policy.tokenLimits.size > 0;
	if (!isLimited || move?.takesBack !== true) return false;
	if (!move.isShared || isZeroAddress(move.party)) return true;
	const rule = policy.recipients.length > 0 ? RECIPIENTS : TOKENS;
	// `approve(spender, 0)` of an NFT approves the one with the ID 0.
	if (await found(rule, `the standard of ${token}`, lookUps().isNft(token))) return false;
	return ((await found(rule, `the decimals of ${token}`, lookUps().decimals(token))) ?? 0) > 0;
}

/** Returns how much of its token a call moves, with `TOKEN_PLACES` decimal places; `undefined` if no limit counts it. */
async function movedTokens(
	{ policy, checked, move, contract, token }: Judged,
	lookUps: () => PolicyLookUps,
): Promise<bigint | undefined> {
	if (move === undefined || !policy.tokenLimits.has(token)) return undefined;
	if (move.amounts.length === 0) return 0n;
	const { standard, isShared } = move;
	const total = move.amounts.reduce((sum, amount) => sum + amount, 0n);
	const whole = 10n ** BigInt(TOKEN_PLACES);
	const no = (name: string): never =>
		forbid(TOKENS, `${token} does not report support for ${name}, so the amount is unknown`);
	const isOf = async (kind: 'isItems' | 'isNft'): Promise<boolean> =>
		await found(TOKENS, `the standard of ${token}`, lookUps()[kind](token));
	if (standard === 'erc1155') return (await isOf('isItems')) ? total * whole : no('ERC-1155');
	const isNft = await isOf('isNft');
	if (isNft && standard === 'erc721') return whole;
	// Some ERC-20 tokens have functions with the same selectors, which move amounts (ERC-4524).
	if (standard === 'erc721') return no('ERC-721');
	const what = `the decimals of ${token}`;
	const decimals = await found(TOKENS, what, lookUps().decimals(token));
	if (isNft && (decimals ?? 0) === 0) return whole;
	if (decimals === undefined) forbid(TOKENS, `${what} cannot be read, so the amount is unknown`);
	const before = (contract === token ? checked.token?.decimals : undefined) ?? decimals;
	if (before !== decimals) forbid(TOKENS, `${what} have changed from ${before} to ${decimals}`);
	const units = total * 10n ** BigInt(TOKEN_PLACES - decimals);
	// An NFT counts as 1 at least: its ID can be 0, and its contract may also have tokens with decimals.
	return (isNft || (isShared && decimals === 0)) && units < whole ? whole : units;
}

/**
 * Looks up the facts that a policy needs for one attempt.
 *
 * @throws InvalidInputError if an amount or recipient is forbidden or unknown, ServiceError if a look-up fails.
 * @example const { wallets, tokens } = await lookUpFacts(judged, () => lookUps);
 */
export async function lookUpFacts(
	judged: Judged,
	lookUps: () => PolicyLookUps,
): Promise<PolicyFacts> {
	const takesBack = await takesBackOf(judged, lookUps);
	const wallets = await walletsOf(judged, takesBack, lookUps);
	const refusal = unlistedInWords(judged, { wallets, takesBack });
	if (refusal !== undefined) forbid(RECIPIENTS, refusal);
	return { wallets, takesBack, tokens: takesBack ? undefined : await movedTokens(judged, lookUps) };
}
