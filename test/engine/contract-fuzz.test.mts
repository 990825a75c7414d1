/** Random functions and values, from the node's parameters to the chain and back, compared with ethers' own encoding. */
import { getAddress, Interface } from 'ethers';
import fc from 'fast-check';

import type { Shape, Value } from '../support/abi/random-abi.mts';
import { asShown, call, jsonAbi, written } from '../support/abi/random-abi.mts';
import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

const READS = { batches: 20, size: 100 };
const WRITES = { batches: 20, size: 50 };
const FORMS = { batches: 40, size: 50 };
const TIMEOUT_MS = 400_000;
/** The contract answers a function that it does not have with the arguments of the call. */
const NAME = 'echoAnything';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});

/** A value with addresses in the form in which the service answers them. */
function checksummed(value: Value, of: Shape): Value {
	if (of.kind === 'leaf') return of.type === 'address' ? getAddress(String(value)) : value;
	if (!Array.isArray(value)) return value;
	return value.map((part, index) => {
		const shape = of.kind === 'array' ? of.of : of.members[index];
		return shape === undefined ? part : checksummed(part, shape);
	});
}

/** One random call: how it is written, what goes in, what must come out, and how ethers encodes it. */
interface Case {
	readonly shapes: readonly Shape[];
	readonly values: readonly Value[];
	/** Whether parameters and returns have names. */
	readonly isNamed: boolean;
}

const cases = fc
	.record({ call, isNamed: fc.boolean() })
	.map(({ call: { shapes, values }, isNamed }): Case => {
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

/** What Read makes of the answer: names when the returns have them, the value itself when it is the only one. */
function expected(one: Case): unknown {
	const list = shown(one);
	if (one.isNamed && list.length > 0) {
		return Object.fromEntries(list.map((value, index) => [`a${index}`, value]));
	}
	return list.length === 1 ? list[0] : list;
}

function encoded(one: Case): string {
	return new Interface(jsonAbiOf(one, 'nonpayable')).encodeFunctionData(NAME, [...one.values]);
}

const contractCall = (operation: string) => ({
	resource: 'contract',
	functionSource: 'signature',
	operation,
	contractAddress: service.contracts.shapes,
});

const given = {
	abi: '={{ $json.abi }}',
	argumentsMode: 'json',
	args: '={{ $json.args }}',
};

async function holds(
	{ batches, size }: typeof READS,
	check: (batch: readonly Case[]) => Promise<void>,
): Promise<void> {
	const batch = fc.array(cases, { minLength: size, maxLength: size });
	await fc.assert(fc.asyncProperty(batch, check), { numRuns: batches, endOnFailure: true });
}

test(
	'what is read comes back as it was given',
	async () => {
		await holds(READS, async (batch) => {
			const { items, error } = await engine.run({
				parameters: { ...contractCall('read'), ...given },
				credential: service.credential(),
				items: batch.map((one, index) => ({
					abi: signature(one, 'external view'),
					args: index % 2 === 0 ? shown(one) : JSON.stringify(shown(one)),
				})),
			});
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.value)).toEqual(batch.map(expected));
			expect(items.filter(({ json }) => 'warning' in json)).toEqual([]);
		});
	},
	TIMEOUT_MS,
);

test(
	'what is written is on the chain as ethers encodes it',
	async () => {
		const echo = new Interface(['event Echo(bytes data)']);
		await holds(WRITES, async (batch) => {
			const fromBlock = (await service.chain.getBlockNumber()) + 1;
			const { items, error } = await engine.run({
				parameters: { ...contractCall('write'), ...given },
				credential: service.credential(),
				items: batch.map((one) => ({ abi: signature(one, 'external'), args: shown(one) })),
			});
			expect(error).toBeUndefined();
			const hashes = items.map(({ json }) => String(json.hash));
			const sent = await Promise.all(
				hashes.map(async (hash) => await service.chain.getTransaction(hash)),
			);
			expect(sent.map((transaction) => transaction?.data)).toEqual(batch.map(encoded));
			const logs = await service.chain.getLogs({
				address: service.contracts.shapes,
				fromBlock,
			});
			const echoed = new Map(
				logs.map(({ transactionHash, data, topics }) => [
					transactionHash,
					String(echo.decodeEventLog('Echo', data, topics).data),
				]),
			);
			expect(hashes.map((hash) => echoed.get(hash))).toEqual(
				batch.map((one) => `0x${encoded(one).slice(10)}`),
			);
		});
	},
	TIMEOUT_MS,
);

/** The content of one field: a toggle, a text, or JSON; what an expression would be taken for comes from one. */
function fieldValue(value: unknown, index: number): boolean | string {
	if (typeof value === 'boolean') return value;
	if (typeof value !== 'string') return JSON.stringify(value);
	return value.startsWith('=') ? `={{ $json.values[${index}] }}` : value;
}

test(
	'what is filled into fields comes back as it was given',
	async () => {
		await holds(FORMS, async (batch) => {
			for (const one of batch) {
				const types = new Interface(jsonAbiOf(one, 'view')).getFunction(NAME)?.inputs ?? [];
				const values = shown(one);
				const fields = types.map((type, index) => [
					`${one.isNamed ? `a${index}` : `argument ${index + 1}`} (${type.format('sighash')})`,
					fieldValue(values[index], index),
				]);
				const { items, error } = await engine.run({
					parameters: {
						...contractCall('read'),
						functionSource: 'contractAbi',
						contractAbi: jsonAbiOf(one, 'view'),
						contractFunction: NAME,
						arguments: { mappingMode: 'defineBelow', value: Object.fromEntries(fields) },
					},
					credential: service.credential(),
					items: [{ values: JSON.parse(JSON.stringify(values)) }],
				});
				expect(error).toBeUndefined();
				expect(items[0]?.json.value).toEqual(expected(one));
			}
		});
	},
	TIMEOUT_MS,
);
