/** One rule for the notation of amounts at every parameter that takes one: exact, or refused with the correction. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf, json } from './support/answers.mts';
import { readUntil } from './support/contract-calls.mts';
import { callOf, sendOf, transferOf } from './support/kinds-of-writes.mts';
import { TOKEN } from './support/scripted-world.mts';
import { failureOf, useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);

const ZEROS = '000000000000000000';

/** The only argument of the last write that contains an amount. */
const sent = () => node.service.writes.at(-1)?.args.at(-1);
const coin = (nativeCoin: string) => callOf('pay() payable', [], { options: { nativeCoin } });
const limited = (policy: IDataObject) => ({ credential: node.service.credential(policy) });

/** Answers every request for a balance: 29 tokens of 6 decimals. */
const answerWithBalance = () =>
	void (node.service.script = ({ path }) =>
		path.includes('/balance')
			? json({ a: { balance: '29000000', decimals: 6, tokenAddress: TOKEN, network: 'x' } })
			: undefined);

const balanceOf = (more: IDataObject): IDataObject => ({
	resource: 'balance',
	operation: 'token',
	token: TOKEN,
	...more,
});
const historyOf = (minimumAmount: string): IDataObject => ({
	resource: 'history',
	operation: 'list',
	filters: { token: TOKEN, minimumAmount },
});
const findOf = (amount: string): IDataObject => ({
	resource: 'history',
	operation: 'find',
	transactionHash: hashOf(1),
	amount,
});
const untilOf = (conditionValue: string) =>
	readUntil('cap() view returns (uint256)', { condition: 'is', conditionValue, waitUpTo: 0 });

describe('zeros behind the last decimal place change nothing', () => {
	test.each<[string, IDataObject, string]>([
		['Token: Send', sendOf({ amount: `29.${ZEROS}` }), '29000000'],
		['Token: Send with the symbol', sendOf({ amount: `29.${ZEROS} SUSD` }), '29000000'],
		['a field', transferOf(`29.${ZEROS} token`), '29000000'],
		['a JSON argument', callOf('pay(uint256)', ['1.5000000000 gwei']), '1500000000'],
		['a power of ten', callOf('pay(uint256)', ['29.0000000 * 10^6']), '29000000'],
		['zero in a field', transferOf('0.00'), '0'],
		['zero in a JSON argument', callOf('pay(uint256)', ['0.000']), '0'],
	])('%s', async (_what, parameters, expected) => {
		await node.items(parameters);
		expect(sent()).toBe(expected);
	});

	test('a quantity, and native coin', async () => {
		await node.items(sendOf({ tokenStandard: 'erc1155', pieceId: '7', amount: '3.00' }));
		expect(node.service.writes[0]?.args[3]).toBe('3');
		await node.items(coin('20.0000000000 gwei'));
		expect(node.service.writes[1]?.value).toBe('20000000000');
	});

	test('the limits of a credential', async () => {
		const limits = { amountLimits: `12.5${ZEROS} ${TOKEN}` };
		expect(await node.items(sendOf(), limited(limits))).toMatchObject([{ submitted: true }]);
		const value = { maxValuePerCall: `1.0${ZEROS}0 ether`, maxValuePerExecution: '2.0 wei' };
		expect(await node.items(coin('2 wei'), limited(value))).toMatchObject([{ submitted: true }]);
		node.service.reset();
		await node.refusal(coin('3 wei'), limited(value));
		const { message } = await node.refusal(coin('1 wei'), limited({ maxValuePerCall: '0.0' }));
		expect(message).toContain('the limit is 0 ether (0 wei)');
	});

	test('a comparison, a filter, a search and a condition', async () => {
		answerWithBalance();
		const compared = await node.items(balanceOf({ compareWith: `29.${ZEROS}` }));
		expect(compared).toMatchObject([{ comparison: 'equal' }]);
		node.service.looks = [[{ hash: hashOf(1) }]];
		expect(await node.items(historyOf(`12.5${ZEROS}`))).toHaveLength(1);
		expect(await node.items(findOf(`12.5${ZEROS}`))).toMatchObject([{ seen: true }]);
		node.service.values = { '': ['1500000000'] };
		expect(await node.items(untilOf('1.5000000000 gwei'))).toMatchObject([{ met: true }]);
	});

	test('the amounts of the trigger', async () => {
		answerWithBalance();
		const watched = { event: 'balanceCrossedThreshold', asset: 'token', token: TOKEN };
		const amounts = { threshold: `30.${ZEROS}`, hysteresis: `1.${ZEROS}` };
		const options = { maxTries: 1, emitExisting: true };
		const items = await poller({ ...watched, ...amounts, options }).poll();
		expect(items).toMatchObject([{ threshold: '30', crossed: 'below' }]);
	});
});

