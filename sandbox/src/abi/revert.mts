import { AbiCoder, isCallException, type ErrorDescription, type Interface } from 'ethers';

/** Describes the data returned by a reverted call. */
export type RevertReader = (data: string) => string;

/** Data of a reverted call, '0x' if it returned none; undefined for any other error. */
export function revertData(error: unknown): string | undefined {
	return isCallException(error) ? (error.data ?? '0x') : undefined;
}

/** Splits a name into words: `ERC20InsufficientBalance` becomes `ERC20 insufficient balance`. */
function words(name: string): string {
	const [first = '', ...rest] = name.split(/(?<=[a-z0-9])(?=[A-Z])/);
	return [first, ...rest.map((word) => word.toLowerCase())].join(' ');
}

function describe({ name, fragment, args }: ErrorDescription): string {
	const values = fragment.inputs.map((input, index) => {
		return `${input.name || input.type} ${String(args[index])}`;
	});
	return values.length === 0 ? words(name) : `${words(name)}: ${values.join(', ')}`;
}

/** Returns a reader for `Error(string)`, `Panic(uint256)` and the custom errors of these ABIs. */
export function revertReader(abis: Interface[]): RevertReader {
	return (data) => {
		if (data === '0x') return 'The contract reverted without a reason';
		const { reason } = AbiCoder.getBuiltinCallException('call', { to: null, data: '0x' }, data);
		if (reason !== null) return reason;
		for (const abi of abis) {
			const custom = abi.parseError(data);
			if (custom) return describe(custom);
		}
		return `The contract reverted with an unknown error: ${data}`;
	};
}
