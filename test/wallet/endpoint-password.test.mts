/** Endpoints that ask for a user name and a password, which stand in their URL. */
import { RpcClient } from '../../service/src/rpc/client.mts';
import { cleaned } from '../../service/src/rpc/words.mts';
import { startLocalServer } from '../../tools/network/local-server.mts';

test('a user name and a password in the URL are sent to the endpoint', async () => {
	await using server = await startLocalServer((request, response) => {
		const { authorization } = request.headers;
		const isKnown = authorization === `Basic ${btoa('anna:pass:word')}`;
		response.writeHead(isKnown ? 200 : 401).end('{"id":1,"result":"0x1"}');
	});
	const client = new RpcClient(server.url.replace('//', '//anna:pass%3Aword@'), 1_000);
	expect(await client.call('eth_chainId')).toBe('0x1');
});

test.each([
	['the header with both', `denied: Basic ${btoa('anna:pass:word')}`, 'denied: Basic …'],
	['a key in other letters', 'key K3Y-of-Anna is used up', 'key … is used up'],
	['a password as it is meant', 'not pass:word', 'not …'],
	[
		'a hash',
		`role 0x${'12'.repeat(32)}, ${'ab'.repeat(32)}`,
		'role 0x12121212…12121212, abababab…abababab',
	],
	['nothing of longer data', `0x12345678${'ab'.repeat(32)}`, `0x12345678${'ab'.repeat(32)}`],
])('%s does not remain in the words of an endpoint', (_what, text, told) => {
	const urls = ['https://anna:pass%3Aword@rpc.example/v2/k3y-Of-anna?network=(main'];
	expect(cleaned(text, urls).replace(/=+$/, '')).toBe(told);
});
