/** What is final is undone only by the endpoints together, and a history that was read beyond the chain finds back to it. */
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { DEPTH } from './support/indexed.mts';
import { DATABASES, useDatabases } from './support/network-and-service.mts';
import { ScriptedChain } from './support/scripted-chain.mts';
import { linesOf, scriptedIndex, type ScriptedIndex } from './support/scripted-index.mts';

/** A chain that has the first blocks of another one. */
function branchOf({ blocks }: ScriptedChain, count = blocks.length): ScriptedChain {
	const branch = new ScriptedChain({ blocks: 0 });
	branch.blocks.push(...blocks.slice(0, count));
	// A transaction of its own makes all further blocks other ones.
	branch.signElsewhere(`0x${'b4'.repeat(32)}`);
	return branch;
}

/** Another chain, with a higher head: one of another provider's network, or one that shares its first blocks. */
const OTHERS: [name: string, other: (chain: ScriptedChain) => ScriptedChain][] = [
	['another chain', () => new ScriptedChain({ chainId: 5_555, blocks: 400 })],
	[
		'a branch that left the chain before final blocks',
		(chain) => {
			const branch = branchOf(chain, 30);
			branch.mine(400);
			return branch;
		},
	],
];

/** Three payments in final blocks. */
async function withThreeFinal(own: Resources, count = 2): Promise<ScriptedIndex> {
	const scripted = await scriptedIndex(own, { endpoints: count });
	for (const amount of [1n, 2n, 3n]) {
		scripted.pay(amount);
		scripted.chain.mine();
	}
	scripted.chain.mine(2 * DEPTH);
	await scripted.read();
	expect(await scripted.listed()).toEqual(scripted.truth());
	expect(scripted.truth()).toHaveLength(3);
	return scripted;
}

const audits = async ({ db }: ScriptedIndex) =>
	(await db.selectFrom('audit').select('action').execute())
		.map(({ action }) => action)
		.filter((action) => action.startsWith('history'));

describe.each(OTHERS)('one of two endpoints answers from %s', (_name, other) => {
	test.each([0, 1])(
		'as number %i: nothing final is undone, and no later transfer is missing',
		async (liar) => {
			await using own = new Resources();
			const scripted = await withThreeFinal(own);
			const { chain, endpoints, read, listed, truth, pay, cursors, log } = scripted;
			const final = truth();
			const endpoint = endpoints[liar];
			if (endpoint) endpoint.chain = other(chain);
			for (const amount of [4n, 5n]) {
				pay(amount);
				chain.mine(2);
				await read();
				expect((await listed()).slice(-3)).toEqual(final);
				expect((await cursors()).head).toBeLessThanOrEqual(chain.head);
			}
			expect(await listed()).toEqual(truth());
			if (endpoint) endpoint.chain = chain;
			chain.mine(2 * DEPTH);
			await read();
			expect(await listed()).toEqual(truth());
			expect((await cursors()).final).toBe(chain.head - DEPTH);
			expect(await audits(scripted)).toEqual([]);
			expect(log.filter((line) => line.includes('is read again'))).toEqual([]);
		},
	);
});

test('both endpoints undo final blocks: the history follows, and says so', async () => {
	await using own = new Resources();
	const scripted = await withThreeFinal(own);
	const { chain, endpoints, read, listed, log, cursors } = scripted;
	const branch = branchOf(chain, 41);
	branch.mine(60);
	for (const endpoint of endpoints) endpoint.chain = branch;
	await read();
	expect(await listed()).toEqual(linesOf(branch));
	expect(linesOf(branch)).toHaveLength(1);
	expect((await cursors()).final).toBe(branch.head - DEPTH);
	expect(log.filter((line) => line.includes('is read again from block'))).toHaveLength(1);
	expect(await audits(scripted)).toEqual([
		expect.stringMatching(/^history taken back: the endpoints do not have the final block/),
	]);
});

test('the only endpoint is on another branch for a while: afterwards the history is that of the chain', async () => {
	await using own = new Resources();
	const { chain, endpoints, read, listed, truth, pay } = await withThreeFinal(own, 1);
	const [endpoint] = endpoints;
	const branch = branchOf(chain, 30);
	branch.mine(400);
	if (endpoint) endpoint.chain = branch;
	await read();
	expect(await listed()).toEqual(linesOf(branch));
	if (endpoint) endpoint.chain = chain;
	pay(4n);
	chain.mine();
	await until(async () => {
		await read();
		return (await listed()).length === 4;
	});
	expect(await listed()).toEqual(truth());
});

test('a head above the chain is not current, and comes down', async () => {
	await using own = new Resources();
	const { chain, endpoints, read, listed, truth, pay, cursors, index } = await withThreeFinal(own);
	const [endpoint] = endpoints;
	const branch = branchOf(chain);
	branch.mine(40);
	if (endpoint) endpoint.chain = branch;
	await read();
	expect((await cursors()).head).toBe(branch.head);
	if (endpoint) endpoint.chain = chain;
	pay(4n);
	chain.mine(3);
	const before = index().ageMs;
	await read();
	expect(index().ageMs).toBeGreaterThan(before);
	expect(index().unreadMs).toBeCloseTo(index().ageMs, -2);
	await until(async () => {
		await read();
		return (await cursors()).head === chain.head;
	});
	expect(index().ageMs).toBeLessThan(before);
	expect(await listed()).toEqual(truth());
});

test('a history begins once as many endpoints as must agree have the newest blocks', async () => {
	await using own = new Resources();
	const chain = new ScriptedChain({ blocks: 200 });
	const { endpoints, read, listed, truth, pay, cursors, restart, index } = await scriptedIndex(
		own,
		{ chain },
	);
	if (endpoints[1]) endpoints[1].isDead = true;
	await restart();
	await read();
	expect(await cursors()).toEqual({ final: -1, head: -1 });
	expect(index().ageMs).toBe(Infinity);
	expect(index().unreadMs).toBeLessThan(60_000);
	if (endpoints[1]) endpoints[1].isDead = false;
	pay(1n);
	chain.mine();
	await read();
	expect(await cursors()).toEqual({ final: chain.head - DEPTH, head: chain.head });
	expect(await listed()).toEqual(truth());
});

describe.each(DATABASES)('on %s', (kind) => {
	const newDatabase = useDatabases(kind);

	test('a history that an older version read on another chain finds back after a restart', async () => {
		await using own = new Resources();
		const scripted = await scriptedIndex(own, { location: await newDatabase() });
		const { chain, db, read, listed, truth, pay, restart, log } = scripted;
		pay(1n);
		chain.mine(2 * DEPTH);
		await read();
		const hash = `0x${'0f'.repeat(32)}`;
		await db
			.updateTable('cursors')
			.set({ block: 70_000, hash })
			.where('hash', 'is not', null)
			.execute();
		await db.insertInto('blocks').values({ number: 70_000, hash }).execute();
		await db.deleteFrom('transfers').execute();
		await restart();
		pay(2n);
		chain.mine();
		await until(async () => {
			await read();
			return (await listed()).length === 2;
		});
		expect(await listed()).toEqual(truth());
		expect(log.filter((line) => line.includes('is read again from block'))).toHaveLength(1);
		expect(await audits(scripted)).toHaveLength(1);
	});
});
