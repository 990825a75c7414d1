import { AbiCoder, Interface, ParamType } from 'ethers';
import fc from 'fast-check';

import { abbreviatedSignature } from '../../../../nodes/WalletService/contract/function.ts';
import {
	argumentFieldsOf,
	argumentsFromFields,
	encodeArguments,
} from '../../../../nodes/WalletService/contract/arguments.ts';
import { calldata } from '../../../../nodes/WalletService/contract/call.ts';
import { decodeAnswer } from '../../../../nodes/WalletService/contract/decode.ts';
import type { ContractFunction } from '../../../../nodes/WalletService/contract/function.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import type { Shape, Value } from '../../../support/abi/random-abi.mts';
import { asAnswer, asShown, call, jsonAbi, written } from '../../../support/abi/random-abi.mts';
import { resolveBy } from '../../support/contract/resolve.mts';

const runs = { numRuns: 1000 };

const at = <T,>(list: readonly T[], index: number): T => {
	const value = list[index];
	if (value === undefined) throw new Error(`nothing at ${index}`);
	return value;
};

/** ethers' decoding of calldata as plain values. */
function decodedBy(types: readonly ParamType[], data: string): Value[] {
	return AbiCoder.defaultAbiCoder()
		.decode(types, `0x${data.slice(10)}`)
		.toArray(true);
}

/** ethers returns checksummed addresses and plain lists. */
function comparable(value: Value): Value {
	if (Array.isArray(value)) return value.map(comparable);
	return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
		? value.toLowerCase()
		: value;
}

function declaration(shapes: readonly Shape[]) {
	const parameters = shapes.map((shape, index) => written(shape, `p${index}`)).join(', ');
	return `echo(${parameters}) returns (${parameters})`;
}

const shown = (shapes: readonly Shape[], values: readonly Value[]) =>
	values.map((value, index) => asShown(value, at(shapes, index)));

const encode = async (fn: ContractFunction, args: unknown) =>
	await encodeArguments(fn, args, 'args', resolveBy());

describe('random functions and values', () => {
	it('are encoded as ethers encodes them by the JSON ABI, and decode to the same values', async () => {
		await fc.assert(
			fc.asyncProperty(call, async ({ shapes, values }) => {
				const inputs = shapes.map((shape, index) => jsonAbi(shape, `p${index}`));
				const contract = new Interface([
					{ type: 'function', name: 'echo', inputs, outputs: inputs },
				]);
				const fn = parseSignature(declaration(shapes));
				const data = calldata(fn, await encode(fn, shown(shapes, values)));
				expect(data).toBe(contract.encodeFunctionData('echo', values));
				const types = inputs.map((input) => ParamType.from(input));
				expect(decodedBy(types, data).map(comparable)).toEqual(values.map(comparable));
			}),
			runs,
		);
	});

	it('are the same by position, by name, as JSON text and through fields', async () => {
		await fc.assert(
			fc.asyncProperty(call, async ({ shapes, values }) => {
				const fn = parseSignature(declaration(shapes));
				const list = shown(shapes, values);
				const byName = Object.fromEntries(list.map((value, index) => [`p${index}`, value]));
				const byField = Object.fromEntries(
					argumentFieldsOf(fn).map(({ id }, index) => [id, list[index]]),
				);
				const expected = await encode(fn, list);
				expect(await encode(fn, byName)).toEqual(expected);
				expect(await encode(fn, JSON.stringify(list))).toEqual(expected);
				expect(await encode(fn, JSON.stringify(byName))).toEqual(expected);
				expect(await encode(fn, argumentsFromFields(fn, byField))).toEqual(expected);
				// What the node sends is valid input again.
				expect(await encode(fn, expected)).toEqual(expected);
			}),
			runs,
		);
	});

	it('are decoded from an answer exactly', () => {
		fc.assert(
			fc.property(call, ({ shapes, values }) => {
				const fn = parseSignature(declaration(shapes));
				const list = shown(shapes, values);
				const [answer] = values.length === 1 ? values : [values];
				const byName = Object.fromEntries(list.map((value, index) => [`p${index}`, value]));
				const decoded = decodeAnswer(fn, asAnswer(answer ?? []));
				expect(decoded).toEqual({ fits: true, value: values.length === 0 ? [] : byName });
			}),
			runs,
		);
	});

	it('are sent in a form that reads back as the same function', () => {
		fc.assert(
			fc.property(call, ({ shapes }) => {
				const fn = parseSignature(declaration(shapes));
				const sent = abbreviatedSignature(fn, 'read');
				expect(abbreviatedSignature(parseSignature(sent), 'read')).toBe(sent);
				const byEthers = new Interface([`function ${sent}`]).getFunction('echo');
				expect(byEthers?.outputs.map((output) => output.format('full'))).toEqual(
					fn.outputs.map((output) => output.format('full')),
				);
			}),
			runs,
		);
	});
});
