/** Base URLs: normalized, encrypted, and never repeated in an error if they may contain a secret. */
import { inspect } from 'node:util';
import fc from 'fast-check';

import {
	assertEncrypted,
	baseUrlOf,
	withBaseUrl,
} from '../../../../nodes/WalletService/request/credential/base-url.ts';
import { urlOf } from '../../../../nodes/WalletService/values/urls.ts';
import { forAll } from '../../support/for-all.mts';

/** URLs on this machine or in its private network, in normalized form. */
const PRIVATE =
	'localhost:4010 wallet.localhost 127.8.9.1 10.1.2.3 172.16.0.9 172.31.255.1 169.254.169.254 [::1]:4010 [fd12::1] [fc0a::1] [fe80::1] [febf::1]'
		.split(' ')
		.map((host) => [`http://${host}`, `http://${host}`]);

test.each([
	['https://wallet.example.com', 'https://wallet.example.com'],
	['  https://wallet.example.com/ \n', 'https://wallet.example.com'],
	['https://wallet.example.com///', 'https://wallet.example.com'],
	['https://wallet.example.com/v1', 'https://wallet.example.com'],
	['https://wallet.example.com/v1/', 'https://wallet.example.com'],
	['https://wallet.example.com/api/wallet/', 'https://wallet.example.com/api/wallet'],
	['https://wallet.example.com/api/v1//', 'https://wallet.example.com/api'],
	['https://wallet.example.com/v10', 'https://wallet.example.com/v10'],
	['HTTPS://Wallet.Example.COM:8443', 'https://wallet.example.com:8443'],
	['http://127.0.0.1:4010/v1', 'http://127.0.0.1:4010'],
	['http://192.168.1.5:80', 'http://192.168.1.5'],
	['http://2130706433', 'http://127.0.0.1'],
	...PRIVATE,
])('%j is %s', (given, normalized) => {
	expect(baseUrlOf({ baseUrl: given as never, allowInsecureHttp: false })).toBe(normalized);
});

const PUBLIC =
	'wallet.example.com 8.8.8.8 172.32.0.1 192.169.0.1 11.0.0.1 110.0.0.1 8.10.0.1 169.253.0.1 localhost.evil.example evil-localhost 127.0.0.1.evil.example 127.evil.example [2001:db8::1] [::10] [fc1::1] [fec0::1] [2001:fd00::1] fd00.example';

const REFUSED: [message: RegExp, ...given: (string | undefined)[]][] = [
	[/empty/, '', undefined],
	[/is not a URL/, 'wallet.example.com'],
	[/does not start with http/, 'ftp://wallet.example.com', 'javascript:alert(1)'],
	[/user name or password/, 'https://user:pass@wallet.example.com', 'https://@wallet.example.com'],
	[/user name or password/, 'https://token@wallet.example.com', 'https://wallet.example.com/@me'],
	[/query/, 'https://wallet.example.com?x=1', 'https://wallet.example.com?'],
	[/fragment/, 'https://wallet.example.com#x', 'https://wallet.example.com/#'],
	[/unencrypted/, ...PUBLIC.split(' ').map((host) => `http://${host}`)],
];
const refused = REFUSED.flatMap(([message, ...all]) =>
	all.map((given) => [given, message] as const),
);

test.each(refused)('%j is refused', (given, message) => {
	expect(() => baseUrlOf({ baseUrl: given as never, allowInsecureHttp: false })).toThrow(message);
});

test('HTTP is accepted only if the credential allows it, with a real boolean', () => {
	const baseUrl = 'http://wallet.example/';
	expect(baseUrlOf({ baseUrl, allowInsecureHttp: true })).toBe('http://wallet.example');
	for (const allowInsecureHttp of [false, 'true', 1]) {
		expect(() => baseUrlOf({ baseUrl, allowInsecureHttp })).toThrow(/tokens are sent unencrypted/);
	}
	expect(() => baseUrlOf({ baseUrl })).toThrow(/unencrypted/);
	expect(baseUrlOf({ baseUrl: 'https://wallet.example/v1' })).toBe('https://wallet.example');
});

