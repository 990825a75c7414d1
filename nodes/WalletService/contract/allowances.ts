import type { ParamType } from 'ethers';

import { MAX_UINT256 } from '../values/integers';
import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';
import { partsOf } from './argument-parts';
import type { ApprovingWord, ArgumentValue, Resolve } from './argument-value';
import { UNLIMITED } from './argument-value';
import type { ContractFunction } from './function';
import { DECREASES } from './token-moves';
import type { KnownFunction, ParameterRole } from './token-standards';
import { recognize } from './token-standards';
import { isPermittedAmount } from './type-names';

/** An argument, or a part of one, that may state how much someone may take. */
interface Allowance {
	/** As entered. */
	readonly value: unknown;
	readonly checked: ArgumentValue | undefined;
	readonly param: ParamType;
	readonly place: string;
	/** Its position among the arguments, then in lists and tuples. */
	readonly path: readonly number[];
	/** The token that another argument names; absent if it is the called contract. */
	readonly token?: ArgumentValue;
	/** The kind of item, by ERC-6909. */
	readonly kind?: ArgumentValue;
}

/** The arguments of a call as entered and as checked, in order. */
interface Given {
	readonly values: readonly unknown[];
	readonly checked: readonly ArgumentValue[];
}

/**
 * Whether an amount never runs down by its size alone: 2^128 base units or more, which is far above the supply of any known
 * token; or the largest integer of 96 bits or more (less at most 2^-32 of it), which tokens such as UNI and COMP take as
 * unlimited.
 */
function isHuge(amount: ArgumentValue | undefined): boolean {
	if (typeof amount !== 'string') return amount === true;
	const bits = BigInt(amount).toString(2);
	return bits.length > 128 || (bits.length >= 96 && bits.startsWith('1'.repeat(32)));
}

/**
 * Positions of the arguments that state how much someone may take. The names of the parameters do not matter.
 *
 * @example allowancesOf(knownFunction('0x095ea7b3')) // [1]
 */
export function allowancesOf(known: KnownFunction | undefined): number[] {
	const { roles = [], fn } = known ?? {};
	if (!roles.includes('spender') || DECREASES.has(fn?.name ?? '')) return [];
	return [...roles.keys()].filter((at) =>
		/^(amount|tokenId|quantity|allowed)$/.test(roles[at] ?? ''),
	);
}

/** The amounts in permits of Permit2, at any depth of an argument. */
function permittedIn(whole: Allowance): Allowance[] {
	const { value, param, checked, place, path } = whole;
	// Long lists without permits are not walked.
	if (!Array.isArray(checked) || !param.format('sighash').includes('uint160')) return [];
	return [...partsOf(value, param, place)].flatMap(({ step, ...part }, at) => {
		const token: ArgumentValue | undefined = isPermittedAmount(param, at) ? checked[0] : undefined;
		const inner = { ...part, checked: checked[at], place: `${place}${step}`, path: [...path, at] };
		return token === undefined ? permittedIn(inner) : [{ ...inner, token }];
	});
}

const FROM_DATA = 'comes from data or a model, not from the node itself';
const EVERYTHING = 'the spender could take every token';

/** Refuses an approval of everything by the nature of its function, unless the function and its `true` are in the node. */
function refuseByNature(
	fn: ContractFunction,
	{ name, roles }: { readonly name: string; readonly roles: readonly ParameterRole[] },
	{ checked }: Given,
	resolve: Resolve,
): void {
	const [operator, approved] = [roles.indexOf('operator'), roles.indexOf('approved')];
	if (operator < 0 || DECREASES.has(name) || checked[approved] === false) return;
	const refuseWord = (word: ApprovingWord, at: number, what: string, hint: string): void => {
		if (resolve.isWritten?.(word, word === 'function' ? [] : [at]) !== false) return;
		const field = `${fn.labels[at]} (${fn.inputs[at]?.format('sighash')})`;
		refuse(field, `${what} approves an unlimited amount, and ${FROM_DATA}: ${EVERYTHING}`, hint);
	};
	refuseWord('function', operator, fn.key, 'Write or choose the function in the node itself');
	if (approved >= 0) {
		const hint = 'To approve everything, write true in the node, also in an expression';
		refuseWord('true', approved, 'The value true', hint);
	}
}

/** Whether an amount is more than the total supply of its token, as far as that can be read. */
async function isAboveSupply(
	{ checked, token, kind }: Allowance,
	resolve: Resolve,
): Promise<boolean> {
	if (typeof checked !== 'string' || checked === '0') return false;
	const isText = (one: ArgumentValue | undefined) => (typeof one === 'string' ? one : undefined);
	const supply = await resolve.supply?.(isText(token), isText(kind));
	return supply !== undefined && BigInt(checked) > supply;
}

/**
 * Refuses an approval that never runs down, unless the node itself says so: a number of such a size, or above the total
 * supply of the token; the word `unlimited`, or a function that approves everything, from data or a model.
 *
 * @throws InvalidInputError that names the argument; whatever `resolve` throws.
 * @example
 * const fn = parseSignature('approve(address spender, uint256 amount)');
 * const args = ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', String(2n ** 255n)];
 * const resolve = { user: async () => '0x12', tokens: async () => 0n };
 * await refuseUnlimited(fn, { values: args, checked: args }, resolve) // throws InvalidInputError
 */
export async function refuseUnlimited(
	fn: ContractFunction,
	given: Given,
	resolve: Resolve,
): Promise<void> {
	const { values, checked } = given;
	const known = recognize(fn);
	const { roles = [] } = known ?? {};
	refuseByNature(fn, { name: fn.name, roles }, given, resolve);
	const argument = (param: ParamType, at: number): Allowance => {
		const place = fn.labels[at] ?? String(at);
		return { value: values[at], checked: checked[at], param, place, path: [at] };
	};
	const stated = allowancesOf(known);
	const [token, kind] = [checked[roles.indexOf('token')], checked[roles.indexOf('kind')]];
	// The debt of a market may be smaller than what someone may borrow from it.
	const hasSupply = fn.name !== 'approveDelegation' && fn.name !== 'delegationWithSig';
	const allowances = fn.inputs.flatMap((param, at) => {
		const one = argument(param, at);
		return stated.includes(at) ? [{ ...one, token, kind }] : permittedIn(one);
	});
	for (const allowance of allowances) {
		const { value, path, place, param } = allowance;
		const isWord = value === UNLIMITED;
		if (isWord && resolve.isWritten?.(UNLIMITED, path) !== false) continue;
		const isOver = !isHuge(allowance.checked);
		if (isOver && !(hasSupply && (await isAboveSupply(allowance, resolve)))) continue;
		// An NFT may have a large ID, such as a hash.
		const mayBeId = known?.isOfNft === true && allowance.checked !== String(MAX_UINT256);
		if (mayBeId && (await resolve.isNft?.()) === true) continue;
		const what = `${quote(value)} approves an unlimited amount`;
		const more = isOver ? ', more than the total supply of the token' : '';
		const problem = isWord
			? `The word ${UNLIMITED} ${FROM_DATA}: ${EVERYTHING}`
			: `${what}${more}: ${EVERYTHING}, now and later`;
		const hint = `Enter the amount needed; to approve everything, write ${UNLIMITED} in the node, in an expression in quotes`;
		refuse(`${place} (${param.format('sighash')})`, problem, hint);
	}
}
