import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { selector } from '../../contract/call';
import { functionKey } from '../../contract/function';
import type { TokenMove } from '../../contract/token-moves';
import { tokenMove } from '../../contract/token-moves';
import { UNIT_DECIMALS } from '../../values/amount';
import { formatUnitsExact } from '../../values/decimal';
import { InvalidInputError } from '../../values/invalid-input';
import { foreignWords, quote } from '../../values/quote';
import type { SpendingPolicy } from './read-policy';
import { readSpendingPolicy, TOKEN_PLACES } from './read-policy';

/** Amounts that an execution has sent with a credential. */
export interface Spent {
	/** Native coin, in wei. */
	readonly value: bigint;
	/** The called token, with `TOKEN_PLACES` decimal places. */
	readonly tokens: bigint;
}

/** The look-ups of a policy, made again for each write. */
export interface PolicyLookUps {
	/** @throws if the user is unknown, or the look-up fails */
	wallet(userId: string): Promise<string>;
	/** Looks up a token's decimals; `undefined` if it reports none. @throws if the look-up fails */
	decimals(token: string): Promise<number | undefined>;
	/** Whether a contract reports support for ERC-721. @throws if the look-up fails */
	isNft(token: string): Promise<boolean>;
	/** Looks up the symbol of a token, for display only. */
	symbol(token: string): Promise<unknown>;
}

/** The facts looked up for one write. A missing fact forbids the write if the policy needs it. */
export interface PolicyFacts {
	/** Lower-case wallet addresses by user ID, for users in *Allowed Recipients*. */
	readonly wallets: ReadonlyMap<string, string>;
	/** Amount of the token that the call moves, with `TOKEN_PLACES` decimal places; absent if no limit applies to it. */
	readonly tokens?: bigint;
	readonly symbol?: unknown;
}

const inEther = (wei: bigint): string =>
	`${formatUnitsExact(wei, UNIT_DECIMALS.ether)} ether (${wei} wei)`;

function forbid(rule: string, message: string): never {
	throw new InvalidInputError({
		code: 'policy-refused',
		message: `Refused by the spending limits of the credential, rule "${rule}": ${message}`,
		hint: 'Nothing was sent. The owner of the credential can change this limit',
	});
}

interface Judged {
	readonly policy: SpendingPolicy;
	readonly checked: CheckedCall;
	readonly move: TokenMove | undefined;
	/** The called contract, in lower case. */
	readonly contract: string;
	readonly value: bigint;
}

function judgedBy(credential: ICredentialDataDecryptedObject, checked: CheckedCall): Judged {
	const { address, value = 0 } = checked.call;
	const policy = readSpendingPolicy(credential);
	const contract = address.toLowerCase();
	return { policy, checked, move: tokenMove(checked), contract, value: BigInt(value) };
}

const RECIPIENTS = 'Allowed Recipients';
const TOKENS = 'Token Limits';

/** Checks the rules that need no look-ups. */
function assertCall({ policy, checked, move, contract, value }: Judged, spent: bigint): void {
	const { contracts, functions, recipients, tokenLimits } = policy;
	const { maxValuePerCall, maxValuePerExecution } = policy;
	if (!policy.allowWrites) forbid('Allow Writes', 'writes are switched off');
	if (contracts.length > 0 && !contracts.includes(contract)) {
		forbid('Allowed Contracts', `${quote(checked.call.address)} is not in the list`);
	}
	const fn = checked.contractFunction;
	const isNamed =
		functions.length > 0 &&
		[functionKey(fn), selector(fn)].some((name) => functions.includes(name));
	const called = (): string => `${functionKey(fn)} (${selector(fn)})`;
	if (functions.length > 0 && !isNamed) {
		forbid('Allowed Functions', `${called()} is not in the list`);
	}
	if (maxValuePerCall !== undefined && value > maxValuePerCall) {
		const message = `the call sends ${inEther(value)}; the limit is ${inEther(maxValuePerCall)}`;
		forbid('Max Native Coin per Call', message);
	}
	if (maxValuePerExecution !== undefined && spent + value > maxValuePerExecution) {
		const message = `this execution has sent ${inEther(spent)} and would send ${inEther(value)} more; the limit is ${inEther(maxValuePerExecution)}`;
		forbid('Max Native Coin per Execution', message);
	}
	const unnamed = 'the function is not in Allowed Functions';
	if (recipients.length > 0 && move === undefined && !isNamed) {
		forbid(RECIPIENTS, `the recipient of ${called()} is unknown, and ${unnamed}`);
	}
	if (tokenLimits.size === 0) return;
	const isListed = tokenLimits.has(contract);
	if (move !== undefined && !isListed) forbid(TOKENS, `the token ${contract} is not in the list`);
	if (isListed && !isNamed && (move === undefined || move.isForAll)) {
		const why = move
			? 'approves every token of the contract'
			: 'could move any amount of the token';
		forbid(TOKENS, `${called()} ${why}, and ${unnamed}`);
	}
}

