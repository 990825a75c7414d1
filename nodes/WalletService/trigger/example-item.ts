import type { IDataObject } from 'n8n-workflow';

/** Marks the example that replaces a transfer when there is none. */
const SAMPLE = 'A made-up example: no transfer of the watched wallets matches yet';

/** The address that nobody owns. */
const NOBODY = `0x${'0'.repeat(40)}`;

/** A made-up transfer in the form of a real one, to build a workflow with. */
export function exampleTransfer(userId: string): IDataObject {
	return {
		type: 'TRANSFER',
		toUsername: 'example',
		toPlatform: 'EXAMPLE',
		toAddress: NOBODY,
		value: '1500000',
		formatted: '1.5',
		decimals: 6,
		symbol: 'EXAMPLE',
		name: 'Example Token',
		tokenAddress: NOBODY,
		network: 'example',
		chainId: 0,
		timestamp: '2000-01-01T00:00:00.000Z',
		hash: `0x${'0'.repeat(64)}`,
		explorerUrl: '',
		userId,
		direction: 'incoming',
		gapPossible: false,
		sample: SAMPLE,
	};
}
