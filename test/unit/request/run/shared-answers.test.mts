import type { Received } from '../../../../nodes/WalletService/request/http/service-client.ts';
import {
	MAX_SHARED_CHARACTERS,
	SharedAnswers,
} from '../../../../nodes/WalletService/request/run/shared-answers.ts';

const received = (body: string): Received => ({
	response: { statusCode: 200, headers: {}, body },
	authorization: 'Bearer token',
});

/** Answers, and how often each was asked for. */
function asked(size = 1) {
	const answers = new SharedAnswers();
	const times = new Map<string, number>();
	const get = async (key: string) =>
		await answers.get(key, async () => {
			times.set(key, (times.get(key) ?? 0) + 1);
			return await Promise.resolve(received('x'.repeat(size)));
		});
	return { get, times };
}

test('what is asked at the same time or later is asked once', async () => {
	const { get, times } = asked();
	const [one, other] = await Promise.all([get('a'), get('a'), get('b')]);
	expect(other).toBe(one);
	expect(await get('a')).toBe(one);
	expect(Object.fromEntries(times)).toEqual({ a: 1, b: 1 });
});

test('a failure is one for all who wait for it, and for no later one', async () => {
	const answers = new SharedAnswers();
	let tries = 0;
	const ask = async (): Promise<Received> => {
		tries += 1;
		return tries === 1
			? await Promise.reject(new Error('busy'))
			: await Promise.resolve(received('{}'));
	};
	const both = await Promise.allSettled([answers.get('a', ask), answers.get('a', ask)]);
	expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await answers.get('a', ask)).toEqual(received('{}'));
	expect(tries).toBe(2);
});

test('beyond the bound the oldest are forgotten, and asked again', async () => {
	const { get, times } = asked(MAX_SHARED_CHARACTERS / 4);
	for (const key of ['a', 'b', 'c', 'd', 'a', 'd']) await get(key);
	expect(Object.fromEntries(times)).toEqual({ a: 2, b: 1, c: 1, d: 1 });
});

test('an answer larger than the bound serves those who wait for it, and is not kept', async () => {
	const { get, times } = asked(MAX_SHARED_CHARACTERS);
	await Promise.all([get('a'), get('a')]);
	await get('a');
	expect(times.get('a')).toBe(2);
});

test('one that is under way when others are forgotten is not asked again, and later ones are kept', async () => {
	const answers = new SharedAnswers();
	const asked: string[] = [];
	const large = received('x'.repeat(MAX_SHARED_CHARACTERS));
	const get = async (key: string, answer: Received | Promise<Received>) =>
		await answers.get(key, async () => {
			asked.push(key);
			return await answer;
		});
	const { promise: slow, resolve: end } = Promise.withResolvers<Received>();
	const first = get('slow', slow);
	await get('large', large);
	const second = get('slow', slow);
	end(large);
	expect(await second).toBe(await first);
	for (const key of ['small', 'small']) await get(key, received('{}'));
	expect(asked).toEqual(['slow', 'large', 'small']);
});
