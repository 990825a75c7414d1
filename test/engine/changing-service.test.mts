/** A credential that leads to another service once something was looked up: what was found there does not count here. */
import { BOB, TOKEN, TokenSends } from './support/token-service.mts';

const sends = TokenSends.prepare();

test('a token that was asked at one service is not sent at another', async () => {
	const { baseUrl } = sends.service;
	const credential = {
		...sends.credential(),
		get baseUrl() {
			return sends.reads.includes('decimals') ? `${baseUrl}/elsewhere` : baseUrl;
		},
	};
	const { error } = await sends.run({}, {}, { credential });
	const paths = sends.service.requests.map(({ path }) => path);
	expect(paths.filter((path) => path.endsWith('/write'))).toEqual([]);
	expect(error?.message).toContain('Base URL: The base URL of the credential changed');
	expect(error).toMatchObject({ context: { details: { outcome: 'refused' } } });
});

test('nor is a contract write with the wallet of a user', async () => {
	const { baseUrl } = sends.service;
	const credential = {
		...sends.credential(),
		get baseUrl() {
			return sends.service.requests.length > 0 ? `${baseUrl}/elsewhere` : baseUrl;
		},
	};
	const write = {
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		contractAddress: TOKEN,
	};
	const call = { abi: 'pay(address)', argumentsMode: 'json', args: JSON.stringify([BOB.id]) };
	const { error } = await sends.run({ ...write, ...call }, {}, { credential });
	expect(sends.service.requests.map(({ path }) => path)).toEqual([`/v1/users/${BOB.id}`]);
	expect(error?.message).toContain('Base URL: The base URL of the credential changed');
});
