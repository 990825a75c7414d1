/** The limits of an execution at a service that keeps no writes: each sending counts. */
import type { IDataObject } from 'n8n-workflow';

import { LOST } from './support/answers.mts';
import { later } from './support/forget.mts';
import { callOf } from './support/kinds-of-writes.mts';
import { marksOf } from './support/rows.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

afterEach(() => jest.restoreAllMocks());

describe('at a service that keeps no writes, each sending counts:', () => {
	const plain = useNode();
	const pay = (wei: number, more: IDataObject = {}) =>
		callOf('pay() payable', [], { options: { nativeCoin: `${wei} wei`, maxTries: 1, ...more } });
	const told = ({ message }: Error) =>
		/rule "|MAY have been sent|not sent again|was not sent/i.exec(message)?.[0] ?? message;
	const [UNKNOWN, OVER] = ['MAY have been sent', 'rule "'];

	/** A call, made by a tool some minutes after the one before. */
	interface Call {
		readonly wei?: number;
		readonly minutes?: number;
		readonly accessToken?: string;
		readonly orderId?: string;
	}

	interface Case {
		readonly law: string;
		readonly limit: string;
		readonly isLost?: boolean;
		readonly calls: readonly Call[];
		readonly ends: readonly unknown[];
		readonly sent: number;
	}

	test.each<Case>([
		{
			law: 'an equal call an hour after one of unknown outcome is a further payment',
			limit: '100 wei',
			calls: [{}, {}, { minutes: 61 }, {}],
			ends: [UNKNOWN, expect.any(String), OVER, OVER],
			sent: 1,
		},
		{
			law: 'what may have been sent twice counts twice for the next one',
			limit: '130 wei',
			calls: [{}, { minutes: 61 }, { wei: 50 }],
			ends: [UNKNOWN, true, OVER],
			sent: 2,
		},
		{
			law: 'an equal call of another user of the credential is a further payment',
			limit: '100 wei',
			isLost: false,
			calls: ['one', 'two', 'three'].map((accessToken) => ({ accessToken })),
			ends: [true, OVER, OVER],
			sent: 1,
		},
		{
			law: 'an order that a model gives to several calls counts for each of them',
			limit: '100 wei',
			calls: [60, 40, 1].map((wei) => ({ wei, orderId: '7' })),
			ends: [UNKNOWN, true, OVER],
			sent: 2,
		},
	])('$law', async ({ law, limit, isLost = true, calls, ends, sent }) => {
		if (isLost) plain.service.answer(LOST);
		const made = [];
		for (const { wei = 60, minutes = 0, accessToken, orderId = '' } of calls) {
			later(minutes);
			const changes = { maxValuePerExecution: limit, ...(accessToken && { accessToken }) };
			const caller = { executionId: law, credential: plain.service.credential(changes) };
			const call = plain.tool({ ...pay(wei), orderId }, {}, caller);
			made.push(await call.then(({ submitted, replayed }) => replayed ?? submitted, told));
		}
		expect([made, plain.service.writes.length]).toEqual([ends, sent]);
	});

	test('what Send Again sends counts again', async () => {
		plain.service.answer(LOST);
		const credential = plain.service.credential({ maxValuePerExecution: '100 wei' });
		const settings = { items: [{}, {}, {}], credential, node: CONTINUE };
		const { items } = await plain.run(pay(60, { sendAgain: true }), settings);
		expect(marksOf(items)).toEqual(['service-error', 'policy-refused', 'policy-refused']);
	});
});
