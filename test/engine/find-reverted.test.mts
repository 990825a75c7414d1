/** History: Find Transfer, where the service reports what became of a transaction. */
import type { IDataObject } from 'n8n-workflow';

import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { useService } from '../support/sandbox/service.mts';
import { KeptWrites } from './support/kept-writes.mts';
import { useNode } from './support/use-node.mts';

const kept = new KeptWrites();
const { node } = kept;
const FIND = { resource: 'history', operation: 'find' };
const FAIL = { options: { ifNotFound: 'fail' } };
const WHAT = '0\\.0\\d+ SUSD to Rahul Sen \\(0x\\w{4}…\\w{4}\\)';
const REASON = 'The transaction ran out of gas';

/** A payment, and what becomes of its transaction. */
async function pay(one?: Omit<FaultRequest, 'times'>): Promise<IDataObject> {
	if (one) await node.service.faults.add({ ...one, times: 1 });
	const [item = {}] = await node.items(kept.pay(`0.0${kept.number}`, {}));
	return item;
}

/** The parts of the paths of requests that a work causes. */
async function asked(over: typeof node, work: () => Promise<unknown>): Promise<string[]> {
	const before = (await over.service.faults.requests()).length;
	await work();
	const requests = (await over.service.faults.requests()).slice(before);
	return requests.map(({ path }) => /transactions|history/.exec(path)?.[0] ?? path);
}

test('a reverted transfer is reported with the reason, without a wait', async () => {
	const paid = await pay({ kind: 'revert-transaction' });
	const items = await node.outputs({ ...FIND, waitUpTo: 60 }, [paid]);
	expect(items).toMatchObject([
		{
			summary: expect.stringMatching(`^Reverted: ${WHAT}\\. ${REASON}\\. It moved nothing`),
			seen: false,
			status: 'REVERTED',
			revertReason: REASON,
			hash: paid.hash,
			checkedFor: 0,
		},
	]);
	const { error } = await node.run({ ...FIND, ...FAIL }, { items: [paid] });
	expect(error?.message).toMatch(new RegExp(`Reverted: ${WHAT}\\. ${REASON}$`));
	expect(error?.context.details).toMatchObject({ code: 'not-carried-out', hashes: [paid.hash] });
});

test('a listed one causes no further request', async () => {
	const paid = await pay();
	expect(await asked(node, async () => await node.items(FIND, { items: [paid] }))).toEqual([
		...['history', expect.stringMatching(/^\/v1\/users\/[^/]+$/)],
	]);
});

test('one that is dropped, or of which the service does not report, is not found', async () => {
	const paid = await pay({ kind: 'drop-transaction' });
	const notFound = [{ seen: false, summary: expect.stringMatching(/^Not found yet/) }];
	expect(await node.outputs(FIND, [paid])).toMatchObject(notFound);
	const params = { status: 500 };
	await node.service.faults.add({
		kind: 'status-text',
		match: { path: '.*transactions.*' },
		params,
	});
	expect(await node.outputs(FIND, [paid])).toMatchObject(notFound);
});

describe('a service that only knows the interface', () => {
	const plain = useNode(useService());

	test('is not asked for the transaction', async () => {
		const hash = `0x${'ab'.repeat(32)}`;
		const twice = async () => await plain.items(FIND, { items: [{ hash }, { hash }] });
		expect(await asked(plain, twice)).toEqual(['history']);
	});
});
