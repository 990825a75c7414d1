import fc, { type Arbitrary } from 'fast-check';
import { getAddress, hexlify } from 'ethers';

/** An ABI type with a value, as in a request and as expected in the answer. */
export interface AbiValue {
	type: string;
	/** In the request: inside JSON, or as text at the top level. */
	input: unknown;
	/** In the answer; integers as bigint. */
	output: unknown;
}

const width = fc.integer({ min: 1, max: 32 });

function bytesOf(length: number): Arbitrary<string> {
	return fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => hexlify(bytes));
}

const unsigned = width.chain((bytes) => {
	return fc.bigInt({ min: 0n, max: (1n << BigInt(8 * bytes)) - 1n }).map((value) => {
		return { type: `uint${8 * bytes}`, input: value.toString(), output: value };
	});
});

const signed = width.chain((bytes) => {
	const half = 1n << BigInt(8 * bytes - 1);
	return fc.bigInt({ min: -half, max: half - 1n }).map((value) => {
		return { type: `int${8 * bytes}`, input: value.toString(), output: value };
	});
});

const same = (type: string) => (value: unknown) => ({ type, input: value, output: value });

const elementary: Arbitrary<AbiValue> = fc.oneof(
	unsigned,
	signed,
	fc.boolean().map(same('bool')),
	fc.string({ unit: 'grapheme' }).map(same('string')),
	fc.uint8Array().map((bytes) => same('bytes')(hexlify(bytes))),
	width.chain((bytes) => bytesOf(bytes).map(same(`bytes${bytes}`))),
	bytesOf(20).map((text) => ({ type: 'address', input: text, output: getAddress(text) })),
);

function tupleOf(components: AbiValue[]): AbiValue {
	return {
		type: `(${components.map(({ type }) => type).join(',')})`,
		input: components.map(({ input }) => input),
		output: components.map(({ output }) => output),
	};
}

/** An array of equal elements: only the nesting of the types matters. */
function arrayOf(element: AbiValue, length: number, isFixed: boolean): AbiValue {
	return {
		type: `${element.type}[${isFixed ? length : ''}]`,
		input: Array.from({ length }, () => element.input),
		output: Array.from({ length }, () => element.output),
	};
}

/** A value of a random ABI type, nested up to a few levels. */
export const abiValue: Arbitrary<AbiValue> = fc.letrec<{ any: AbiValue }>((tie) => ({
	any: fc.oneof(
		{ maxDepth: 3 },
		elementary,
		fc.array(tie('any'), { minLength: 1, maxLength: 4 }).map(tupleOf),
		fc
			.tuple(tie('any'), fc.integer({ min: 1, max: 3 }), fc.boolean())
			.map(([element, length, isFixed]) => arrayOf(element, length, isFixed)),
	),
})).any;
