import type { ParamType } from 'ethers';

import { membersOf, partsOf } from '../../contract/argument-parts';
import type { ApprovingWord, Resolve } from '../../contract/argument-value';
import { fieldIds } from '../../contract/arguments';
import type { ContractFunction } from '../../contract/function';
import type { Item } from '../../request/run/item';
import { isObject } from '../../values/objects';
import { placeOfJson } from './contract-call';

/** Each word as a whole value, or as a whole literal of an expression or of JSON. */
const LITERALS = {
	unlimited: /^=?unlimited$|(["'`])unlimited\1/g,
	true: /^=?true$|(["'`])true\1|(?<![\w$.])true(?![\w$])/g,
};

type Step = (given: unknown) => unknown;

/** The steps from what the node stores for all arguments to one of them, and into its lists and tuples. */
function stepsTo(fn: ContractFunction, path: readonly number[], isJson: boolean): Step[] {
	const [first = 0, ...inner] = path;
	const field = fieldIds(fn)[first] ?? '';
	const steps: Step[] = [
		(given) =>
			isJson ? membersOf(given, fn.inputs, 'args')[first] : isObject(given) && given[field],
	];
	let param: ParamType | undefined = fn.inputs[first];
	for (const at of inner) {
		const whole: ParamType | undefined = param;
		if (whole === undefined) return [];
		steps.push((given) => [...partsOf(given, whole, field)][at]?.value);
		param = whole.isArray() ? whole.arrayChildren : whole.components?.[at];
	}
	return steps;
}

/**
 * Returns a function that checks whether the node itself contains a word that approves everything. Data, a model, the name of a
 * field or a description do not count: another word in place of a literal must arrive there too.
 *
 * @param parameter the node parameter that chooses the function
 */
export function wordsInNode(
	{ context, read }: Item,
	fn: ContractFunction,
	parameter: string,
): NonNullable<Resolve['isWritten']> {
	const evaluated = (text: string): unknown => {
		try {
			return text.startsWith('=')
				? context.evaluateExpression(text.slice(1), context.getItemIndex())
				: text;
		} catch {
			// In a comparison or a longer text, the word is not a value by itself.
			return undefined;
		}
	};
	const isLiteral = (
		word: Exclude<ApprovingWord, 'function'>,
		path: readonly number[],
	): boolean => {
		const json = placeOfJson(read);
		const steps = stepsTo(fn, path, json !== undefined);
		let given = read([json ?? 'arguments.value'].flat().join('.'), {}, true);
		// An expression, or JSON text, holds all parts behind it.
		while (steps.length > 0 && typeof given !== 'string') given = steps.shift()?.(given);
		const text = String(given);
		// Data cannot predict it.
		const other = `word${Math.random().toString(36).slice(2)}`;
		return [...text.matchAll(LITERALS[word])].some(({ 0: found, index: start }) => {
			const isBare = found === word && text !== word;
			const changed = found.replace(word, isBare ? `"${other}"` : other);
			const value = evaluated(text.slice(0, start) + changed + text.slice(start + found.length));
			return (
				value !== undefined && steps.reduce<unknown>((whole, step) => step(whole), value) === other
			);
		});
	};
	return (word, path) => {
		if (word !== 'function') return isLiteral(word, path);
		return !String(read(parameter, '', true)).includes('{{');
	};
}
