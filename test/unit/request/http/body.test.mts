/** How much of an answer is read: a list of writes, without which a Retry sends nothing, may be long. */
import { Readable } from 'node:stream';
import { readAnswer } from '../../../../nodes/WalletService/request/http/body.ts';

const LONG = 30_000_000;

const answer = async (url: string, length: number) => {
	const body = Readable.from([Buffer.alloc(length, ' '), Buffer.from('[]')]);
	return (
		await readAnswer(Promise.resolve({ statusCode: 200, headers: {}, body }), {
			url,
			isWrite: false,
		})
	).body;
};

test.each([
	'/v1/attempts',
	'/v1/writes?node=a',
	'/v1/users/A/history',
	'/v1/users/A/history?before=1',
])('a long answer of %s is read whole', async (url) =>
	expect(String(await answer(url, LONG)).trim()).toBe('[]'),
);

test.each(['/v1/service', '/v1/users/A', '/v1/writes/key', '/v1/transactions/0x1'])(
	'one of %s is not',
	async (url) => await expect(answer(url, LONG)).rejects.toThrow('longer than 2 MB'),
);
