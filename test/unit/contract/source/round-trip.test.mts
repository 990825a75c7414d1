/** Random functions and values: encoded as in ethers, from every form of arguments; test/engine/contract-fuzz decodes them. */
import { Interface } from 'ethers';

import { abbreviatedSignature } from '../../../../nodes/WalletService/contract/function.ts';
import {
	argumentFieldsOf,
	argumentsFromFields,
	encodeArguments,
} from '../../../../nodes/WalletService/contract/arguments.ts';
import { calldata } from '../../../../nodes/WalletService/contract/call.ts';
import type { ContractFunction } from '../../../../nodes/WalletService/contract/function.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import type { Shape } from '../../../support/abi/random-abi.mts';
import { asShown, call, jsonAbi, written } from '../../../support/abi/random-abi.mts';
import { resolveBy } from '../../support/contract/resolve.mts';
import { forAll } from '../../support/for-all.mts';

const RUNS = 300;

function declaration(shapes: readonly Shape[]) {
	const parameters = shapes.map((shape, index) => written(shape, `p${index}`)).join(', ');
	return `echo(${parameters}) returns (${parameters})`;
}

const encode = async (fn: ContractFunction, args: unknown) =>
	await encodeArguments(fn, args, 'args', resolveBy());

it('random values are encoded as by ethers from the JSON ABI, in every form of arguments', async () => {
	await forAll([call], RUNS, async ({ shapes, values }) => {
		const fn = parseSignature(declaration(shapes));
		const list = shapes.map((shape, index) => asShown(values[index] ?? [], shape));
		const encoded = await encode(fn, list);
		const inputs = shapes.map((shape, index) => jsonAbi(shape, `p${index}`));
		const contract = new Interface([{ type: 'function', name: 'echo', inputs }]);
		expect(calldata(fn, encoded)).toBe(contract.encodeFunctionData('echo', values));
		const byName = Object.fromEntries(list.map((value, index) => [`p${index}`, value]));
		const fields = argumentFieldsOf(fn).map(({ id }, index) => [id, list[index]]);
		expect(await encode(fn, byName)).toEqual(encoded);
		expect(await encode(fn, JSON.stringify(list))).toEqual(encoded);
		expect(await encode(fn, JSON.stringify(byName))).toEqual(encoded);
		expect(await encode(fn, argumentsFromFields(fn, Object.fromEntries(fields)))).toEqual(encoded);
		// Encoded arguments are themselves valid input.
		expect(await encode(fn, encoded)).toEqual(encoded);
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
