import { normalizeBaseUrl } from '../../../nodes/WalletService/request/base-url.ts';

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
	['http://[::1]:4010', 'http://[::1]:4010'],
	['http://[fd12::1]', 'http://[fd12::1]'],
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
	['https://wallet.example.com?x=1', /query/],
	['https://wallet.example.com?', /query/],
	['https://wallet.example.com#x', /fragment/],
	['https://wallet.example.com/#', /fragment/],
	['http://wallet.example.com', /unencrypted/],
	['http://8.8.8.8', /unencrypted/],
	['http://172.32.0.1', /unencrypted/],
	['http://192.169.0.1', /unencrypted/],
	['http://11.0.0.1', /unencrypted/],
	['http://localhost.evil.example', /unencrypted/],
	['http://127.0.0.1.evil.example', /unencrypted/],
	['http://[2001:db8::1]', /unencrypted/],
	['http://fd00.example', /unencrypted/],
])('%j is refused', (given, message) => {
	expect(() => normalizeBaseUrl(given, false)).toThrow(message);
});

test('the switch lets plain http through', () => {
	expect(normalizeBaseUrl('http://wallet.example.com/', true)).toBe('http://wallet.example.com');
});

test('a password in the URL is not repeated in the error', () => {
	expect(() => normalizeBaseUrl('https://user:hunter2@wallet.example.com', true)).not.toThrow(
		/hunter2/,
	);
});