/** Finds the first receiver of tokens or native coin that is not an allowed recipient. */
function unlisted(judged: Judged, wallets: PolicyFacts['wallets']): string | undefined {
	const { policy, move, contract, value } = judged;
	if (policy.recipients.length === 0) return undefined;
	const listed = policy.recipients.map((entry) => wallets.get(entry) ?? entry);
	const isPaid = value > 0n && !policy.contracts.includes(contract);
	const receivers = [...(move ? [move.party.toLowerCase()] : []), ...(isPaid ? [contract] : [])];
	return receivers.find((receiver) => !listed.includes(receiver));
}

function assertRecipients(judged: Judged, wallets: PolicyFacts['wallets']): void {
	const receiver = unlisted(judged, wallets);
	if (receiver === undefined) return;
	const isParty = receiver === judged.move?.party.toLowerCase();
	const isNot = `would receive ${inEther(judged.value)} and is neither in the list nor in Allowed Contracts`;
	forbid(RECIPIENTS, `${receiver} ${isParty ? 'is not in the list' : isNot}`);
}

function assertTokens(
	{ policy, move, contract }: Judged,
	{ tokens, symbol }: PolicyFacts,
	spent: bigint,
): void {
	const limit = policy.tokenLimits.get(contract);
	if (limit === undefined || move === undefined) return;
	if (tokens === undefined)
		forbid(TOKENS, `the amount of ${contract} that the call moves is unknown`);
	if (spent + tokens <= limit) return;
	const unit = foreignWords(symbol) || 'tokens';
	const amount = (units: bigint): string => `${formatUnitsExact(units, TOKEN_PLACES)} ${unit}`;
	const more = `${amount(tokens)}${spent === 0n ? '' : ' more'}`;
	const message = `this execution has moved or approved ${amount(spent)} (token ${contract}) and would ${move.isApproval ? 'approve' : 'move'} ${more}; the limit is ${amount(limit)}`;
	forbid(TOKENS, message);
}

/**
 * Checks a write against the policy of its credential, rule by rule, before it is sent.
 *
 * @param spent amounts that this execution has already sent with this credential
 * @param facts from `lookUpForPolicy`, for this write
 * @throws InvalidInputError that names the rule, or the field that cannot be read.
 * @example
 * const checked = { call: { address: '0x00', args: [] }, contractFunction: parseSignature('pause()') };
 * assertAllowed({ allowWrites: true }, checked, { value: 0n, tokens: 0n }, { wallets: new Map() }) // throws InvalidInputError
 */
export function assertAllowed(
	credential: ICredentialDataDecryptedObject,
	checked: CheckedCall,
	spent: Spent,
	facts: PolicyFacts,
): void {
	const judged = judgedBy(credential, checked);
	assertCall(judged, spent.value);
	assertRecipients(judged, facts.wallets);
	assertTokens(judged, facts, spent.tokens);
}

