import { Semaphore } from '../../../../nodes/WalletService/request/run/semaphore.ts';

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** Asks for so many permits; the list holds those that were given, in the order in which they were. */
function ask(semaphore: Semaphore, count: number): number[] {
	const given: number[] = [];
	for (let index = 0; index < count; index++)
		void semaphore.acquire().then(() => given.push(index));
	return given;
}

test('no more permits than there are, each passed on in the order of asking', async () => {
	const semaphore = new Semaphore(2);
	const given = ask(semaphore, 5);
	await settled();
	expect(given).toEqual([0, 1]);
	semaphore.release();
	await settled();
	expect(given).toEqual([0, 1, 2]);
	semaphore.release();
	semaphore.release();
	await settled();
	expect(given).toEqual([0, 1, 2, 3, 4]);
});

test('a permit that nobody waits for can be had later', async () => {
	const semaphore = new Semaphore(1);
	await semaphore.acquire();
	semaphore.release();
	const given = ask(semaphore, 2);
	await settled();
	expect(given).toEqual([0]);
});

test('permits that are held back come when the first is released', async () => {
	const semaphore = new Semaphore(3, 1);
	const given = ask(semaphore, 6);
	await settled();
	expect(given).toEqual([0]);
	semaphore.release();
	await settled();
	expect(given).toEqual([0, 1, 2, 3]);
	semaphore.release();
	await settled();
	expect(given).toEqual([0, 1, 2, 3, 4]);
});

test('the order holds for thousands', async () => {
	const semaphore = new Semaphore(1);
	const given = ask(semaphore, 2500);
	for (let ended = 0; ended < 2499; ended++) semaphore.release();
	await settled();
	expect(given).toEqual(Array.from({ length: 2500 }, (_, index) => index));
});
