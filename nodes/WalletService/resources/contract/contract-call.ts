import { parseAddress } from '../../values/address';
import { isObject } from '../../values/integers';
import { InvalidInput } from '../../values/invalid-input';
import { quote } from '../../values/quote';

/** Body of a contract request (interface, sections 4.5 and 4.6). */
export interface ContractCall {
	readonly address: string;
	/** Abbreviated signature of the one function. */
	readonly abi: string;
	/** One text per argument, in order. */
	readonly args: string[];
	/** Native coin to send along, in wei, as a decimal string; writes only. */
	readonly value?: string;
}

/** Reads a parameter of the current item. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

function parseArguments(value: unknown): unknown[] | Record<string, unknown> {
	const parsed = typeof value === 'string' ? parseText(value) : value;
	if (Array.isArray(parsed) || isObject(parsed)) return parsed;
	throw new InvalidInput({
		parameter: 'args',
		value,
		message: `${quote(value)} is not a list of arguments`,
		hint: 'Give a JSON list such as ["0x...", "1500000"], or [] when the function takes no arguments',
	});
}

function parseText(text: string): unknown {
	if (text.trim() === '') return [];
	try {
		// Plain parsing on purpose: a number that loses digits here is refused where the arguments are checked.
		return JSON.parse(text);
	} catch (error) {
		throw new InvalidInput({
			parameter: 'args',
			value: text,
			message: `${quote(text)} is not JSON${error instanceof Error ? `: ${error.message}` : ''}`,
			hint: 'Give a JSON list with texts in double quotes, such as ["0x...", "1500000"]',
		});
	}
}

/**
 * The contract call that an item's parameters describe, checked and canonical.
 *
 * @throws InvalidInput that names the parameter.
 */
export function contractCall(read: ReadParameter, kind: 'read' | 'write'): ContractCall {
	const address = parseAddress(read('contractAddress', ''), 'contractAddress');
	const args = parseArguments(read('args', []));
	return { address, abi: String(read('abi', '')), args: Object.values(args).map(String), ...(kind === 'read' && {}) };
}
