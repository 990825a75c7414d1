import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { selector } from '../../contract/call';
import { functionKey } from '../../contract/function';
import { tokenMove } from '../../contract/token-moves';
import { UNIT_DECIMALS } from '../../values/amount';
import { formatUnitsExact } from '../../values/decimal';
import { foreignWords } from '../../values/quote';
import type { Judged, PolicyFacts, PolicyLookUps } from './policy-facts';
import { assertRecipients, forbid, lookUpFacts } from './policy-facts';
import { readSpendingPolicy, TOKEN_PLACES, TOKENS } from './read-policy';

/** Amounts that an execution has sent with a credential. */
export interface Spent {
	/** Native coin, in wei. */
	readonly value: bigint;
	/** The called token, with `TOKEN_PLACES` decimal places. */
	readonly tokens: bigint;
}

const inEther = (wei: bigint): string =>
	`${formatUnitsExact(wei, UNIT_DECIMALS.ether)} ether (${wei} wei)`;

function judgedBy(credential: ICredentialDataDecryptedObject, checked: CheckedCall): Judged {
	const { address, value = 0 } = checked.call;
	const policy = readSpendingPolicy(credential);
	const move = tokenMove(checked);
	const [contract, token] = [address, move?.token ?? address].map((one) => one.toLowerCase());
	return { policy, checked, move, contract, token, value: BigInt(value) };
}

/** A contract by its address, and its symbol if it is the called contract and has one. */
function contractInWords({ checked, contract }: Judged, address: string): string {
	const symbol = address.toLowerCase() === contract ? foreignWords(checked.token?.symbol) : '';
	return symbol === '' ? address : `${symbol} (${address})`;
}

/** Checks the rules that need no look-ups. */
function assertCall(judged: Judged, spent: bigint, takesBack: boolean): void {
	const { policy, checked, move, contract, token, value } = judged;
	const { contracts, functions, recipients, tokenLimits } = policy;
	const { maxValuePerCall, maxValuePerExecution } = policy;
	if (!policy.allowWrites) forbid('Allow Writes', 'writes are switched off');
	if (contracts.length > 0 && !contracts.includes(contract)) {
		forbid(
			'Allowed Contracts',
			`${contractInWords(judged, checked.call.address)} is not in the list`,
		);
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
		const message = `this execution already counts ${inEther(spent)} and would send ${inEther(value)} more; the limit is ${inEther(maxValuePerExecution)}`;
		forbid('Max Native Coin per Execution', message);
	}
	const unnamed = 'the function is not in Allowed Functions';
	if (recipients.length > 0 && move === undefined && !isNamed) {
		forbid('Allowed Recipients', `the recipient of ${called()} is unknown, and ${unnamed}`);
	}
	if (tokenLimits.size === 0 || takesBack) return;
	if (move !== undefined && !tokenLimits.has(token))
		forbid(TOKENS, `the token ${contractInWords(judged, token)} is not in the list`);
	if (!isNamed && (move === undefined || move.isForAll)) {
		const why = move ? 'approves every token of the contract' : 'could move any amount of a token';
		forbid(TOKENS, `${called()} ${why}, and ${unnamed}`);
	}
}

function assertTokens(
	{ policy, move, token }: Judged,
	{ tokens, symbol, takesBack }: PolicyFacts,
	spent: bigint,
): void {
	const limit = policy.tokenLimits.get(token);
	if (limit === undefined || move === undefined || takesBack === true) return;
	if (tokens === undefined) forbid(TOKENS, `the amount of ${token} that the call moves is unknown`);
	if (spent + tokens <= limit) return;
	const unit = foreignWords(symbol) || 'tokens';
	const amount = (units: bigint): string => `${formatUnitsExact(units, TOKEN_PLACES)} ${unit}`;
	const more = `${amount(tokens)}${spent === 0n ? '' : ' more'}`;
	const message = `this execution already counts ${amount(spent)} (token ${token}) and would ${move.isApproval ? 'approve' : 'move'} ${more}; the limit is ${amount(limit)}`;
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
	assertCall(judged, spent.value, facts.takesBack === true);
	assertRecipients(judged, facts);
	assertTokens(judged, facts, spent.tokens);
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
	assertCall(judged, spent.value, judged.move?.takesBack === true);
	const facts = await lookUpFacts(judged, lookUps);
	assertCall(judged, spent.value, facts.takesBack === true);
	const { tokens } = facts;
	const limit = judged.policy.tokenLimits.get(judged.token) ?? 0n;
	const isOver = tokens !== undefined && spent.tokens + tokens > limit;
	const symbol = isOver ? await lookUps().symbol(judged.token) : undefined;
	assertTokens(judged, { ...facts, symbol }, spent.tokens);
	return facts;
}
