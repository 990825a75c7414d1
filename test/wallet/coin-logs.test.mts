/** Networks that log their native coin as a token: what is paid for gas is no transfer. */
import { toBeHex, zeroPadValue } from 'ethers';
import { readLog, TRANSFER } from '../../service/src/chain/transfers.mts';
import { walletAt } from './support/indexed.mts';

const logAt = (address: string) => ({
	address,
	topics: [TRANSFER ?? '', zeroPadValue(walletAt(1), 32), zeroPadValue(toBeHex(0x8001, 20), 32)],
	data: toBeHex(4_798_400_500_000n, 32),
	transactionHash: `0x${'a'.repeat(64)}`,
});

test.each([
	['the base token of the ZKsync stack', toBeHex(0x800a, 20)],
	['the same in other letters', '0x000000000000000000000000000000000000800A'],
	['the address of EIP-7708', `0x${'f'.repeat(39)}e`],
])('%s transfers nothing', (_name, address) => {
	expect(readLog(logAt(address))).toEqual([]);
});

test('a token transfers, also to the address that collects gas', () => {
	expect(readLog(logAt(toBeHex(0x800b, 20)))).toMatchObject([{ value: 4_798_400_500_000n }]);
});
