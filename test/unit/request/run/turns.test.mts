import { Turns } from '../../../../nodes/WalletService/request/run/turns.ts';

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

/** Asks for so many turns; the list holds those that were given, in the order in which they were. */
function ask(turns: Turns, count: number): number[] {
	const given: number[] = [];
	for (let index = 0; index < count; index++) void turns.take().then(() => given.push(index));
	return given;
}

test('no more turns than there are, each passed on in the order of asking', async () => {
	const turns = new Turns(2);
	const given = ask(turns, 5);
	await settled();
	expect(given).toEqual([0, 1]);
	turns.end();
	await settled();
	expect(given).toEqual([0, 1, 2]);
	turns.end();
	turns.end();
	await settled();
	expect(given).toEqual([0, 1, 2, 3, 4]);
});

test('a turn that nobody waits for can be had later', async () => {
	const turns = new Turns(1);
	await turns.take();
	turns.end();
	const given = ask(turns, 2);
	await settled();
	expect(given).toEqual([0]);
});

test('turns that are withheld come with the end of the first', async () => {
	const turns = new Turns(3, 1);
	const given = ask(turns, 6);
	await settled();
	expect(given).toEqual([0]);
	turns.end();
	await settled();
	expect(given).toEqual([0, 1, 2, 3]);
	turns.end();
	await settled();
	expect(given).toEqual([0, 1, 2, 3, 4]);
});

test('the order holds for thousands', async () => {
	const turns = new Turns(1);
	const given = ask(turns, 2500);
	for (let ended = 0; ended < 2499; ended++) turns.end();
	await settled();
	expect(given).toEqual(Array.from({ length: 2500 }, (_, index) => index));
});
