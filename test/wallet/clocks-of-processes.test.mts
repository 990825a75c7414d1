/** Processes whose clocks differ by days: equal calls are listed by the clock of the database. */
import { useResources } from '../support/resources.mts';
import { HeldWrites } from './support/held-writes.mts';
import { DATABASES } from './support/network-and-service.mts';

const A_DAY = 24 * 3_600_000;
const WITHIN = 60;

const resources = useResources();
afterEach(() => void jest.useRealTimers());

/** Sets the clock of this process, but not that of the database. */
function shiftClock(ms: number): void {
	jest.useRealTimers();
	const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
	const turns = ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const;
	const doNotFake = [...timers, ...turns, 'hrtime', 'performance'] as const;
	jest.useFakeTimers({ now: Date.now() + ms, doNotFake: [...doNotFake] });
}

test.each(DATABASES)('on %s, a write is listed while it is recent', async (kind) => {
	const anna = await HeldWrites.open(resources, kind);
	const list = async () => {
		const of = { node: 'node', call: 'call', within: WITHIN };
		const listed = await anna.executions.equalCalls(anna.caller, of);
		return listed.map(({ write }) => write.key);
	};
	shiftClock(-A_DAY);
	await anna.submit('order', 'execution', { call: 'call' });
	shiftClock(A_DAY);
	expect(await list()).toEqual(['order']);
	// By the clock of the database it is old now.
	const [row] = await anna.db.selectFrom('labels').select('at').execute();
	const old = new Date(Date.parse(row?.at ?? '') - (WITHIN + 2) * 1_000).toISOString();
	await anna.db.updateTable('labels').set({ at: old }).execute();
	expect(await list()).toEqual([]);
});
