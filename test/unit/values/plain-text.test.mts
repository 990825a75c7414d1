/** Symbols and names of tokens as services answer them. */
import { plainText } from '../../../nodes/WalletService/values/plain-text.ts';

const ZEROS = '00'.repeat(29);

it.each<[value: unknown, text: unknown]>([
	['SUSD', 'SUSD'],
	['MKR\0\0', 'MKR'],
	[`0x4d4b52${ZEROS}`, 'MKR'],
	[`0x${'41'.repeat(32)}`, 'A'.repeat(32)],
	[`0x4d4B52${ZEROS}00`, `0x4d4B52${ZEROS}00`],
	[`0x${'00'.repeat(31)}20`, ''],
	['0xBTC', '0xBTC'],
	['', ''],
	[undefined, undefined],
	[null, null],
])('plainText reads %j as %j', (value, text) => {
	expect(plainText(value)).toBe(text);
});
