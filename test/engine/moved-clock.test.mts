/** The wall clock is set back or forward while the node waits: neither the length of the wait nor the result changes. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf, type ScriptedAnswer } from './support/answers.mts';
import { readUntil, storeCall } from './support/contract-calls.mts';
import { useForm } from './support/form.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode, waited } from './support/use-node.mts';

const HOUR = 3_600_000;
/** Longer than every wait in this file, and far shorter than an hour, in milliseconds. */
const SOON = 20_000;
/** Shorter than every wait in this file, in milliseconds. */
const MOMENT = 100;
const USERS = 30;

const node = useNode();
const { poller } = useTrigger(() => node.service);
const form = useForm();

const laterAfter = (seconds: number): ScriptedAnswer => ({
	status: 429,
	headers: { 'retry-after': String(seconds) },
	body: 'later',
});

let movedBy = 0;
let again: NodeJS.Timeout | undefined;
beforeEach(() => {
	const now = Date.now.bind(Date);
	movedBy = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + movedBy);
	const ids = Array.from({ length: USERS }, (_, number) => `A-${number}`);
	for (const id of ids) node.service.profiles[id] = { id, address: `0x${'11'.repeat(20)}` };
	node.service.values = { '': ['TOK'] };
});
// Restores the clock, so that pending waits continue.
afterEach(() => {
	clearTimeout(again);
	jest.restoreAllMocks();
});

/** Sets the clock when the first request arrives, and again a moment later; the first requests receive these answers. */
function setClockAtFirst(byMs: number, ...answers: (ScriptedAnswer | undefined)[]): void {
	node.service.script = () => {
		if (movedBy === 0) again = setTimeout(() => (movedBy = 2 * byMs), MOMENT);
		movedBy ||= byMs;
		return answers.shift();
	};
}

async function run(parameters: IDataObject, count = 1): Promise<IDataObject[]> {
	const items = Array.from({ length: count }, (_, item) => ({ number: String(item) }));
	return await node.items(parameters, { items });
}

const users = { resource: 'user', operation: 'get', userId: '={{ "A-" + $json.number }}' };
const write = storeCall(CONTRACT, { args: '={{ [$json.number] }}' });

const watched = { event: 'newTransfer', userIds: 'A-1\nA-2\nA-3', options: {} };
const newPoller = () => poller(watched, { budgetMs: 10_000 });

/** A wait that lasts at least this many milliseconds. */
const lasting =
	(atLeast: number, wait: (byMs: number) => Promise<void>) => async (byMs: number) => {
		const start = performance.now();
		await wait(byMs);
		// Timers may fire slightly early.
		expect(performance.now() - start).toBeGreaterThan(atLeast - 50);
	};

const waits = {
	'a run continues when the service allows it': lasting(1000, async (byMs) => {
		setClockAtFirst(byMs, laterAfter(1), undefined, laterAfter(1), laterAfter(1));
		expect(await run(users, 30)).toHaveLength(30);
	}),
	'a write and those that wait behind it are sent once': lasting(1000, async (byMs) => {
		setClockAtFirst(byMs, laterAfter(1));
		expect((await Promise.all([run(write, 2), run(write, 1)])).flat()).toHaveLength(3);
		expect(node.service.requests).toHaveLength(4);
	}),
	'Find Transfer checks until its time is over': lasting(2000, async (byMs) => {
		setClockAtFirst(byMs);
		const find = { resource: 'history', operation: 'find', transactionHash: hashOf(7) };
		const seen = { seen: false, checkedFor: waited(2) };
		expect(await run({ ...find, waitUpTo: 2 })).toMatchObject([seen]);
		expect(node.service.asked('/history')).toHaveLength(2);
	}),
	'Wait Until checks until its time is over': lasting(2000, async (byMs) => {
		setClockAtFirst(byMs);
		const until = { condition: 'changed', waitUpTo: 2 };
		const read = readUntil('name() view returns (string)', until);
		expect(await run(read)).toMatchObject([{ met: false, checkedFor: waited(2) }]);
		expect(node.service.requests).toHaveLength(2);
	}),
	'a poll waits within the time that n8n allows it': lasting(1000, async (byMs) => {
		setClockAtFirst(byMs, laterAfter(1));
		const trigger = newPoller();
		await trigger.poll();
		expect(JSON.stringify(trigger.staticData).match(/0x1111/g)).toHaveLength(3);
	}),
	'a poll does not wait longer than n8n allows it': lasting(0, async (byMs) => {
		setClockAtFirst(byMs, ...Array.from({ length: 3 }, () => laterAfter(60)));
		await expect(newPoller().poll()).rejects.toThrow();
		expect(node.service.requests).toHaveLength(3);
	}),
	'the list of tokens requests all contracts': lasting(0, async (byMs) => {
		setClockAtFirst(byMs);
		const data = node.service.credential({ allowedContracts: CONTRACT, userId: 'A-1' });
		const open = { parameters: {}, credentials: { walletServiceApi: data } };
		expect((await form.search('getTokens', open)).results).toMatchObject([
			{ name: expect.stringMatching(/^SUSD - TOK /) },
		]);
	}),
};

describe.each([
	['back', -HOUR],
	['forward', HOUR],
])('when the clock is set %s by an hour', (_name, byMs) => {
	test.each(Object.entries(waits))('%s', async (_what, wait) => await wait(byMs), SOON);

	test('a write states its submission by the current clock', async () => {
		movedBy = byMs;
		setClockAtFirst(byMs);
		const before = new Date(Date.now()).toISOString();
		const [json] = await run(write);
		const submittedAt = String(json?.submittedAt);
		expect([before, submittedAt, new Date(Date.now()).toISOString()].sort()[1]).toBe(submittedAt);
	});
});
