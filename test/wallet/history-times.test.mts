/** The time of a block, which one endpoint may report wrongly: it is bounded, compared and corrected, and ends no list. */
import { Resources } from '../support/resources.mts';
import { dateOf } from '../../service/src/history/rows.mts';
import { DEPTH } from './support/indexed.mts';
import { ScriptedChain } from './support/scripted-chain.mts';
import { scriptedIndex, type ScriptedIndex } from './support/scripted-index.mts';

const YEAR = 31_536_000;
const now = () => Math.floor(Date.now() / 1_000);

/** An endpoint reports another time of one block. */
function lieAboutTime({ endpoints }: ScriptedIndex, liar: number, block: number, time: unknown) {
	endpoints[liar]?.lie('eth_getBlockByNumber', (_request, honest) => {
		const answer = honest();
		const found: { number?: string } | null =
			'result' in answer ? JSON.parse(JSON.stringify(answer.result)) : null;
		return { result: Number(found?.number) === block ? { ...found, timestamp: time } : found };
	});
}

const TIMES: [name: string, time: unknown][] = [
	['in a thousand years', `0x${(now() + 1_000 * YEAR).toString(16)}`],
	['beyond all dates', '0x7fffffffffffff'],
	['beyond all integers', `0x${'f'.repeat(40)}`],
	['in milliseconds', Date.now()],
	['at the beginning', '0x0'],
	['no number', '0xNaN'],
	['negative', -5],
	['missing', null],
];

describe.each([0, 1])('endpoint %i of two', (liar) => {
	test.each(TIMES)('says that a block is %s', async (_name, time) => {
		await using own = new Resources();
		const scripted = await scriptedIndex(own);
		const { chain, endpoints, read, pay, listed, truth, cursors } = scripted;
		await read();
		pay(1n);
		chain.mine();
		lieAboutTime(scripted, liar, chain.head, time);
		await read();
		const [line = ''] = await listed();
		const listedTime = Number(line.split(' ').at(-1));
		expect(listedTime).toBeGreaterThanOrEqual(chain.blocks[0]?.time ?? Infinity);
		expect(listedTime).toBeLessThanOrEqual(now());
		chain.mine(2 * DEPTH);
		await read();
		const { final } = await cursors();
		expect(await listed(final)).toEqual(truth(final));
		endpoints[liar]?.becomeHonest();
		await read();
		expect(await listed()).toEqual(truth());
		expect(truth()).toHaveLength(1);
		expect((await cursors()).final).toBe(chain.head - DEPTH);
	});
});

test.each(TIMES)(
	'the only endpoint says that a block is %s: the list does not end',
	async (_name, time) => {
		await using own = new Resources();
		const scripted = await scriptedIndex(own, { endpoints: 1 });
		const { chain, read, pay, db, cursors } = scripted;
		await read();
		pay(1n);
		chain.mine();
		lieAboutTime(scripted, 0, chain.head, time);
		chain.mine(2 * DEPTH);
		await read();
		expect((await cursors()).final).toBe(chain.head - DEPTH);
		const rows = await db.selectFrom('transfers').selectAll().execute();
		expect(rows.map((row) => dateOf(row).toISOString())).toEqual([
			expect.stringMatching(/^\d{4}-/),
		]);
	},
);

test('a chain whose clock is ahead keeps its times', async () => {
	await using own = new Resources();
	const chain = new ScriptedChain();
	for (const block of chain.blocks) block.time += 3 * YEAR;
	const { read, pay, listed, truth } = await scriptedIndex(own, { chain });
	await read();
	pay(1n);
	chain.mine();
	await read();
	expect(await listed()).toEqual(truth());
	expect(Number(truth()[0]?.split(' ').at(-1))).toBeGreaterThan(now() + 2 * YEAR);
});

test.each([-1, 8.64e12 + 1, 2 ** 53])('a stored time of %d is a date', (time) => {
	const row = { hash: '', wallet_id: 0, log_index: 0, part: 0, block: 1, tx_index: 0, time };
	const transfer = { standard: 20, sent: 0, party: '', token: '', value: '1' };
	expect(dateOf({ ...row, ...transfer }).toISOString()).toMatch(/^\d{4}-/);
});
