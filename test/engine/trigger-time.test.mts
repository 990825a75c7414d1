/** The trigger respects n8n's time limit for a poll: n8n would drop everything found later. */
import { setTimeout } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json } from './support/answers.mts';
import type { Activation, Poller, Scheduling } from './support/poller.mts';
import { useScriptedService } from './support/scripted-service.mts';
import { failureOf, useTrigger } from './support/trigger-service.mts';

const WALLETS = Array.from({ length: 100 }, (_one, index) => `DISCORD-${1000 + index}`);
const [SILENT = '', ANSWERED = ''] = WALLETS;

/** Time that the service takes to answer, in milliseconds. */
const LATENCY = 100;

/** Time that suffices for some wallets, but not for all, in milliseconds. */
const SHORT_BUDGET = 400;

/** Requests of a poll that are answered within it, if the service is too slow for all. */
const QUICK = 60;

/** Less time than a request may take, in milliseconds, so that a poll that waits for a request fails its test. */
const SOON = 40_000;

const { poller, service } = useTrigger(useScriptedService());

/** Balance of every wallet, in wei. */
let balance: number;
let mostAtOnce: number;
let latency: number;
/** Requests that are still answered in time. */
let quick: number;

const balanceAnswer = () =>
	json({ ETH: { balance: String(balance), decimals: 18, symbol: 'ETH', tokenAddress: null } });

beforeEach(() => {
	balance = 1000;
	mostAtOnce = 0;
	latency = LATENCY;
	quick = Infinity;
	let underWay = 0;
	service().script = async () => {
		underWay += 1;
		mostAtOnce = Math.max(mostAtOnce, underWay);
		const answer = balanceAnswer();
		await setTimeout(quick-- > 0 ? latency : 2 * SHORT_BUDGET);
		underWay -= 1;
		return answer;
	};
});

const watch = (
	more: Partial<Activation> = {},
	users: readonly string[] = WALLETS,
	options: INodeParameters = { maxTries: 1 },
): Poller => poller({ event: 'balanceChanged', userIds: users.join('\n'), options }, more);

/** The items of a poll; none if its time expired before any request was sent or answered. */
async function itemsOf(trigger: Poller): Promise<IDataObject[]> {
	try {
		return (await trigger.poll()) ?? [];
	} catch (error) {
		if (/time limit for a poll expired|did not answer in time/.test(String(error))) return [];
		throw error;
	}
}

const usersOf = (items: readonly IDataObject[]): unknown[] =>
	items.map(({ userId }) => userId).sort();

test('one poll queries all wallets, more than ten at a time', async () => {
	// Long enough for a busy machine to send them before the first is answered.
	latency = 3 * LATENCY;
	const trigger = watch();
	await itemsOf(trigger);
	balance = 2000;
	mostAtOnce = 0;
	expect(usersOf(await itemsOf(trigger))).toEqual(WALLETS);
	expect(mostAtOnce).toBeGreaterThan(10);
});

test.each<Scheduling>(['in memory', 'in static data', 'in a cursor'])(
	'wallets that do not fit into a poll are read by a later one, once; the state %s',
	async (scheduling) => {
		const trigger = watch({ scheduling, budgetMs: SHORT_BUDGET });
		const next = async () => {
			quick = QUICK;
			return await itemsOf(trigger);
		};
		const isKnown = (user: string) => JSON.stringify(trigger.staticData).includes(`"${user}":{"`);
		while (!WALLETS.every(isKnown)) await next();
		balance = 2000;
		const polls: IDataObject[][] = [];
		while (polls.flat().length < WALLETS.length) polls.push(await next());
		expect(usersOf(polls.flat())).toEqual(WALLETS);
		expect(polls.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
		for (let more = 0; more < 5; more++) expect(await next()).toEqual([]);
	},
);

test.each([
	['answers nothing', 6000, 'hold'],
	['asks for more time', 15_000, { status: 429, headers: { 'retry-after': '30' }, body: '{}' }],
] as const)(
	'there is time for the wallets that answer, even if the service %s for another',
	async (_what, budgetMs, answer) => {
		const trigger = watch({ budgetMs }, [SILENT, ANSWERED], { maxTries: 4 });
		await trigger.poll();
		const { script } = service();
		service().script = ({ path }) => (path.includes(SILENT) ? answer : balanceAnswer());
		balance = 2000;
		expect(usersOf(await itemsOf(trigger))).toEqual([ANSWERED]);
		service().script = script;
		expect(usersOf(await itemsOf(trigger))).toEqual([SILENT]);
	},
	SOON,
);

test('whenever the time of a poll ends, the poll says so', async () => {
	const endings = new Set<string>();
	latency = 0;
	for (let perCall = 1; perCall < 120; perCall++) {
		// A clock that moves on whenever it is read ends the time at every step of a poll.
		let now = 0;
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += perCall));
		const poll = watch({ budgetMs: 100 }, [ANSWERED]).poll();
		const [ending] = await Promise.allSettled([poll]);
		clock.mockRestore();
		endings.add(ending.status === 'fulfilled' ? 'in time' : String(ending.reason));
	}
	expect([...endings].sort()).toEqual([
		expect.stringMatching(/did not answer in time/),
		expect.stringMatching(/n8n's time limit for a poll expired/),
		'in time',
	]);
});

test('a poll without any time left is an error', async () => {
	const failure = await failureOf(watch({ budgetMs: 0 }).poll());
	expect(failure.message).toMatch(/n8n's time limit for a poll expired/);
	expect(failure.description).toMatch(/shorter Timeout/);
	expect(service().requests).toEqual([]);
});