test.each([
	['https://wallet.example.com/oauth/token', 'https://wallet.example.com'],
	[' https://wallet.example.com/api/v1/oauth/token\n', 'https://wallet.example.com/api'],
	['http://127.0.0.1:4010/oauth/token', 'http://127.0.0.1:4010'],
])('an empty base URL of a sign-in at %j is %s', (accessTokenUrl, baseUrl) => {
	for (const empty of ['', ' \n']) {
		expect(baseUrlOf(withBaseUrl({ baseUrl: empty, accessTokenUrl }))).toBe(baseUrl);
	}
});

test.each<[what: string, baseUrl: unknown, accessTokenUrl: unknown]>([
	['entered', 'https://wallet.example.com', 'https://other.example/oauth/token'],
	['an expression without a result', undefined, 'https://wallet.example.com/oauth/token'],
	['of another sign-in', '', 'https://id.example.com/realms/a/protocol/openid-connect/token'],
	['of a sign-in with a query', '', 'https://wallet.example.com/oauth/token?a=/oauth/token?'],
	['of a sign-in at a similar path', '', 'https://wallet.example.com/my-oauth/token'],
	['of a sign-in without an address', '', '/oauth/token'],
	['of a pasted token', '', undefined],
])('a base URL %s remains unchanged', (_what, baseUrl, accessTokenUrl) => {
	const credential = { baseUrl, accessTokenUrl } as never;
	expect(withBaseUrl(credential)).toBe(credential);
});

/** Runs an action that must throw, and returns everything that its error contains. */
function contentOf(action: () => unknown): string {
	try {
		action();
	} catch (error) {
		return inspect(error, { depth: Infinity, maxStringLength: Infinity, showHidden: true });
	}
	throw new Error('It was not refused');
}

const SECRET = 'hunter2';

/** URLs with a user name and a password (`*`), each broken differently; the last two are tokens, for the next field. */
const BROKEN = `
https://user:*@wallet.example.com | https://*@wallet.example.com | https:user:*@wallet.example.com
https:/user:*@wallet.example.com | https:\\\\user:*@wallet.example.com | //user:*@wallet.example.com
://user:*@wallet.example.com | user:*@wallet.example.com | https ://user:*@wallet.example.com
https://user:* @wallet.example.com | https://user:*@wallet example.com | wallet:*
https://user:*@wallet.example.com:99999 | https://user:*@wallet.example.com:port | https://user:*@
https://user:*＠wallet.example.com | https://user:*%40wallet.example.com | https://user:*@[::1
https://user:*﹫wallet.example.com | https://üser:*@wället.example.com:x
https://user:12/*@wallet.example.com | http://*:12/34@wallet.example.com
http://user:*@wallet.example.com | ftp://user:*@wallet.example.com
mailto:user:*@wallet.example.com | https://user:*@wallet.example.com?x=1#y | ey.*.x-y_z | Bearer *
`
	.trim()
	.split(/ \| |\n/)
	.map((text) => text.replace('*', SECRET));

test.each(BROKEN)('%j is refused without repeating the secret, also as another URL', (text) => {
	for (const value of [text, ` ${text}\n`]) {
		expect(
			contentOf(() => baseUrlOf({ baseUrl: value as never, allowInsecureHttp: true })),
		).not.toContain(SECRET);
		expect(
			contentOf(() => baseUrlOf({ baseUrl: value as never, allowInsecureHttp: false })),
		).not.toContain(SECRET);
	}
	for (const value of [text, text.replace(/^https:\/\//, 'http://')]) {
		const check = () => {
			assertEncrypted(urlOf(value), 'Access Token URL', false);
			if (URL.parse(value)?.protocol === 'https:') throw new Error('It may be used');
		};
		expect(contentOf(check)).not.toContain(SECRET);
	}
});

test('another URL is named by its field', () => {
	const check = () => assertEncrypted(urlOf('wallet.example.com'), 'Access Token URL', false);
	expect(check).toThrow('The Access Token URL does not start with http:// or https://');
});

test('a user name and password in any URL are not repeated', async () => {
	const word = fc.stringMatching(/^[!-~]{0,12}$/);
	await forAll([word, word, word, fc.boolean()], 100, (scheme, user, host, isInsecureFine) => {
		const text = `${scheme}${user}:${SECRET}@${host}`;
		return !contentOf(() =>
			baseUrlOf({ baseUrl: text as never, allowInsecureHttp: isInsecureFine }),
		).includes(SECRET);
	});
});
