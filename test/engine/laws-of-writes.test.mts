/** Laws that all writes obey, for each operation and both ways in which n8n runs the node. */
import { setTimeout } from 'node:timers/promises';
import type { IDataObject, INode } from 'n8n-workflow';

import type { Answer } from './support/answers.mts';
import { done, failed, hashOf, pending } from './support/answers.mts';
import { WRITES } from './support/kinds-of-writes.mts';
import { BOB } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

const node = useNode();

interface Law {
	readonly answers?: readonly Answer[];
	/** Whether the call changes with each attempt. */
	readonly isChanging?: boolean;
	readonly options?: IDataObject;
	readonly policy?: IDataObject;
	/** Number of input items, 1 by default. */
	readonly items?: number;
	readonly settings?: Partial<INode>;
	/** Number of writes that reach the service. */
	readonly sent: number;
	/** Details of the error that ends the run, including all hashes. */
	readonly error?: IDataObject;
	readonly says?: readonly (string | RegExp)[];
	/** The items of a run that ends without an error. */
	readonly output?: readonly IDataObject[];
}

const RESEND = { sendAgain: true };
const UNKNOWN = { outcome: 'unknown', code: 'not-confirmed', hashes: [hashOf(7)] };
const AGAIN = { outcome: 'unknown', code: 'not-sent-again', itemIndex: 0 };
const FORBIDDEN = { outcome: 'refused', code: 'policy-refused' };
const UNREADABLE = { outcome: 'refused', code: 'policy-unreadable' };
/** Fields that ordinary items lack. */
const NAMED = ['replayed', 'warning', 'sentCall', 'requestedCall', 'earlierHashes'];

const ONE_OF_TWO = { items: 2, answers: [done(7), failed()], sent: 3 };

const RETRIED: Readonly<Record<string, Law>> = {
	'a write whose answer was lost is not sent again, even if the call differs now': {
		isChanging: true,
		answers: ['cut'],
		sent: 1,
		error: AGAIN,
		says: ['Not sent again: an earlier attempt', 'The earlier attempt requested'],
	},
	'a write that was not confirmed is not sent again, and its hash remains': {
		answers: [pending(7)],
		sent: 1,
		error: { ...AGAIN, hashes: [hashOf(7)] },
		says: [hashOf(7)],
	},
	'Send Again is for people: n8n does not send again what may have been sent': {
		isChanging: true,
		answers: [pending(7)],
		options: RESEND,
		sent: 1,
		error: { ...AGAIN, hashes: [hashOf(7)] },
		says: [hashOf(7)],
	},
	'a refused write is sent again': {
		answers: [failed(), { status: 403, body: 'not yet' }],
		sent: 3,
		output: [{ submitted: true, hash: hashOf(3) }],
	},
	'an answered write is replayed': {
		...ONE_OF_TWO,
		isChanging: true,
		output: [
			{
				submitted: true,
				hash: hashOf(7),
				replayed: true,
				warning: expect.stringContaining('so nothing was sent this time'),
				sentCall: expect.anything(),
				requestedCall: expect.anything(),
			},
			{ submitted: true, hash: hashOf(3) },
		],
	},
	'a replay of the same call states nothing more': {
		...ONE_OF_TWO,
		output: [
			{ submitted: true, hash: hashOf(7), replayed: true },
			{ submitted: true, hash: hashOf(3) },
		],
	},
};

const ONCE: Readonly<Record<string, Law>> = {
	'a run that stops names the earlier submissions, and sends nothing more': {
		items: 3,
		answers: [done(7), failed()],
		sent: 2,
		error: { outcome: 'refused', code: 'service-failed', itemIndex: 1 },
		says: [/Item 2|at row 2: /, new RegExp(`(item|row) 1: ${hashOf(7)}`)],
	},
	'a run that continues states the outcome of each item, and blocks the call of unknown outcome': {
		items: 5,
		settings: CONTINUE,
		sent: 3,
		answers: [failed(), done(6), pending(7)],
		output: [
			{ details: { itemIndex: 0, outcome: 'refused', code: 'service-failed' } },
			{ submitted: true, hash: hashOf(6) },
			{ details: { itemIndex: 2, ...UNKNOWN } },
			...[3, 4].map((itemIndex) => ({ details: { ...AGAIN, itemIndex, hashes: [hashOf(7)] } })),
		],
	},
	'a hash that the service has named for another call proves nothing': {
		items: 3,
		isChanging: true,
		answers: [done(7), done(7)],
		settings: CONTINUE,
		sent: 3,
		output: [
			{ submitted: true, hash: hashOf(7) },
			{ details: { itemIndex: 1, ...UNKNOWN } },
			{ submitted: true, hash: hashOf(3) },
		],
	},
	'a write that is sent too early is sent again in the same execution of the node': {
		answers: [{ status: 429, headers: { 'retry-after': '0' } }],
		sent: 2,
		output: [{ submitted: true, hash: hashOf(2) }],
	},
};

const FORBIDDING = [
	...[{ allowWrites: false }, { allowedContracts: BOB.address }],
	...[{ allowedFunctions: 'mint(address)' }, { allowedRecipients: 'DISCORD-9' }],
];
const BROKEN = [
	...[{ allowWrites: 'true' }, { allowedFunctions: 'send money' }],
	...[{ amountLimits: 250 }, { maxValuePerCall: '5' }],
];

