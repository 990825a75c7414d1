/** Random functions and values: encoded as in ethers, identical in every form of arguments, and decoded exactly. */
import { Interface } from 'ethers';

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
import { forAll } from '../../support/for-all.mts';

const RUNS = 1000;

function declaration(shapes: readonly Shape[]) {
	const parameters = shapes.map((shape, index) => written(shape, `p${index}`)).join(', ');
	return `echo(${parameters}) returns (${parameters})`;
}

const shown = (shapes: readonly Shape[], values: readonly Value[]) =>
	shapes.map((shape, index) => asShown(values[index] ?? [], shape));

const encode = async (fn: ContractFunction, args: unknown) =>
	await encodeArguments(fn, args, 'args', resolveBy());

it('random values are encoded as ethers encodes them from the JSON ABI', async () => {
	await forAll([call], RUNS, async ({ shapes, values }) => {
		const inputs = shapes.map((shape, index) => jsonAbi(shape, `p${index}`));
		const contract = new Interface([{ type: 'function', name: 'echo', inputs }]);
		const fn = parseSignature(declaration(shapes));
		const data = calldata(fn, await encode(fn, shown(shapes, values)));
		expect(data).toBe(contract.encodeFunctionData('echo', values));
	});
});

it('random values are the same by position, by name, as JSON text and through fields', async () => {
	await forAll([call], RUNS, async ({ shapes, values }) => {
		const fn = parseSignature(declaration(shapes));
		const list = shown(shapes, values);
		const byName = Object.fromEntries(list.map((value, index) => [`p${index}`, value]));
		const fields = argumentFieldsOf(fn).map(({ id }, index) => [id, list[index]]);
		const expected = await encode(fn, list);
		expect(await encode(fn, byName)).toEqual(expected);
		expect(await encode(fn, JSON.stringify(list))).toEqual(expected);
		expect(await encode(fn, JSON.stringify(byName))).toEqual(expected);
		expect(await encode(fn, argumentsFromFields(fn, Object.fromEntries(fields)))).toEqual(expected);
		// Encoded arguments are themselves valid input.
		expect(await encode(fn, expected)).toEqual(expected);
	});
});

it('random values are decoded from an answer exactly', async () => {
	await forAll([call], RUNS, ({ shapes, values }) => {
		const fn = parseSignature(declaration(shapes));
		const list = shown(shapes, values);
		const [answer] = values.length === 1 ? values : [values];
		const byName = Object.fromEntries(list.map((value, index) => [`p${index}`, value]));
		const decoded = decodeAnswer(fn, asAnswer(answer ?? []));
		expect(decoded).toEqual({ isDecoded: true, value: values.length === 0 ? [] : byName });
	});
});

it('random functions are sent in a form that reads back as the same function', async () => {
	await forAll([call], RUNS, ({ shapes }) => {
		const fn = parseSignature(declaration(shapes));
		const sent = abbreviatedSignature(fn, 'read');
		expect(abbreviatedSignature(parseSignature(sent), 'read')).toBe(sent);
		const byEthers = new Interface([`function ${sent}`]).getFunction('echo');
		expect(byEthers?.outputs.map((output) => output.format('full'))).toEqual(
			fn.outputs.map((output) => output.format('full')),
		);
	});
});
