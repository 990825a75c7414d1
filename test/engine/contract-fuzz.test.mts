/** Random functions and values, from the node's parameters to the chain and back, compared with ethers' own encoding. */
import { getAddress, Interface } from 'ethers';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Shape, Value } from '../support/abi/random-abi.mts';
import { asShown, call as randomCall, jsonAbi, written } from '../support/abi/random-abi.mts';
import { useService } from '../support/sandbox/service.mts';
import { thorough } from '../support/thorough.mts';
import { storeCall } from './support/contract-calls.mts';
import { useNode } from './support/use-node.mts';

const READS = { batches: 6, size: 100 };
const WRITES = { batches: 6, size: 50 };
const FORMS = { batches: 8, size: 50 };
/** A function that the contract lacks: the contract answers such a call with its arguments. */
const NAME = 'echoAnything';

const node = useNode(useService());
/** A value with checksummed addresses, as the service returns them. */
function checksummed(value: Value, of: Shape): Value {
	if (of.kind === 'leaf') return of.type === 'address' ? getAddress(String(value)) : value;
	if (!Array.isArray(value)) return value;
	return value.map((part, index) => {
		const shape = of.kind === 'array' ? of.of : of.members[index];
		return shape === undefined ? part : checksummed(part, shape);
	});
}

/** A random call. */
interface Case {
	readonly shapes: readonly Shape[];
	readonly values: readonly Value[];
	/** Whether parameters and return values have names. */
	readonly isNamed: boolean;
}

const cases = fc
	.record({ random: randomCall, isNamed: fc.boolean() })
	.map(({ random: { shapes, values }, isNamed }): Case => {
		const given = shapes.map((shape, index) => checksummed(values[index] ?? '', shape));
		return { shapes, values: given, isNamed };
	});

const nameOf = ({ isNamed }: Case, index: number) => (isNamed ? `a${index}` : '');

function signature(one: Case, modifiers: string): string {
	const list = one.shapes.map((shape, index) => written(shape, nameOf(one, index))).join(', ');
	const returns = list === '' ? '' : `returns (${list})`;
	return `function ${NAME}(${list}) ${modifiers} ${returns}`;
}

function jsonAbiOf(one: Case, stateMutability: string): string {
	const list = one.shapes.map((shape, index) => jsonAbi(shape, nameOf(one, index)));
	return JSON.stringify([
		{ type: 'function', name: NAME, stateMutability, inputs: list, outputs: list },
	]);
}

const shown = ({ shapes, values }: Case) =>
	shapes.map((shape, index) => asShown(values[index] ?? '', shape));

/** The expected output of Read: an object if the return values have names; without names, a single value or a list. */
function expected(one: Case): unknown {
	const list = shown(one);
	if (one.isNamed && list.length > 0) {
		return Object.fromEntries(list.map((value, index) => [`a${index}`, value]));
	}
	return list.length === 1 ? list[0] : list;
}

const encoded = (one: Case) =>
	new Interface(jsonAbiOf(one, 'nonpayable')).encodeFunctionData(NAME, [...one.values]);

/** The output of a contract call over items, which is asserted to succeed. */
async function call(operation: string, items: IDataObject[], more: IDataObject = {}) {
	const given = { operation, abi: '={{ $json.abi }}', args: '={{ $json.args }}', ...more };
	return await node.items(storeCall(node.service.contracts.shapes, given), { items });
}

async function holds({ batches, size }: typeof READS, check: (batch: Case[]) => Promise<void>) {
	const batch = fc.array(cases, { minLength: size, maxLength: size });
	await fc.assert(fc.asyncProperty(batch, check), {
		numRuns: thorough(batches),
		endOnFailure: true,
	});
}

test('a read returns its arguments unchanged', async () => {
	await holds(READS, async (batch) => {
		const items = batch.map((one, index) => ({
			abi: signature(one, 'external view'),
			args: index % 2 === 0 ? shown(one) : JSON.stringify(shown(one)),
		}));
		const output = await call('read', items as IDataObject[]);
		expect(output.map(({ value }) => value)).toEqual(batch.map(expected));
		expect(output.filter((item) => 'warning' in item)).toEqual([]);
	});
});

test('a write is on the chain as ethers encodes it', async () => {
	await holds(WRITES, async (batch) => {
		const { chain, contracts, user } = node.service;
		const parties = { from: user().address, to: contracts.shapes };
		const items = batch.map((one) => ({ abi: signature(one, 'external'), args: shown(one) }));
		const output = await call('write', items as IDataObject[]);
		const hashes = output.map(({ hash }) => String(hash));
		const sent = await Promise.all(hashes.map(async (hash) => await chain.getTransaction(hash)));
		expect(sent).toMatchObject(batch.map((one) => ({ ...parties, data: encoded(one), value: 0n })));
	});
});

/** The content of one field: a toggle, text, or JSON; text that looks like an expression is the result of a real one. */
function fieldValue(value: unknown, index: number): boolean | string {
	if (typeof value === 'boolean') return value;
	if (typeof value !== 'string') return JSON.stringify(value);
	return value.startsWith('=') ? `={{ $json.values[${index}] }}` : value;
}

test('a read returns the content of its fields unchanged', async () => {
	await holds(FORMS, async (batch) => {
		for (const one of batch) {
			const types = new Interface(jsonAbiOf(one, 'view')).getFunction(NAME)?.inputs ?? [];
			const values = shown(one);
			const fields = types.map((type, index) => [
				`${one.isNamed ? `a${index}` : `argument ${index + 1}`} (${type.format('sighash')})`,
				fieldValue(values[index], index),
			]);
			const items = [{ values: JSON.parse(JSON.stringify(values)) }];
			const [item] = await call('read', items, {
				functionSource: 'contractAbi',
				contractAbi: jsonAbiOf(one, 'view'),
				contractFunction: NAME,
				argumentsMode: 'fields',
				arguments: { mappingMode: 'defineBelow', value: Object.fromEntries(fields) },
			});
			expect(item?.value).toEqual(expected(one));
		}
	});
});
