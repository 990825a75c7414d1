import { AbiCoder, type ErrorDescription, type Interface } from 'ethers';
import { STANDARD_ERRORS } from './standard-errors.mts';

// Parts of data may lie at the same place, and then take more time than their size suggests. Compilers do not do this.
AbiCoder._setDefaultMaxInflation(2);

/** Maximum number of characters of a reason, and what follows one that is cut. */
const MOST = 1_000;
const CUT = '...';

/** Maximum length of what is read. */
export const MAX_REASON = MOST + CUT.length;

/** Describes the data returned by a reverted call. */
export type RevertReader = (data: string) => string;

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

/** Returns a reader for `Error(string)`, `Panic(uint256)`, the errors of the standards and of these ABIs; it quotes all other data. */
export function revertReader(abis: Interface[]): RevertReader {
	const read = (data: string): string => {
		if (data === '0x') return '';
		try {
			const { reason } = AbiCoder.getBuiltinCallException('call', { to: null, data: '0x' }, data);
			if (reason !== null) return reason;
			for (const abi of [...abis, STANDARD_ERRORS]) {
				const custom = abi.parseError(data);
				if (custom) return describe(custom);
			}
		} catch {
			// It begins like a known error, but is not one.
		}
		return `The contract reverted with an unknown error: ${data}`;
	};
	return (data) => {
		// Texts that were bytes32 end with zeros, which PostgreSQL refuses.
		const reason = read(data).replaceAll('\0', '') || 'The contract reverted without a reason';
		return reason.length > MOST ? reason.slice(0, MOST).toWellFormed() + CUT : reason;
	};
}
