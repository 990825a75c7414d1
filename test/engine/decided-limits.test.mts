/** What was decided, or answered by another write, counts no longer for the limits of its execution. */
import type { IDataObject } from 'n8n-workflow';

import { useResources } from '../support/resources.mts';
import { LossyRoad } from './support/lossy-road.mts';
import { LimitedPayments, marks } from './support/limited-payments.mts';
import { CONTINUE } from './support/use-node.mts';
import { otherNode } from './support/workflow-parts.mts';

const resources = useResources();
const kept = new LimitedPayments();
const { node } = kept;

afterEach(() => jest.restoreAllMocks());

describe('no honest work is refused:', () => {
	test('what the service never lets take place counts no longer in a Retry, although its row has moved', async () => {
		await kept.fault('PUT', { kind: 'drop-before', times: 1 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
		const credential = kept.limited('9 wei');
		const moved = (item: number) =>
			kept.payments({
				nativeCoin: `={{ $itemIndex === ${item} ? 9 : 0 }} wei`,
			});
		const items = [{ wei: 1 }, { wei: 2 }];
		const first = await node.run(moved(0), { items, node: CONTINUE, credential });
		expect(first.items[0]?.json).toMatchObject({ details: { outcome: 'unknown' } });
		const { run: retryOf } = first;
		retryOf.data.resultData.runData = {};
		retryOf.data.resultData.pinData = { Start: items.map((json) => ({ json })) };
		const start = {
			node: otherNode('Start', 'n8n-nodes-base.manualTrigger'),
			data: { main: [[{ json: {} }]] },
			source: null,
		};
		retryOf.data.executionData?.nodeExecutionStack.splice(0, Infinity, start);
		const again = await node.run(moved(1), { retryOf, node: CONTINUE, credential });
		expect(marks(again.items)).toEqual([true, true]);
	});

	test('a replay counts no longer, even if the credential cannot be read after it', async () => {
		const order = `order ${kept.number}`;
		const one = (orderId: string) => kept.payments({ orderId, nativeCoin: '60 wei' });
		await node.items(one(order));
		const road = await resources.use(LossyRoad.start(String(node.service.credential().baseUrl)));
		let broken = false;
		let fails = 0;
		road.holds = ({ method }) => {
			broken = method === 'PUT' && fails === 0;
			return false;
		};
		const { accessToken = '', ...other } = kept.limited('100 wei', {
			baseUrl: road.url,
		}) as IDataObject;
		const credential = {
			...other,
			get accessToken() {
				if (!broken) return accessToken as string;
				broken = false;
				fails += 1;
				throw new Error('locked');
			},
		};
		const parameters = kept.payments({
			orderId: `={{ $itemIndex === 0 ? '${order}' : 'next ${order}' }}`,
			nativeCoin: '60 wei',
		});
		const again = await node.run(parameters, {
			items: [{}, {}],
			node: CONTINUE,
			credential: credential as never,
		});
		expect(fails).toBe(1);
		expect(again.items[1]?.json).toMatchObject({ submitted: true });
	});

	test('a Retry after a day counts what it decides once', async () => {
		await kept.fault('PUT', { kind: 'drop-before', times: 1 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
		const credential = kept.limited('9 wei');
		const items = [{ wei: 9 }];
		const { run: retryOf } = await node.run(kept.payments(), { items, credential });
		const uptime = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => uptime() + 26 * 3_600_000);
		// Any other execution lets the old ones be dropped.
		await node.run(kept.write({ maxTries: 1 }), {});
		const again = await node.run(kept.payments(), { retryOf, credential });
		expect(again.error?.message).toBeUndefined();
		expect(marks(again.items)).toEqual([true]);
	});

	test('a Retry counts nothing for what its service has taken out of use', async () => {
		await kept.fault('PUT', { kind: 'drop-before', times: 1 });
		await kept.fault('DELETE', { kind: 'drop-after', times: 1 });
		const credential = kept.limited('9 wei');
		const items = [{ wei: 9 }];
		const { run: retryOf } = await node.run(kept.payments(), { items, credential });
		const again = await node.run(kept.payments(), { retryOf, credential });
		expect(again.error?.message).toBeUndefined();
		expect(marks(again.items)).toEqual([true]);
	});

	test('an equal call that was decided never to take place counts no longer', async () => {
		await kept.fault('PUT', { kind: 'drop-before', times: 1 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
		const credential = kept.limited('9 wei');
		const items = [{ wei: 9 }, { wei: 9 }];
		const again = await node.run(kept.payments(), { items, node: CONTINUE, credential });
		expect(marks(again.items)).toEqual(['connection-lost', true]);
	});

	test('what a Retry has decided binds no account', async () => {
		await kept.fault('PUT', { kind: 'drop-before', times: 1 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
		const pay = kept.payments({ nativeCoin: '={{ $vars.wei }} wei' });
		const first = await node.run(pay, { variables: { wei: 9 } });
		expect(first.error?.context.details).toMatchObject({ outcome: 'unknown' });
		await kept.fault('PUT', { kind: 'failed', times: 1 });
		const variables = { wei: 8 };
		const second = await node.run(pay, { retryOf: first.run, variables });
		expect(second.error?.context.details).toMatchObject({ outcome: 'refused' });
		const credential = node.service.credential('Rahul Sen');
		const third = await node.run(pay, { retryOf: second.run, credential, variables });
		expect(third.error?.message).toBeUndefined();
		expect(marks(third.items)).toEqual([true]);
	});
});
