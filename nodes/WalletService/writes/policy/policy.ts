import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { selector } from '../../contract/function';
import { UNIT_DECIMALS } from '../../values/amount';
import { formatUnitsExact } from '../../values/decimal';
import { foreignWords } from '../../values/quote';
import type { Judged, PolicyFacts, PolicyLookUps } from './policy-facts';
import { forbid, lookUpFacts, RECIPIENTS, unlistedInWords } from './policy-facts';
import { readSpendingPolicy, TOKEN_PLACES, TOKENS } from './read-policy';

/** Amounts that an execution has sent with a credential. */
export interface Spent {
	/** Native coin, in wei. */
	readonly value: bigint;
	/** The called token, with `TOKEN_PLACES` decimal places. */
	readonly tokens: bigint;
}

/** Returns why a rule refuses a write, or a false value if it allows it. */
type Refusal = (judged: Judged, spent: Spent, facts: PolicyFacts) => string | false | undefined;

const inEther = (wei: bigint): string =>
	`${formatUnitsExact(wei, UNIT_DECIMALS.ether)} ether (${wei} wei)`;

const NOT_AMONG_FUNCTIONS = 'and the function is not in Allowed Functions';

/** Refuses a contract that is not listed, by its address, and its symbol if it is the called one and has one. */
function unlistedContract(list: readonly string[], address: string, { contract, checked }: Judged) {
	if (list.includes(address.toLowerCase())) return false;
	const symbol = address.toLowerCase() === contract ? foreignWords(checked.token?.symbol) : '';
	return `${symbol === '' ? address : `${symbol} (${address})`} is not in the list`;
}

function tokenRefusal(judged: Judged, { takesBack = false }: PolicyFacts): string | false {
	const { policy, move, token, called, isNamed } = judged;
	if (policy.tokenLimits.size === 0 || takesBack) return false;
	const isUnlisted = move && unlistedContract([...policy.tokenLimits.keys()], token, judged);
	if (isUnlisted) return `the token ${isUnlisted}`;
	if (isNamed || move?.isForAll === false) return false;
	const why = move ? 'approves every token of the contract' : 'could move any amount of a token';
	return `${called} ${why}, ${NOT_AMONG_FUNCTIONS}`;
}

function amountRefusal(
	{ policy, move, token }: Judged,
	{ tokens: spent }: Spent,
	{ tokens, symbol, takesBack }: PolicyFacts,
): string | false {
	const limit = policy.tokenLimits.get(token);
	if (limit === undefined || move === undefined || takesBack === true) return false;
	if (tokens === undefined) return `the amount of ${token} that the call moves is unknown`;
	if (spent + tokens <= limit) return false;
	const unit = foreignWords(symbol) || 'tokens';
	const amount = (units: bigint): string => `${formatUnitsExact(units, TOKEN_PLACES)} ${unit}`;
	const more = `${amount(tokens)}${spent === 0n ? '' : ' more'}`;
	return `this execution already counts ${amount(spent)} (token ${token}) and would ${move.isApproval ? 'approve' : 'move'} ${more}; the limit is ${amount(limit)}`;
}

/** The rules that need no look-ups, in the order of their checks. */
const RULES: ReadonlyArray<readonly [rule: string, refusal: Refusal]> = [
	['Allow Writes', ({ policy }) => !policy.allowWrites && 'writes are switched off'],
	[
		'Allowed Contracts',
		(judged) => {
			const { contracts } = judged.policy;
			return (
				contracts.length > 0 && unlistedContract(contracts, judged.checked.call.address, judged)
			);
		},
	],
	[
		'Allowed Functions',
		({ policy, called, isNamed }) =>
			policy.functions.length > 0 && !isNamed && `${called} is not in the list`,
	],
	[
		'Max Native Coin per Call',
		({ value, policy: { maxValuePerCall: limit = value } }) =>
			value > limit && `the call sends ${inEther(value)}; the limit is ${inEther(limit)}`,
	],
	[
		'Max Native Coin per Execution',
		({ value, policy: { maxValuePerExecution: limit } }, { value: spent }) =>
			limit !== undefined &&
			spent + value > limit &&
			`this execution already counts ${inEther(spent)} and would send ${inEther(value)} more; the limit is ${inEther(limit)}`,
	],
	[
		RECIPIENTS,
		({ policy, move, called, isNamed }) =>
			policy.recipients.length > 0 &&
			move === undefined &&
			!isNamed &&
			`the recipient of ${called} is unknown, ${NOT_AMONG_FUNCTIONS}`,
	],
	[TOKENS, (judged, _spent, facts) => tokenRefusal(judged, facts)],
];

/** All rules. The last ones need facts. */
const ALL_RULES: typeof RULES = [
	...RULES,
	[RECIPIENTS, (judged, _spent, facts) => unlistedInWords(judged, facts)],
	[TOKENS, amountRefusal],
];

function assertRules(rules: typeof RULES, ...given: Parameters<Refusal>): void {
	for (const [rule, refusal] of rules) {
		const reason = refusal(...given);
		if (reason) forbid(rule, reason);
	}
}

function judgedBy(credential: ICredentialDataDecryptedObject, checked: CheckedCall): Judged {
	const { call, contractFunction: fn, move } = checked;
	const policy = readSpendingPolicy(credential);
	const names = [fn.key, selector(fn)] as const;
	return {
		policy,
		checked,
		move,
		contract: call.address.toLowerCase(),
		token: (move?.token ?? call.address).toLowerCase(),
		value: BigInt(call.value ?? 0),
		called: `${names[0]} (${names[1]})`,
		isNamed: names.some((name) => policy.functions.includes(name)),
	};
}

/**
 * Checks a write against the policy of its credential, rule by rule, before it is sent.
 *
 * @param spent amounts that this execution has already sent with this credential
 * @param facts from `lookUpForPolicy`, for this write
 * @throws InvalidInputError that names the rule, or the field that cannot be read.
 * @example
 * const call = { address: '0x00', args: [] };
 * const checked = checkedCall(parseSignature('pause()'), 'write', call, { resolvedAddresses: {} });
 * assertAllowed({ allowWrites: true }, checked, { value: 0n, tokens: 0n }, { wallets: new Map() }) // throws InvalidInputError
 */
export function assertAllowed(
	credential: ICredentialDataDecryptedObject,
	checked: CheckedCall,
	spent: Spent,
	facts: PolicyFacts,
): void {
	assertRules(ALL_RULES, judgedBy(credential, checked), spent, facts);
}

/**
 * Looks up the facts that a credential's policy needs for one write, unless it is already forbidden without them.
 *
 * @param spent amounts that this execution has already sent with this credential
 * @param lookUps called only if a look-up is needed
 * @throws InvalidInputError if the policy forbids the write, ServiceError if a look-up fails.
 * @example const { tokens } = await lookUpForPolicy(credential, checked, spent, () => lookUps);
 */
export async function lookUpForPolicy(
	credential: ICredentialDataDecryptedObject,
	checked: CheckedCall,
	spent: Spent,
	lookUps: () => PolicyLookUps,
): Promise<PolicyFacts> {
	const judged = judgedBy(credential, checked);
	const { policy, move, token } = judged;
	assertRules(RULES, judged, spent, { wallets: new Map(), takesBack: move?.takesBack });
	const facts = await lookUpFacts(judged, lookUps);
	const { tokens } = facts;
	const isOver =
		tokens !== undefined && spent.tokens + tokens > (policy.tokenLimits.get(token) ?? 0n);
	const symbol = isOver ? await lookUps().symbol(token) : undefined;
	assertRules(ALL_RULES, judged, spent, { ...facts, symbol });
	return facts;
}