const WRITES: readonly [string, (amount: string) => IDataObject][] = [
	['Token: Send', (amount) => sendOf({ amount })],
	['a field', transferOf],
	['a JSON argument', (amount) => callOf('pay(uint256)', [amount])],
	['native coin', coin],
	['Compare With', (compareWith) => balanceOf({ compareWith })],
	['Minimum Amount', historyOf],
	['Amount of a search', findOf],
	['Wait Until', untilOf],
];

describe.each([
	['1e-9', 'is in scientific notation', 'Write the number out: 0.000000001'],
	['1E3', 'is in scientific notation', 'Write the number out: 1000'],
	['1e999999999', 'is not an amount', 'Enter digits'],
])('%s is refused', (amount, problem, hint) => {
	test.each(WRITES)('by %s', async (_what, parameters) => {
		const { error } = await node.run(parameters(amount));
		expect(error?.message).toContain(`"${amount}" ${problem}`);
		expect(error?.description).toContain(hint);
		expect(node.service.writes).toEqual([]);
	});

	test('by the limits of a credential, and by the trigger', async () => {
		const policies = [
			{ amountLimits: `${amount} ${TOKEN}` },
			{ maxValuePerCall: amount },
			{ maxValuePerExecution: amount },
		];
		for (const policy of policies) {
			const { message } = await node.refusal(sendOf(), limited(policy));
			expect(message).toContain(problem);
		}
		const watched = { event: 'balanceCrossedThreshold', threshold: amount };
		const { message } = await failureOf(poller(watched).poll());
		expect(message).toContain('Threshold: ');
		expect(message).toContain(problem);
	});
});

describe('a number, as forms, tables and spreadsheets give it,', () => {
	const scaled = (conditionValue: string): IDataObject => {
		const { options, ...rest } = readUntil('cap() view returns (uint256)', {
			condition: 'is',
			conditionValue,
			waitUpTo: 0,
		});
		return { ...rest, options: { ...(options as IDataObject), decimals: 6 } };
	};
	const WHOLE: typeof WRITES = [
		...WRITES.filter(([what]) => !/^(?:a |Wait)/.test(what)),
		['a scaled condition', scaled],
		['a field with a unit', () => transferOf('={{ $json.amount }} token')],
	];
	const answer = () => {
		answerWithBalance();
		node.service.looks = [[{ hash: hashOf(1) }]];
		node.service.values = { '': ['12500000'] };
	};
	const runOf = async (parameters: (amount: string) => IDataObject, amount: unknown) =>
		await node.run(parameters('={{ $json.amount }}'), { items: [{ amount } as IDataObject] });

	test.each(WHOLE)('is taken by %s', async (_what, parameters) => {
		answer();
		const { error, items } = await runOf(parameters, 12.5);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		for (const { args, value } of node.service.writes)
			expect(value ?? args[1]).toBe(value === undefined ? '12500000' : `125${'0'.repeat(17)}`);
	});

	test.each(WHOLE.filter(([what]) => what !== 'a field with a unit'))(
		'is refused by %s if it may not be exact',
		async (_what, parameters) => {
			answer();
			for (const amount of [0.1 + 0.2, 1e-7, 2 ** 60]) {
				const { error } = await runOf(parameters, amount);
				expect(error?.message).toContain(`${amount} cannot be read exactly from a number`);
				expect(error?.description).toMatch(/^Use a text field or column/);
			}
			expect(node.service.writes).toEqual([]);
		},
	);

	test.each(WHOLE.filter(([what]) => !/coin|condition|unit/.test(what)))(
		'or text with white space around it is taken by %s, which takes no unit',
		async (_what, parameters) => {
			answer();
			expect((await runOf(parameters, '12.5 \n')).error).toBeUndefined();
		},
	);

	test('is taken by the trigger', async () => {
		answerWithBalance();
		const amounts = { threshold: '={{ 30.5 }}', hysteresis: '={{ "1.5 " }}' };
		const watched = { event: 'balanceCrossedThreshold', asset: 'token', token: TOKEN, ...amounts };
		const items = await poller({ ...watched, options: { emitExisting: true } }).poll();
		expect(items).toMatchObject([{ threshold: '30.5', crossed: 'below' }]);
	});
});

describe('the correction of an amount is not refused', () => {
	test.each(WRITES.filter(([what]) => what !== 'Wait Until' && what !== 'a JSON argument'))(
		'by %s',
		async (_what, parameters) => {
			answerWithBalance();
			node.service.looks = [[{ hash: hashOf(1) }]];
			const { error } = await node.run(parameters('12,50 EUR'));
			const [, correction = ''] =
				/: (12\.50[^.,]*?)( or|\.|$)/.exec(error?.description ?? '') ?? [];
			expect((await node.run(parameters(correction))).error).toBeUndefined();
		},
	);
});
