import { hexlify, type JsonFragmentType } from 'ethers';
import fc from 'fast-check';

/** A random ABI type. */
export type Shape =
	| { readonly kind: 'leaf'; readonly type: string }
	| { readonly kind: 'array'; readonly of: Shape; readonly length: number | undefined }
	| { readonly kind: 'tuple'; readonly members: readonly Shape[]; readonly named: boolean };

/** A value of a shape: integers as bigint, bytes and addresses as hexadecimal, tuples as lists. */
export type Value = bigint | boolean | string | Value[];

const sizes = Array.from({ length: 32 }, (_, index) => index + 1);
const leafTypes = [
	...sizes.flatMap((size) => [`uint${size * 8}`, `int${size * 8}`, `bytes${size}`]),
	...Array.from({ length: 12 }, () => ['uint256', 'address', 'bool', 'string', 'bytes']).flat(),
];

/** Types of every family, nested up to five deep. */
export const shape: fc.Arbitrary<Shape> = fc.letrec<{ any: Shape }>((tie) => ({
	any: fc.oneof(
		{ maxDepth: 4, depthSize: 'small' },
		fc.record({ kind: fc.constant('leaf'), type: fc.constantFrom(...leafTypes) }),
		fc.record({
			kind: fc.constant('array'),
			of: tie('any'),
			length: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
		}),
		fc.record({
			kind: fc.constant('tuple'),
			members: fc.array(tie('any'), { minLength: 1, maxLength: 4 }),
			named: fc.boolean(),
		}),
	),
})).any;

/** The JSON ABI of a shape. */
export function jsonAbi(of: Shape, name = ''): JsonFragmentType {
	if (of.kind === 'leaf') return { type: of.type, name };
	if (of.kind === 'array') {
		const element = jsonAbi(of.of);
		return { ...element, type: `${element.type}[${of.length ?? ''}]`, name };
	}
	const components = of.members.map((member, index) =>
		jsonAbi(member, of.named ? `m${index}` : ''),
	);
	return { type: 'tuple', name, components };
}

/** A shape as a person writes it in a signature. */
export function written(of: Shape, name = ''): string {
	const fragment = jsonAbi(of, name);
	const suffix = name === '' ? '' : ` ${name}`;
	if (of.kind === 'leaf') return `${of.type}${suffix}`;
	if (of.kind === 'array') return `${written(of.of)}[${of.length ?? ''}]${suffix}`;
	const members = of.members.map((member, index) =>
		written(member, fragment.components?.[index]?.name),
	);
	return `(${members.join(', ')})${suffix}`;
}

const bytes = (size?: number) =>
	fc
		.uint8Array(size === undefined ? { maxLength: 70 } : { minLength: size, maxLength: size })
		.map((data) => hexlify(data));

function leafValue(type: string): fc.Arbitrary<Value> {
	const size = Number(/\d+$/.exec(type)?.[0] ?? 0);
	if (type === 'bool') return fc.boolean();
	if (type === 'address') return bytes(20);
	if (type === 'string') return fc.string({ unit: 'grapheme' });
	if (type.startsWith('bytes')) return bytes(size === 0 ? undefined : size);
	const bits = BigInt(size);
	const [min, max] = type.startsWith('u')
		? [0n, 2n ** bits - 1n]
		: [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
	return fc.oneof(
		{ weight: 1, arbitrary: fc.constantFrom(min, max) },
		{ weight: 3, arbitrary: fc.bigInt({ min, max }) },
	);
}

/** Random values of a shape. */
export function valueOf(of: Shape): fc.Arbitrary<Value> {
	if (of.kind === 'leaf') return leafValue(of.type);
	if (of.kind === 'tuple') return fc.tuple(...of.members.map(valueOf));
	const { length } = of;
	return fc.array(
		valueOf(of.of),
		length === undefined ? { maxLength: 3 } : { minLength: length, maxLength: length },
	);
}

/** A function with random parameters, and a value for each. */
export const call = fc
	.array(shape, { maxLength: 4 })
	.chain((shapes) =>
		fc.record({ shapes: fc.constant(shapes), values: fc.tuple(...shapes.map(valueOf)) }),
	);

/** A value in the form that a user enters or the node outputs: integers as decimal strings, named tuples as objects. */
export function asShown(value: Value, of: Shape): unknown {
	if (typeof value === 'bigint') return value.toString();
	if (!Array.isArray(value) || of.kind === 'leaf') return value;
	if (of.kind === 'array') return value.map((element) => asShown(element, of.of));
	const members = of.members.map((member, index) => asShown(value[index] ?? '', member));
	return of.named
		? Object.fromEntries(members.map((member, index) => [`m${index}`, member]))
		: members;
}

/** A value as the service returns it: every integer a BigNumber object, occasionally with leading zeros. */
export function asAnswer(value: Value): unknown {
	if (Array.isArray(value)) return value.map(asAnswer);
	if (typeof value !== 'bigint') return value;
	const digits = (value < 0n ? -value : value).toString(16);
	return {
		type: 'BigNumber',
		hex: `${value < 0n ? '-' : ''}0x${digits.length % 2 === 0 ? '' : '0'}${digits}`,
	};
}
