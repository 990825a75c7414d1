import type { IDataObject } from 'n8n-workflow';

/** Marks the example that replaces a transfer when there is none. */
const SAMPLE = 'A made-up example: no transfer of the watched wallets matches yet';

/** The address that nobody owns. */
const NOBODY = `0x${'0'.repeat(40)}`;

/** A made-up transfer in the form of a real one, to build a workflow with. */
export function exampleTransfer(userId: string): IDataObject {
	return {
		timestamp: '2000-01-01T00:00:00.000Z',
		direction: 'received',
		amount: '1.5',
		symbol: 'EXAMPLE',
		who: null,
		explorerUrl: '',
		toAddress: NOBODY,
		tokenAddress: NOBODY,
		hash: `0x${'0'.repeat(64)}`,
		userId,
		gapPossible: false,
		sample: SAMPLE,
	};
}
