import { inspect } from 'node:util';
import fc from 'fast-check';

import {
	assertEncrypted,
	baseUrlOf,
	normalizeBaseUrl,
} from '../../../../nodes/WalletService/request/credential/base-url.ts';
import { urlOf } from '../../../../nodes/WalletService/values/urls.ts';

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
	['http://localhost:4010', 'http://localhost:4010'],
	['http://wallet.localhost', 'http://wallet.localhost'],
	['http://127.0.0.1:4010/v1', 'http://127.0.0.1:4010'],
	['http://127.8.9.1', 'http://127.8.9.1'],
	['http://10.1.2.3', 'http://10.1.2.3'],
	['http://172.16.0.9', 'http://172.16.0.9'],
	['http://172.31.255.1', 'http://172.31.255.1'],
	['http://192.168.1.5:80', 'http://192.168.1.5'],
	['http://169.254.169.254', 'http://169.254.169.254'],
	['http://2130706433', 'http://127.0.0.1'],
	['http://[::1]:4010', 'http://[::1]:4010'],
	['http://[fd12::1]', 'http://[fd12::1]'],
	['http://[fc0a::1]', 'http://[fc0a::1]'],
	['http://[fe80::1]', 'http://[fe80::1]'],
	['http://[febf::1]', 'http://[febf::1]'],
])('%j is %s', (given, normalized) => {
	expect(normalizeBaseUrl(given, false)).toBe(normalized);
});

test.each([
	['', /empty/],
	[undefined, /empty/],
	['wallet.example.com', /is not a URL/],
	['ftp://wallet.example.com', /does not start with http/],
	['javascript:alert(1)', /does not start with http/],
	['https://user:pass@wallet.example.com', /user name or password/],
	['https://token@wallet.example.com', /user name or password/],
	['https://@wallet.example.com', /user name or password/],
	['https://wallet.example.com/@me', /user name or password/],
	['https://wallet.example.com?x=1', /query/],
	['https://wallet.example.com?', /query/],
	['https://wallet.example.com#x', /fragment/],
	['https://wallet.example.com/#', /fragment/],
	['http://wallet.example.com', /unencrypted/],
	['http://8.8.8.8', /unencrypted/],
	['http://172.32.0.1', /unencrypted/],
	['http://192.169.0.1', /unencrypted/],
	['http://11.0.0.1', /unencrypted/],
	['http://110.0.0.1', /unencrypted/],
	['http://8.10.0.1', /unencrypted/],
	['http://169.253.0.1', /unencrypted/],
	['http://localhost.evil.example', /unencrypted/],
	['http://evil-localhost', /unencrypted/],
	['http://127.0.0.1.evil.example', /unencrypted/],
	['http://127.evil.example', /unencrypted/],
	['http://[2001:db8::1]', /unencrypted/],
	['http://[::10]', /unencrypted/],
	['http://[fc1::1]', /unencrypted/],
	['http://[fec0::1]', /unencrypted/],
	['http://[2001:fd00::1]', /unencrypted/],
	['http://fd00.example', /unencrypted/],
])('%j is refused', (given, message) => {
	expect(() => normalizeBaseUrl(given, false)).toThrow(message);
});

test('HTTP only if the credential allows it, by a real boolean', () => {
	const baseUrl = 'http://wallet.example/';
	expect(baseUrlOf({ baseUrl, allowInsecureHttp: true })).toBe('http://wallet.example');
	for (const allowInsecureHttp of [false, 'true', 1]) {
		expect(() => baseUrlOf({ baseUrl, allowInsecureHttp })).toThrow(/sends tokens unencrypted/);
	}
	expect(() => baseUrlOf({ baseUrl })).toThrow(/unencrypted/);
	expect(baseUrlOf({ baseUrl: 'https://wallet.example/v1' })).toBe('https://wallet.example');
});

/** Everything an error contains. */
function sayingOf(action: () => unknown): string {
	try {
		action();
	} catch (error) {
		return inspect(error, { depth: Infinity, maxStringLength: Infinity, showHidden: true });
	}
	throw new Error('It was not refused');
}

const SECRET = 'hunter2';

/** URLs with a user name and a password, each broken differently. */
const BROKEN = [
	`https://user:${SECRET}@wallet.example.com`,
	`https://${SECRET}@wallet.example.com`,
	`https:user:${SECRET}@wallet.example.com`,
	`https:/user:${SECRET}@wallet.example.com`,
	`https:\\\\user:${SECRET}@wallet.example.com`,
	`//user:${SECRET}@wallet.example.com`,
	`://user:${SECRET}@wallet.example.com`,
	`user:${SECRET}@wallet.example.com`,
	`wallet:${SECRET}`,
	`https ://user:${SECRET}@wallet.example.com`,
	`https://user:${SECRET} @wallet.example.com`,
	`https://user:${SECRET}@wallet example.com`,
	`https://user:${SECRET}@wallet.example.com:99999`,
	`https://user:${SECRET}@wallet.example.com:port`,
	`https://user:${SECRET}@`,
	`https://user:${SECRET}＠wallet.example.com`,
	`https://user:${SECRET}%40wallet.example.com`,
	`https://user:${SECRET}﹫wallet.example.com`,
	`https://üser:${SECRET}@wället.example.com:x`,
	`https://user:12/${SECRET}@wallet.example.com`,
	`http://${SECRET}:12/34@wallet.example.com`,
	`http://user:${SECRET}@wallet.example.com`,
	`ftp://user:${SECRET}@wallet.example.com`,
	`mailto:user:${SECRET}@wallet.example.com`,
	`https://user:${SECRET}@[::1`,
	`https://user:${SECRET}@wallet.example.com?x=1#y`,
	// Belongs in the next field.
	`ey.${SECRET}.x-y_z`,
	`Bearer ${SECRET}`,
];

test.each(BROKEN)('%j is refused without repeating what is secret, also as another URL', (text) => {
	for (const value of [text, ` ${text}\n`]) {
		expect(sayingOf(() => normalizeBaseUrl(value, true))).not.toContain(SECRET);
		expect(sayingOf(() => normalizeBaseUrl(value, false))).not.toContain(SECRET);
	}
	for (const value of [text, text.replace(/^https:\/\//, 'http://')]) {
		const check = () => {
			assertEncrypted(urlOf(value), 'Access Token URL', false);
			if (URL.parse(value)?.protocol === 'https:') throw new Error('It may be used');
		};
		expect(sayingOf(check)).not.toContain(SECRET);
	}
});

test('another URL is named by its field, and an unencrypted one by its host', () => {
	const check = (value: string) => () => assertEncrypted(urlOf(value), 'Access Token URL', false);
	const misses = 'The Access Token URL does not start with http:// or https://';
	expect(check('wallet.example.com')).toThrow(misses);
	const sends = 'The Access Token URL sends tokens unencrypted (http) to wallet.example.com:81';
	expect(check('http://wallet.example.com:81/token')).toThrow(sends);
	expect(check('https://wallet.example.com/token')).not.toThrow();
	expect(check('http://localhost/token')).not.toThrow();
});

test('a user name and password in whatever URL are not repeated', () => {
	const word = fc.stringMatching(/^[!-~]{0,12}$/);
	fc.assert(
		fc.property(word, word, word, fc.boolean(), (scheme, user, host, isInsecureFine) => {
			const text = `${scheme}${user}:${SECRET}@${host}`;
			return !sayingOf(() => normalizeBaseUrl(text, isInsecureFine)).includes(SECRET);
		}),
	);
});
