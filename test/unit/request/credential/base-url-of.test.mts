/** Where the calls of a credential go. */
import { baseUrlOf } from '../../../../nodes/WalletService/request/credential/base-url.ts';

test('over HTTP only where the credential says so, and by nothing but a switch', () => {
	const baseUrl = 'http://wallet.example/';
	expect(baseUrlOf({ baseUrl, allowInsecureHttp: true })).toBe('http://wallet.example');
	for (const allowInsecureHttp of [false, 'true', 1]) {
		expect(() => baseUrlOf({ baseUrl, allowInsecureHttp })).toThrow(/sends tokens unencrypted/);
	}
	expect(() => baseUrlOf({ baseUrl })).toThrow(/unencrypted/);
	expect(baseUrlOf({ baseUrl: 'https://wallet.example/v1' })).toBe('https://wallet.example');
});
