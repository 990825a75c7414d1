import fc from 'fast-check';
import { getAddress } from 'ethers';

import {
	CONTRACT_PAGE,
	parseAddressOrPage,
	WALLET_PAGE,
} from '../../../nodes/WalletService/values/urls.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const OTHER = `0x${'b2'.repeat(20)}`;
const TOKENS = [CONTRACT_PAGE, 'a token'] as const;
const WALLETS = [WALLET_PAGE, 'a wallet'] as const;

test.each([
	ADDRESS,
	` ${ADDRESS}\n`,
	`https://etherscan.io/token/${ADDRESS}`,
	`https://etherscan.io/address/${ADDRESS}`,
	` https://etherscan.io/token/${ADDRESS} `,
	`https://etherscan.io/token/${ADDRESS}?a=${OTHER}`,
	`https://etherscan.io/token/${ADDRESS}?a=${OTHER}#balances`,
	`https://etherscan.io/token/${ADDRESS}#code`,
	`https://etherscan.io/token/${ADDRESS}/`,
	`https://etherscan.io/nft/${ADDRESS}/42`,
	`https://explorer.example:8443/eth/mainnet/token/${ADDRESS}/token-transfers`,
	`http://127.0.0.1:4010/explorer/address/${ADDRESS}`,
	`https://explorer.example/contract/${ADDRESS}`,
])('%s is the page of a token', (value) => {
	expect(parseAddressOrPage(value, 'token', ...TOKENS)).toBe(ADDRESS);
});

test.each([
	['a transaction', `https://etherscan.io/tx/0x${'a'.repeat(64)}`, /is not an explorer's page of/],
	['a hash for an address', `https://etherscan.io/token/0x${'a'.repeat(64)}`, /is not an explorer/],
	['no address', 'https://etherscan.io/token/usd-coin', /is not an explorer's page of a token/],
	['a short address', 'https://etherscan.io/token/0x12', /is not an explorer's page of a token/],
	['an address elsewhere', `https://etherscan.io/?token/${ADDRESS}`, /is not an explorer's page/],
	['behind the hash', `https://etherscan.io/#/token/${ADDRESS}`, /is not an explorer's page/],
	['a pair', `https://dex.example/ethereum/${ADDRESS}`, /is not an explorer's page of a token/],
	['a user in front', `https://me@etherscan.io/token/${ADDRESS}`, /is not an explorer's page/],
	['two', `https://etherscan.io/token/${ADDRESS}/address/${OTHER}`, /names 2 addresses/],
	['two, the other first', `https://e.example/address/${OTHER}/token/${ADDRESS}`, /names 2/],
	['more behind it', `https://etherscan.io/token/${ADDRESS} and more`, /is not an explorer's page/],
	['a wrong checksum', `https://e.example/token/${ADDRESS.replace('d8dA', 'D8dA')}`, /checksum/],
	['another protocol', `ftp://etherscan.io/token/${ADDRESS}`, /is not an address/],
	['a symbol', 'SUSD', /is not an address/],
	['nothing', undefined, /is not an address/],
	['a list', [ADDRESS], /is not an address/],
])('%s is refused', (_name, value, message) => {
	expect(() => parseAddressOrPage(value, 'token', ...TOKENS)).toThrow(InvalidInputError);
	expect(() => parseAddressOrPage(value, 'token', ...TOKENS)).toThrow(message);
});

test('the page of a token is not that of a wallet: what is sent there is lost', () => {
	const page = `https://etherscan.io/token/${ADDRESS}?a=${OTHER}`;
	expect(() => parseAddressOrPage(page, 'recipient', ...WALLETS)).toThrow(/page of a wallet/);
	const own = `https://etherscan.io/address/${OTHER}#tokentxns`;
	expect(parseAddressOrPage(own, 'recipient', ...WALLETS)).toBe(OTHER);
});

test('whatever stands behind ? and #, the address of the path is taken', () => {
	const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
	fc.assert(
		fc.property(bytes, fc.webQueryParameters(), fc.webFragments(), (given, query, fragment) => {
			const address = getAddress(`0x${Buffer.from(given).toString('hex')}`);
			const page = `https://explorer.example/token/${address}?${query}#${fragment}`;
			expect(parseAddressOrPage(page, 'token', ...TOKENS)).toBe(address);
		}),
	);
});
