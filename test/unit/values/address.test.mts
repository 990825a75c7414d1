/** Addresses, alone or in the URL of an explorer's page. */
import { getAddress, hexlify } from 'ethers';
import fc from 'fast-check';

import {
	isAddress,
	parseAddress,
	withKnownChecksum,
} from '../../../nodes/WalletService/values/address.ts';
import {
	CONTRACT_PAGE,
	parseAddressOrPage,
	parseHashOrPage,
	WALLET_PAGE,
} from '../../../nodes/WalletService/values/urls.ts';
import { refusalOf } from '../support/refusal.mts';
import { forAll } from '../support/for-all.mts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const OTHER = `0x${'b2'.repeat(20)}`;
const tokenIn = (value: unknown) => parseAddressOrPage(value, 'token', CONTRACT_PAGE, 'a token');
const notAnAddress = (value: unknown): [unknown, RegExp] => [value, /is not an address/];
const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });

const UPPER = `0x${ADDRESS.slice(2).toUpperCase()}`;

it.each([ADDRESS, ADDRESS.toLowerCase(), UPPER, ` ${ADDRESS}\n`, `0x${'0'.repeat(40)}`])(
	'parseAddress takes %j',
	(value) => {
		expect(parseAddress(value, 'contractAddress')).toBe(value.trim());
	},
);

