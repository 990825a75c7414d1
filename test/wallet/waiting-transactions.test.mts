/** A transaction that waits for a block, in the forms of several clients. */
import { transactionIn } from '../../service/src/rpc/blocks.mts';

const KNOWN = { hash: `0x${'1'.repeat(64)}`, from: `0x${'2'.repeat(40)}`, nonce: '0x7' };
const blockHash = `0x${'3'.repeat(64)}`;

test.each([
	[{}, undefined],
	[{ blockNumber: null, blockHash: null }, undefined],
	[{ blockNumber: '0x10', blockHash: null }, undefined],
	[
		{ blockNumber: '0x10', blockHash },
		{ blockNumber: 16, blockHash },
	],
])('%j is read', (more, place) => {
	expect(transactionIn({ ...KNOWN, ...more })?.place).toEqual(place);
});
