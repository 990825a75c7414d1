/** Token: Send without sending says what a list comes to, exactly, and refuses a list that the wallet does not hold. */
import type { IDataObject } from 'n8n-workflow';

import { TOKEN, TokenSends } from './support/token-service.mts';

const sends = TokenSends.prepare();

const OTHER = `0x${'0d'.repeat(20)}`;
const rows = (...amounts: string[]): IDataObject[] => amounts.map((amount) => ({ amount }));

const tried = { preview: true, amount: '={{ $json.amount }}' };

test('each item says what it comes to with those before it', async () => {
	const items = rows('0.1', '0.2', '9007199254.740993', '0.000001');
	sends.facts = { ...sends.facts, balance: '10000000000000000000' };
	const output = await sends.run(tried, {}, { items });
	expect(output.error).toBeUndefined();
	expect(output.items.map(({ json }) => json.totalSoFar)).toEqual([
		...['0.1', '0.3', '9007199255.040993', '9007199255.040994'],
	]);
	expect(sends.writes).toEqual([]);
});

test('each run begins anew', async () => {
	const runs = [rows('1', '1'), rows('1', '1')];
	for (const items of runs) {
		const output = await sends.run(tried, {}, { items });
		expect(output.items.map(({ json }) => json.totalSoFar)).toEqual(['1', '2']);
	}
});

test('the wallet has to hold all of it; what is refused is not counted', async () => {
	sends.facts = { ...sends.facts, balance: '5000000' };
	const node = { onError: 'continueRegularOutput' } as const;
	const { items } = await sends.run(tried, node, { items: rows('3', '3', '2') });
	expect(items.map(({ json }) => json.totalSoFar)).toEqual(['3', undefined, '5']);
	expect(String(items[1]?.json.error)).toMatch(/DISCORD-1 has 5 SUSD, 6 are needed/);
});

test('another token has a total of its own', async () => {
	const token = `={{ $json.amount === '2' ? '${OTHER}' : '${TOKEN}' }}`;
	const { items } = await sends.run({ ...tried, token }, {}, { items: rows('1', '2', '1') });
	expect(items.map(({ json }) => json.totalSoFar)).toEqual(['1', '2', '2']);
});

test('what is sent says nothing of a total', async () => {
	const { items } = await sends.run({ amount: '1' });
	expect(items[0]?.json).not.toHaveProperty('totalSoFar');
});