it.each([
	[ADDRESS.replace('d8d', 'd8D'), /wrong checksum/],
	[ADDRESS.replace('45', '46'), /wrong checksum/],
	[ADDRESS.slice(0, -1), /39 hexadecimal digits instead of 40/],
	[`${ADDRESS}0`, /41 hexadecimal digits/],
	['0x', /0 hexadecimal digits/],
	['s'.repeat(4000), /^"s{78}… is not an address$/],
	...[ADDRESS.slice(2), ADDRESS.replace('A', 'G')].map(notAnAddress),
	...['XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', 'vitalik.eth', ''].map(notAnAddress),
	...[42, null, undefined, [ADDRESS]].map(notAnAddress),
])('parseAddress refuses %j', (value, message) => {
	const refusal = refusalOf(() => parseAddress(value, 'contractAddress'));
	expect(refusal).toMatchObject({ parameter: 'contractAddress' });
	expect(refusal.message).toMatch(message);
});

it.each([
	...[`Anna ${ADDRESS}`, `${ADDRESS} (Anna)`, `Anna: ${ADDRESS}`, `Anna <${ADDRESS}>`],
	...[`Anna\n${ADDRESS}`, `${ADDRESS}, Anna`, `안나 ${ADDRESS}`, `To ${ADDRESS.toLowerCase()}.`],
])('parseAddress wants the address in %j without the name', (value) => {
	const { message, hint } = refusalOf(() => parseAddress(value, 'a'));
	expect(message).toMatch(/ contains text besides the address$/);
	expect(hint).toBe('Enter one address, without the name');
});

it.each([`"${ADDRESS}"`, `${ADDRESS},`, `${ADDRESS} ${OTHER}`, `ftp://e.example/${ADDRESS}`])(
	'parseAddress names no name in %j',
	(value) => {
		const { message, hint } = refusalOf(() => parseAddress(value, 'a'));
		expect(`${message}. ${hint}`).toMatch(/ is not an address\. Paste the address/);
	},
);

it.each([
	...['eth:', 'matic:', 'arb1:', 'bnb:', 'ethereum:', 'ethereum:pay-', 'eip155:1:', 'ETH:'],
])('parseAddress names the network in %j', (network) => {
	for (const rest of ['', '@1', '@1/transfer?address=0x12&uint256=1e18']) {
		const { message, hint } = refusalOf(() => parseAddress(`${network}${ADDRESS}${rest}`, 'a'));
		expect(message).toMatch(/ names a network before the address$/);
		expect(hint).toContain(`remove "${network}"`);
	}
});

// Examples of EIP-1191, for the chains 30 and 31.
it.each([
	'0x27b1FdB04752BBc536007A920D24ACB045561c26',
	'0x27B1FdB04752BbC536007a920D24acB045561C26',
	'0x3599689E6292B81B2D85451025146515070129Bb',
])('the checksum of Rootstock in %s is data from a service, but refused as input', (address) => {
	const { message, hint } = refusalOf(() => parseAddress(address, 'a'));
	expect(message).toMatch(/a wrong checksum/);
	expect(hint).toMatch(/in lower case .*: Rootstock has checksums of its own \(EIP-1191\)$/);
	expect(isAddress(address)).toBe(true);
	expect(withKnownChecksum(address)).toBe(address.toLowerCase());
	expect(parseAddress(address.toLowerCase(), 'a')).toBe(address.toLowerCase());
});

it.each([ADDRESS, ADDRESS.toLowerCase(), UPPER])('withKnownChecksum keeps %s', (address) => {
	expect(withKnownChecksum(address)).toBe(address);
});

it('parseAddress checks the case of every digit', () => {
	const [lower, upper] = ['a'.repeat(40), 'A'.repeat(40)];
	for (let index = 0; index < 40; index += 1) {
		const capital = `0x${lower.slice(0, index)}A${lower.slice(index + 1)}`;
		const small = `0x${upper.slice(0, index)}a${upper.slice(index + 1)}`;
		expect(() => parseAddress(capital, 'a')).toThrow(/wrong checksum/);
		expect(() => parseAddress(small, 'a')).toThrow(/wrong checksum/);
	}
	// If an address has only one letter, first or last, its case does not count as a checksum.
	const digits = '1'.repeat(39);
	for (const address of [`0xa${digits}`, `0xA${digits}`, `0x${digits}a`, `0x${digits}A`]) {
		expect(parseAddress(address, 'a')).toBe(address);
	}
});

it('parseAddress takes every address that ethers writes', async () => {
	await forAll([bytes], 100, (given) => {
		const address = getAddress(hexlify(given));
		expect(parseAddress(address, 'a')).toBe(address);
		expect(parseAddress(address.toLowerCase(), 'a')).toBe(address.toLowerCase());
	});
});

const token = `https://etherscan.io/token/${ADDRESS}`;

test.each([
	...[ADDRESS, ` ${ADDRESS}\n`, token, ` ${token} `, `${token}#code`, `${token}/`],
	...[`${token}?a=${OTHER}`, `${token}?a=${OTHER}#balances`],
	`https://etherscan.io/address/${ADDRESS}`,
	`https://etherscan.io/nft/${ADDRESS}/42`,
	`https://explorer.example:8443/eth/mainnet/token/${ADDRESS}/token-transfers`,
	`http://127.0.0.1:4010/explorer/address/${ADDRESS}`,
	`https://explorer.example/contract/${ADDRESS}`,
])('%s is the page of a token', (value) => {
	expect(tokenIn(value)).toBe(ADDRESS);
});

test.each([
	...['tx', 'token'].map((kind) => `https://etherscan.io/${kind}/0x${'a'.repeat(64)}`),
	...['https://etherscan.io/token/usd-coin', 'https://etherscan.io/token/0x12'],
	...[`https://etherscan.io/?token/${ADDRESS}`, `https://etherscan.io/#/token/${ADDRESS}`],
	...[`https://dex.example/ethereum/${ADDRESS}`, `https://me@etherscan.io/token/${ADDRESS}`],
	`${token} and more`,
])('%s is not the page of a token', (value) => {
	const { message } = refusalOf(() => tokenIn(value));
	expect(message).toMatch(/ is not a block explorer page of a token$/);
});

test.each([
	['two addresses', `${token}/address/${OTHER}`, /contains 2 addresses/],
	['two, the other first', `https://e.example/address/${OTHER}/token/${ADDRESS}`, /contains 2/],
	['a wrong checksum', token.replace('d8dA', 'D8dA'), /checksum/],
	['another protocol', `ftp://etherscan.io/token/${ADDRESS}`, /is not an address/],
	['a list', [ADDRESS], /is not an address/],
])('%s is refused', (_name, value, message) => {
	expect(refusalOf(() => tokenIn(value)).message).toMatch(message);
});

test('the page of a token is not the page of a wallet: tokens sent there are lost', () => {
	const walletIn = (page: string) => parseAddressOrPage(page, 'to', WALLET_PAGE, 'a wallet');
	expect(() => walletIn(`${token}?a=${OTHER}`)).toThrow(/page of a wallet/);
	expect(walletIn(`https://etherscan.io/address/${OTHER}#tokentxns`)).toBe(OTHER);
});

test('the address in the path counts, whatever follows ? and #', async () => {
	await forAll(
		[bytes, fc.webQueryParameters(), fc.webFragments()],
		100,
		(given, query, fragment) => {
			const address = getAddress(hexlify(given));
			expect(tokenIn(`https://e.example/token/${address}?${query}#${fragment}`)).toBe(address);
		},
	);
});

const HASH = `0x${'5e'.repeat(32)}`;
const hashIn = (value: unknown) => parseHashOrPage(value, 'hash');

test.each([
	...[HASH, ` ${HASH}\n`, `0x${HASH.slice(2).toUpperCase()}`],
	...['#eventlog', '/', '', '?chain=1', `?a=${OTHER}&b=0x${'a'.repeat(64)}#x`, '/logs'].map(
		(rest) => `https://etherscan.io/tx/${HASH}${rest}`,
	),
	` HTTPS://e.example/tx/0x${HASH.slice(2).toUpperCase()}\n`,
	`http://127.0.0.1:4010/explorer/tx/${HASH}`,
	`https://dashboard.tenderly.co/tx/mainnet/${HASH}`,
	`https://www.blockchain.com/explorer/transactions/eth/${HASH}`,
	`https://e.example/address/${OTHER}/transaction/${HASH}`,
	...['txs', 'txn', 'transaction', 'transactions'].map(
		(kind) => `https://e.example/${kind}/${HASH}`,
	),
])('%s is a transaction or its page', (value) => {
	expect(hashIn(value)).toBe(HASH);
});

test.each([
	`https://etherscan.io/block/${HASH}`,
	`https://etherscan.io/${HASH}`,
	`https://etherscan.io/#/tx/${HASH}`,
	`https://etherscan.io/?tx=/tx/${HASH}`,
	`https://etherscan.io/tx/${HASH.slice(0, -1)}`,
	`https://etherscan.io/tx/${HASH}0`,
	`https://etherscan.io/tx/a${HASH}`,
	`https://etherscan.io/tx/${HASH} and more`,
	`https://etherscan.io/tx/0x${'0'.repeat(64)}`,
	`https://etherscan.io/${HASH}/tx/`,
	'https://',
])('%s is not the page of a transaction', (value) => {
	const { message, hint } = refusalOf(() => hashIn(value));
	expect(message).toMatch(/ is not a block explorer page of a transaction$/);
	expect(hint).toMatch(/^Copy only the hash/);
});

test.each<[unknown, RegExp]>([
	[`https://e.example/tx/${HASH}/${HASH}`, /contains 2 hashes$/],
	[`https://e.example/block/0x${'a'.repeat(64)}/tx/${HASH}`, /contains 2 hashes$/],
	[`etherscan.io/tx/${HASH}`, /is not a transaction hash$/],
	[`ftp://etherscan.io/tx/${HASH}`, /is not a transaction hash$/],
	[`${HASH} ${HASH}`, /is not a transaction hash$/],
	[[HASH], /is not a transaction hash$/],
	[undefined, /is not a transaction hash$/],
])('%j is not a transaction hash', (value, message) => {
	expect(refusalOf(() => hashIn(value)).message).toMatch(message);
});

it('parseAddress reads an address that a program has written in upper case', () => {
	expect(parseAddress(UPPER.replace('0x', '0X'), 'to')).toBe(UPPER);
});
