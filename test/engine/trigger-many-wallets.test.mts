/** A trigger with 100 wallets over a service that takes its time: as many requests as it bears, within the time that n8n gives a poll. */
import { setTimeout } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { LoadedNodeTypes } from './support/node-types.mts';
import type { Scheduling } from './support/poller.mts';
import { Poller } from './support/poller.mts';
import { useScriptedService } from './support/scripted-service.mts';

const WALLETS = Array.from({ length: 100 }, (_one, index) => `DISCORD-${1000 + index}`);

/** How long the service takes to answer, in milliseconds. */
const LATENCY = 100;

/** Less than the service takes for all wallets, and more than for some. */
const SHORT_BUDGET = 400;

const service = useScriptedService();
let nodeTypes: LoadedNodeTypes;

/** What each wallet has, in wei: the same for all. */
let balance: number;
let mostAtOnce: number;

beforeAll(async () => {
	nodeTypes = await LoadedNodeTypes.load();
});

beforeEach(() => {
	balance = 1000;
	mostAtOnce = 0;
	let underWay = 0;
	service().script = async () => {
		underWay += 1;
		mostAtOnce = Math.max(mostAtOnce, underWay);
		const text = String(balance);
		await setTimeout(LATENCY);
		underWay -= 1;
		const entry = { balance: text, decimals: 18, symbol: 'ETH', tokenAddress: null };
		return { body: JSON.stringify({ ETH: entry }) };
	};
});

const watch = (scheduling: Scheduling, budgetMs?: number): Poller =>
	new Poller(nodeTypes, {
		parameters: { event: 'balanceChanged', userIds: WALLETS.join('\n'), options: { maxTries: 1 } },
		credential: { baseUrl: service().baseUrl, accessToken: 'token', userId: '' },
		...{ scheduling, budgetMs },
	});

/** The items of a poll; none when its time was over before any wallet was answered for. */
async function itemsOf(trigger: Poller): Promise<IDataObject[]> {
	try {
		return (await trigger.poll()) ?? [];
	} catch (error) {
		if (String(error).includes('The time that n8n gives a poll was over')) return [];
		throw error;
	}
}

/** The users of some items, sorted. */
const usersOf = (items: readonly IDataObject[]): unknown[] =>
	items.map(({ userId }) => userId).sort();

test('one poll asks for all of them, more than ten at a time', async () => {
	const trigger = watch('in memory');
	await itemsOf(trigger);
	balance = 2000;
	mostAtOnce = 0;
	const items = await itemsOf(trigger);
	expect(usersOf(items)).toEqual(WALLETS);
	expect(mostAtOnce).toBeGreaterThan(10);
});

test.each<Scheduling>(['in memory', 'in static data', 'in a cursor'])(
	'what does not fit into a poll goes on at the next one, each change is told once, and the state is kept %s',
	async (scheduling) => {
		const trigger = watch(scheduling, SHORT_BUDGET);
		const isKnown = (user: string) => JSON.stringify(trigger.staticData).includes(`"${user}":{"`);
		while (!WALLETS.every(isKnown)) await itemsOf(trigger);
		balance = 2000;
		const told: IDataObject[] = [];
		let pollsWithItems = 0;
		while (told.length < WALLETS.length) {
			const items = await itemsOf(trigger);
			if (items.length > 0) pollsWithItems += 1;
			told.push(...items);
		}
		expect(usersOf(told)).toEqual(WALLETS);
		expect(pollsWithItems).toBeGreaterThan(1);
		for (let polls = 0; polls < 5; polls++) expect(await itemsOf(trigger)).toEqual([]);
	},
	60_000,
);