/** Waits for a look-up; its failure forbids the write. */
async function found<T>(rule: string, what: string, asking: Promise<T>): Promise<T> {
	return await asking.catch((reason: unknown) => {
		const why = reason instanceof Error ? reason.message : String(reason);
		return forbid(rule, `${what} cannot be looked up: ${why}`);
	});
}

/** Looks up the wallets of listed users until all receivers are found, starting with the users of the call. */
async function walletsOf(
	judged: Judged,
	lookUps: () => PolicyLookUps,
): Promise<PolicyFacts['wallets']> {
	const { policy, checked } = judged;
	const wallets = new Map<string, string>();
	const users = policy.recipients.filter((entry) => !entry.startsWith('0x'));
	const isMeant = (user: string) => Object.hasOwn(checked.resolvedAddresses, user);
	const inOrder = [...users.filter(isMeant), ...users.filter((user) => !isMeant(user))];
	for (const user of inOrder) {
		if (unlisted(judged, wallets) === undefined) break;
		const wallet = await found(RECIPIENTS, `the user ${quote(user)}`, lookUps().wallet(user));
		wallets.set(user, wallet.toLowerCase());
	}
	return wallets;
}

/** Returns how much of its token a call moves, with `TOKEN_PLACES` decimal places; `undefined` if no limit counts it. */
async function tokensOf(
	{ policy, checked, move, contract }: Judged,
	lookUps: () => PolicyLookUps,
): Promise<bigint | undefined> {
	if (move === undefined || !policy.tokenLimits.has(contract)) return undefined;
	const total = move.amounts.reduce((sum, amount) => sum + amount, 0n);
	const whole = 10n ** BigInt(TOKEN_PLACES);
	if (move.standard === 'erc721' && total > 0n) {
		// Some ERC-20 tokens have functions with the same selectors, which move amounts (ERC-4524).
		const isPiece = await found(TOKENS, `the standard of ${contract}`, lookUps().isNft(contract));
		if (!isPiece)
			forbid(TOKENS, `${contract} does not report support for ERC-721, so the amount is unknown`);
	}
	if (move.standard !== 'erc20') return total * whole;
	const what = `the decimals of ${contract}`;
	const decimals = await found(TOKENS, what, lookUps().decimals(contract));
	const mayBeNft = move.isShared && (decimals ?? 0) === 0;
	const isNft = mayBeNft && (await found(TOKENS, what, lookUps().isNft(contract)));
	if (isNft) return whole;
	if (decimals === undefined) forbid(TOKENS, `${what} cannot be read, so the amount is unknown`);
	const before = checked.token?.decimals ?? decimals;
	if (before !== decimals) forbid(TOKENS, `${what} have changed from ${before} to ${decimals}`);
	// The token ID of an NFT can be 0.
	const atLeast = mayBeNft && total === 0n ? 1n : total;
	return atLeast * 10n ** BigInt(TOKEN_PLACES - decimals);
}

/**
 * Looks up the facts that a credential's policy needs for one write, unless it is already forbidden without them.
 *
 * @param spent amounts that this execution has already sent with this credential
 * @param lookUps called only if a look-up is needed
 * @throws InvalidInputError if the policy forbids the write, or a look-up fails.
 * @example const { tokens } = await lookUpForPolicy(credential, checked, spent, () => lookUps);
 */
export async function lookUpForPolicy(
	credential: ICredentialDataDecryptedObject,
	checked: CheckedCall,
	spent: Spent,
	lookUps: () => PolicyLookUps,
): Promise<PolicyFacts> {
	const judged = judgedBy(credential, checked);
	assertCall(judged, spent.value);
	const wallets = await walletsOf(judged, lookUps);
	assertRecipients(judged, wallets);
	const tokens = await tokensOf(judged, lookUps);
	const limit = judged.policy.tokenLimits.get(judged.contract) ?? 0n;
	const isOver = tokens !== undefined && spent.tokens + tokens > limit;
	const symbol = isOver ? await lookUps().symbol(judged.contract) : undefined;
	const facts = { wallets, tokens, symbol };
	assertTokens(judged, facts, spent.tokens);
	return facts;
}
