/** Which of the listed transfers answers a question. */
import { Sightings } from '../../../../nodes/WalletService/resources/history/find/sightings.ts';
import { readTransfers } from '../../../../nodes/WalletService/resources/history/transfer.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const TOKEN = `0x${'0c'.repeat(20)}`;
const [TREASURY, BOB] = [`0x${'01'.repeat(20)}`, `0x${'b2'.repeat(20)}`];

const entryOf = (address: string, hex: string) => ({
	...{ hash: HASH, timestamp: '2026-11-21T12:00:00.000Z', to: { address } },
	amount: { valueBn: { type: 'BigNumber', hex }, decimals: 6, tokenAddress: TOKEN },
});

test('of the transfers of one transaction, any is of its hash', () => {
	const transfers = readTransfers([entryOf(TREASURY, '0x01'), entryOf(BOB, '0x0a')]);
	expect(new Sightings().find(transfers, { hash: HASH })?.transfer).toBe(transfers[0]);
});
