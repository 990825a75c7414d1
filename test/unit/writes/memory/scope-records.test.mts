/** The size of the records of one execution, by which they are bounded. */
import { ScopeRecords } from '../../../../nodes/WalletService/writes/memory/scope-records.ts';

const place = (item: number) => ({ scope: 'x', node: 'Pay', run: 0, item });
const record = (reason: string) => ({ state: 'unknown', reason, hashes: [] }) as const;

test('a record that is kept again counts once, and nothing remains of what was removed or forgotten', () => {
	const records = new ScopeRecords();
	records.keep(place(0), record('one'));
	const { size } = records;
	expect(size).toBe('[0,0,"Pay"]'.length + JSON.stringify(record('one')).length);
	records.keep(place(0), record('two'));
	expect(records.size).toBe(size);
	records.keep(place(1), record('one'));
	expect(records.size).toBe(2 * size);
	records.remove(place(1));
	expect(records.size).toBe(size);
	expect(records.forgetOldest()).toBe(size);
	expect(records.size).toBe(0);
});
