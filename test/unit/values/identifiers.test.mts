import { getAddress, hexlify } from 'ethers';
import fc from 'fast-check';

import { parseAddress } from '../../../nodes/WalletService/values/address.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import { isUserId, parseUserId } from '../../../nodes/WalletService/values/user-id.ts';

const checksummed = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

describe('parseAddress', () => {
	it.each([
		[checksummed, checksummed],
		[checksummed.toLowerCase(), checksummed.toLowerCase()],
		[`0x${checksummed.slice(2).toUpperCase()}`, `0x${checksummed.slice(2).toUpperCase()}`],
		[` ${checksummed}\n`, checksummed],
		[`0x${'0'.repeat(40)}`, `0x${'0'.repeat(40)}`],
	])('takes %j', (value, expected) => {
		expect(parseAddress(value, 'contractAddress')).toBe(expected);
	});

	it.each([
		[checksummed.replace('d8d', 'd8D'), /wrong checksum/],
		[checksummed.replace('45', '46'), /wrong checksum/],
		[checksummed.slice(0, -1), /39 hexadecimal digits instead of 40/],
		[`${checksummed}0`, /41 hexadecimal digits/],
		[checksummed.slice(2), /is not an address/],
		[checksummed.replace('0x', '0X'), /is not an address/],
		[checksummed.replace('A', 'G'), /is not an address/],
		['XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', /is not an address/],
		['vitalik.eth', /is not an address/],
		['', /is not an address/],
		['0x', /0 hexadecimal digits/],
		[42, /is not an address/],
		[null, /is not an address/],
		[undefined, /is not an address/],
		[[checksummed], /is not an address/],
	])('refuses %j', (value, message) => {
		expect(() => parseAddress(value, 'contractAddress')).toThrow(message);
		expect(() => parseAddress(value, 'contractAddress')).toThrow(
			expect.objectContaining({ parameter: 'contractAddress', value }),
		);
	});

	it('looks at the case of every digit', () => {
		const [lower, upper] = ['a'.repeat(40), 'A'.repeat(40)];
		for (let index = 0; index < 40; index += 1) {
			const capital = `0x${lower.slice(0, index)}A${lower.slice(index + 1)}`;
			const small = `0x${upper.slice(0, index)}a${upper.slice(index + 1)}`;
			expect(() => parseAddress(capital, 'a')).toThrow(/wrong checksum/);
			expect(() => parseAddress(small, 'a')).toThrow(/wrong checksum/);
		}
		// No letter but the first, or the last, whose case says anything.
		const digits = '1'.repeat(39);
		const first = [`0xa${digits}`, `0xA${digits}`];
		const last = [`0x${digits}a`, `0x${digits}A`];
		for (const address of [...first, ...last]) expect(parseAddress(address, 'a')).toBe(address);
	});

	it('quotes a long value only in part', () => {
		const secret = 's'.repeat(4000);
		expect(() => parseAddress(secret, 'contractAddress')).toThrow(
			expect.objectContaining({ message: expect.stringMatching(/^.{60,110}$/) }),
		);
	});

	it('takes every address that ethers writes', () => {
		fc.assert(
			fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
				const address = getAddress(hexlify(bytes));
				expect(parseAddress(address, 'a')).toBe(address);
				expect(parseAddress(address.toLowerCase(), 'a')).toBe(address.toLowerCase());
			}),
		);
	});
});

describe('parseUserId', () => {
	it.each([
		['DISCORD-80351110224678912'],
		['EPIC_GAMES-a-b-c'],
		['CHESS-anna/k b%2F@é'],
		['WEB3-..'],
		['TWITTER-\u{1F600}'],
		['X-y\nz'],
	])('takes %j', (userId) => {
		expect(parseUserId(userId, 'userId')).toBe(userId);
		expect(isUserId(userId)).toBe(true);
	});

	it('drops surrounding white space', () => {
		expect(parseUserId(' GOOGLE-1\n', 'userId')).toBe('GOOGLE-1');
	});

	it.each([
		[''],
		[' '],
		['.'],
		['..'],
		['DISCORD'],
		['DISCORD-'],
		['-1'],
		['discord-1'],
		['Discord-1'],
		['https://evil.example/USER-1'],
		['HTTPS://EVIL-1'],
		['//evil-1'],
		['../X-1'],
		['DIS CORD-1'],
		['X-\ud800'],
		[null],
		[undefined],
		[12],
		[{}],
	])('refuses %j', (value) => {
		expect(() => parseUserId(value, 'userId')).toThrow(InvalidInputError);
		expect(() => parseUserId(value, 'userId')).toThrow(
			expect.objectContaining({ parameter: 'userId' }),
		);
		expect(isUserId(value)).toBe(false);
	});
});
