/** At a service that keeps no writes, each sending counts for the limits of its execution. */
import type { IDataObject } from 'n8n-workflow';

import { LOST } from './support/answers.mts';
import { callOf } from './support/kinds-of-writes.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

let aheadMs = 0;
beforeAll(() => {
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
});
afterAll(() => jest.restoreAllMocks());

const settled = async (work: Promise<IDataObject>) =>
	await work.then(
		({ submitted, replayed }) => replayed ?? submitted,
		(error: Error) =>
			/rule "|MAY have been sent|not sent again|was not sent/i.exec(error.message)?.[0] ??
			error.message,
	);
const pay = (wei = '60') =>
	callOf('pay() payable', [], { options: { nativeCoin: `${wei} wei`, maxTries: 1 } });

test('an equal call an hour after one of unknown outcome is a further payment', async () => {
	node.service.answer(LOST);
	const credential = node.service.credential({ maxValuePerExecution: '100 wei' });
	const call = async () => await settled(node.tool(pay(), {}, { executionId: 't1', credential }));
	const told = [await call(), await call()];
	aheadMs += 61 * 60_000;
	told.push(await call(), await call());
	expect([told, node.service.writes.length]).toEqual([
		['MAY have been sent', expect.any(String), 'rule "', 'rule "'],
		1,
	]);
});

test('what may have been sent twice counts twice for the next one', async () => {
	node.service.answer(LOST);
	const credential = node.service.credential({ maxValuePerExecution: '130 wei' });
	const call = async (wei?: string) =>
		await settled(node.tool(pay(wei), {}, { executionId: 't1b', credential }));
	const told = [await call()];
	aheadMs += 61 * 60_000;
	told.push(await call(), await call('50'));
	expect([told, node.service.writes.length]).toEqual([['MAY have been sent', true, 'rule "'], 2]);
});

test('an equal call of another user of the credential is a further payment', async () => {
	const as = (accessToken: string) =>
		node.service.credential({ maxValuePerExecution: '100 wei', accessToken });
	const call = async (token: string) =>
		await settled(node.tool(pay(), {}, { executionId: 't2', credential: as(token) }));
	const told = [await call('one'), await call('two'), await call('three')];
	expect([told, node.service.writes.length]).toEqual([[true, 'rule "', 'rule "'], 1]);
});

test('an order of a tool that a model gives to several calls counts for each of them', async () => {
	node.service.answer(LOST);
	const credential = node.service.credential({ maxValuePerExecution: '100 wei' });
	const call = async (wei: string) =>
		await settled(node.tool({ ...pay(wei), orderId: '7' }, {}, { executionId: 't3', credential }));
	const told = [await call('60'), await call('40'), await call('1')];
	expect([told, node.service.writes.length]).toEqual([['MAY have been sent', true, 'rule "'], 2]);
});

test('what Send Again sends counts again', async () => {
	node.service.answer(LOST);
	const credential = node.service.credential({ maxValuePerExecution: '100 wei' });
	const again = callOf('pay() payable', [], {
		options: { nativeCoin: '60 wei', maxTries: 1, sendAgain: true },
	});
	const { items } = await node.run(again, { items: [{}, {}, {}], credential, node: CONTINUE });
	expect(items.map(({ json }) => json.submitted ?? Object(json.details).code)).toEqual([
		'service-error',
		'policy-refused',
		'policy-refused',
	]);
});
