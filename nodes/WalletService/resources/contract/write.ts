import { membersOf, UNLIMITED } from '../../contract/argument-value';
import { fieldIds } from '../../contract/arguments';
import type { ContractFunction } from '../../contract/function';
import { refuseLostTokens } from '../../contract/guards';
import type { Item } from '../../request/run/item';
import { isObject } from '../../values/objects';
import { completeCall, LookUps } from '../look-ups/look-ups';
import type { Operation } from '../operation';
import { movesMoney, preview } from '../parameters';
import { WRITE_FIELDS } from '../writing/describe-write';
import { submission } from '../writing/submission';
import { nativeCoin } from './call-options';
import { planCall } from './contract-call';
import { callParameters, contractAddress } from './parameters';

/** The word as a whole value, or as a whole quoted literal of an expression or of JSON. */
const LITERAL = new RegExp(`^=?${UNLIMITED}$|(["'\`])${UNLIMITED}\\1`, 'g');

/**
 * Returns a function that checks whether the node itself contains the word `unlimited` as the argument at a position. Data,
 * a model, the name of a field or a description do not count: another word in place of a literal must arrive there too.
 */
function wordsInNode({ context, read }: Item, fn: ContractFunction) {
	return (index: number): boolean => {
		const isJson = read('argumentsMode', 'fields') === 'json';
		const field = fieldIds(fn)[index] ?? '';
		const argumentOf = (given: unknown): unknown =>
			isJson ? membersOf(given, fn.inputs, 'args')[index] : isObject(given) && given[field];
		const stored = read(isJson ? 'args' : 'arguments.value', {}, true);
		const text = String(isObject(stored) ? argumentOf(stored) : stored);
		// Data cannot predict it.
		const other = `word${Math.random().toString(36).slice(2)}`;
		return [...text.matchAll(LITERAL)].some(({ 0: found, index: start }) => {
			const after = text.slice(start + found.length);
			const changed = text.slice(0, start) + found.replace(UNLIMITED, other) + after;
			const value: unknown = changed.startsWith('=')
				? context.evaluateExpression(changed.slice(1), context.getItemIndex())
				: changed;
			return (isObject(stored) ? value : argumentOf(value)) === other;
		});
	};
}

export const write: Operation = {
	option: {
		name: 'Write',
		value: 'write',
		action: 'Submit contract transaction',
		description:
			'Submit a transaction that calls a smart contract and may move money; items are sent one at a time',
	},
	input: [...movesMoney, contractAddress, ...callParameters('write'), preview],
	options: [nativeCoin],
	fields: WRITE_FIELDS,
	...submission({
		complete: async (item, client) => {
			const planned = planCall(item.read, 'write');
			const lookUps = new LookUps(client, planned.contractAddress);
			lookUps.isWritten = wordsInNode(item, planned.contractFunction);
			const checked = await completeCall(planned, 'write', lookUps);
			const { call, contractFunction, move } = checked;
			if (move?.isApproval === false) {
				const label = contractFunction.labels[move.index];
				refuseLostTokens(move.party, call.address, `${label} (address)`);
			}
			return checked;
		},
	}),
};