const CASES = Object.entries(WRITES).flatMap(([kind, parameters]) =>
	['its own operations', 'the routing of n8n'].map((way, index) => {
		return { kind, way, index, ...parameters };
	}),
);

describe.each(CASES)('$kind, by $way', ({ index, same, changing }) => {
	const run = async (parameters: IDataObject, settings: RunSettings) =>
		await node.run(parameters, settings, (await node.ways())[index]);

	async function hold(law: Law, settings?: Partial<INode>): Promise<void> {
		const { service } = node;
		service.answer(...(law.answers ?? []));
		const parameters: IDataObject = { ...(law.isChanging ? changing : same) };
		parameters.options = { ...(parameters.options as IDataObject), ...law.options };
		const { items, error } = await run(parameters, {
			items: Array.from({ length: law.items ?? 1 }, () => ({})),
			node: law.settings ?? settings,
			credential: service.credential(law.policy),
		});
		expect(service.writes).toHaveLength(law.sent);
		if (law.sent === 0) expect(service.asked('/balance/')).toEqual([]);
		if (law.error === undefined) {
			expect(error).toBeUndefined();
			const output = items.map(({ json }) => json);
			expect(output).toMatchObject(law.output ?? []);
			const named = (json: IDataObject) => NAMED.filter((name) => name in json);
			expect(output.map(named)).toEqual(law.output?.map(named));
			return;
		}
		expect(error).toMatchObject({ context: { details: law.error } });
		expect((error?.context?.details as IDataObject).hashes).toEqual(law.error.hashes);
		const said = `${error?.message} ${error?.description}`;
		for (const words of law.says ?? []) expect(said).toMatch(words);
	}

	test.each(Object.entries(RETRIED))('with Retry on Fail: %s', async (_law, law) => {
		await hold(law, RETRY);
	});
	test.each(Object.entries(ONCE))('%s', async (_law, law) => await hold(law));
	test.each(FORBIDDING)('a policy forbids it: %j', async (policy) => {
		await hold({ policy, sent: 0, error: FORBIDDEN });
	});
	test.each(BROKEN)('an unreadable policy forbids it: %j', async (policy) => {
		await hold({ policy, sent: 0, error: UNREADABLE });
	});

	test('a replay names both calls', async () => {
		node.service.answer(done(7), failed());
		const { items } = await run(changing, { node: RETRY, items: [{}, {}] });
		const [first] = items.map(({ json }) => json);
		const { args = [], value = '0' } = node.service.writes[0] ?? {};
		expect(first?.sentCall).toMatchObject({ args, value });
		expect(first?.requestedCall).not.toEqual(first?.sentCall);
	});

	test('writes of several executions are sent one at a time', async () => {
		// Long enough for other writes to arrive.
		node.service.script = async () => await setTimeout(5, undefined);
		const runs = [1, 2, 3].map(async () => await run(same, { items: [{}, {}] }));
		await Promise.all(runs);
		expect(node.service.writes).toHaveLength(6);
		expect(node.service.mostAtOnce).toBe(1);
	});

	test('after a stop, nothing more is sent, and the log has the write that was pending', async () => {
		const { service, log } = node;
		service.answer(done(7), 'hold');
		await run(same, { items: [{}, {}, {}], cancelWhen: service.received(2) });
		while (log.writes().length < 2) await new Promise((resolve) => setImmediate(resolve));
		const where = 'item 0, node "Wallet Service", execution \\d+, workflow workflow';
		expect(log.writes()).toEqual([
			expect.stringMatching(new RegExp(`${hashOf(7)}, ${where}`)),
			expect.stringMatching(/unknown outcome: no hash known, item 1/),
		]);
		expect(log.writes().join()).not.toContain('secret-token');
		expect(service.writes).toHaveLength(2);
	});
});

describe.each(Object.entries(WRITES))('%s, as a tool', (_kind, { same }) => {
	test('a call of unknown outcome is blocked, also for a workflow, until the block is lifted', async () => {
		const { service } = node;
		service.answer(pending(7));
		await expect(node.tool(same)).rejects.toMatchObject({ context: { details: UNKNOWN } });
		const details = { ...AGAIN, hashes: [hashOf(7)] };
		await expect(node.tool(same)).rejects.toMatchObject({ context: { details } });
		expect((await node.run(same)).error).toMatchObject({ context: { details } });
		expect(service.writes).toHaveLength(1);
		const options = { ...(same.options as IDataObject), ...RESEND };
		expect(await node.tool({ ...same, options })).toMatchObject({ earlierHashes: [hashOf(7)] });
		const replay = { replayed: true, hash: hashOf(2), earlierHashes: [hashOf(7)] };
		expect(await node.tool(same)).toMatchObject(replay);
	});

	test('simultaneous calls are sent one at a time', async () => {
		node.service.script = async () => await setTimeout(5, undefined);
		const given = ['1', '2', '3'].map((orderId) => ({ ...same, orderId }));
		await Promise.all(given.map(async (call) => await node.tool(call)));
		expect(node.service.writes).toHaveLength(3);
		expect(node.service.mostAtOnce).toBe(1);
	});

	test('a policy forbids it', async () => {
		const credential = node.service.credential({ allowWrites: false });
		const refused = node.tool(same, {}, { credential });
		await expect(refused).rejects.toMatchObject({ context: { details: FORBIDDEN } });
		expect(node.service.writes).toEqual([]);
	});
});
