/** A history in pages, as `Link` announces them, read to its end; and one that may be cut. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf, json, type ScriptedAnswer } from './support/answers.mts';
import { ALICE, entryOf, type ListedTransfer } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const LIST = { resource: 'history', operation: 'list' };
const TOTALS = { ...LIST, returned: 'totals' };
const ALL = { ...LIST, returnAll: true };
const HISTORY = `/v1/users/${ALICE.id}/history`;

const node = useNode();
const { poller } = useTrigger(() => node.service);

/** The newest first, a second apart. */
const transfersOf = (count: number): ListedTransfer[] =>
	Array.from({ length: count }, (_, index) => ({
		hash: hashOf(count - index),
		second: count - index,
	}));

/** Answers the history in pages; `linkTo` makes the header from the number of the next entry, if there is one. */
function inPages(
	size: number,
	transfers: () => readonly ListedTransfer[],
	linkTo: (next: number | undefined) => string | undefined = () => undefined,
): void {
	node.service.script = ({ path }) => {
		if (!path.startsWith(HISTORY)) return undefined;
		const from = Number(/(?:after=|page\/)(\d+)/.exec(path)?.[1] ?? 0);
		const next = from + size < transfers().length ? from + size : undefined;
		const link = linkTo(next);
		const answer: ScriptedAnswer = json(
			transfers()
				.slice(from, from + size)
				.map(entryOf),
		);
		return link === undefined ? answer : { ...answer, headers: { link } };
	};
}

/** Answers the history as a service does that has no pages. */
const inOne = (transfers: readonly ListedTransfer[]): void => inPages(1000, () => transfers);

const relative = (next: number | undefined) =>
	next === undefined ? '<?>; rel="first"' : `<?after=${next}>; rel="next"`;

/** The items and the yellow hints of a run. */
async function shown(parameters: IDataObject) {
	const { items, run, error } = await node.run(parameters);
	expect(error).toBeUndefined();
	const { hints = [] } = run.data.resultData.runData['Wallet Service']?.at(-1) ?? {};
	return { items: items.map((one) => one.json), hints: hints.map(({ message }) => message) };
}

describe('all pages are read', () => {
	test.each<[string, (next: number | undefined) => string | undefined]>([
		['relative', relative],
		[
			'absolute',
			(next) =>
				next ? `<${node.service.baseUrl}${HISTORY}?after=${next}>; rel="next"` : undefined,
		],
		['a path', (next) => (next ? `<${HISTORY}/page/${next}>; rel=next` : undefined)],
		[
			'among others',
			(next) =>
				`<?>; rel="first"${next ? `, <?after=${next}>; title="a, b"; REL="last next"` : ''}`,
		],
	])('%s', async (_name, linkTo) => {
		inPages(20, () => transfersOf(95), linkTo);
		expect(await node.outputs(TOTALS)).toEqual([
			expect.objectContaining({ amount: '1187.5', count: 95 }),
		]);
		const hashes = transfersOf(95).map(({ hash }) => hash);
		expect((await node.outputs(ALL)).map(({ hash }) => hash)).toEqual(hashes);
		expect((await node.outputs({ ...ALL, simplify: false })).map(({ hash }) => hash)).toEqual(
			hashes,
		);
		expect((await shown(TOTALS)).hints).toEqual([]);
	});

	test('and no more than a limit or a time needs', async () => {
		inPages(20, () => transfersOf(95), relative);
		expect(await node.items({ ...LIST, limit: 25 })).toHaveLength(25);
		expect(node.service.asked(HISTORY)).toHaveLength(2);
		node.service.reset();
		const old = [...transfersOf(30), { hash: hashOf(99), second: -600 }, ...transfersOf(30)];
		inPages(40, () => old, relative);
		const filters = { since: '2026-11-21T12:00:00Z' };
		expect(await node.items({ ...TOTALS, filters })).toMatchObject([
			{ count: 39, windowCovers: true },
		]);
		expect(node.service.asked(HISTORY)).toHaveLength(1);
	});

	test('a history that was read to its end covers any time', async () => {
		inPages(20, () => transfersOf(60), relative);
		const filters = { since: '2026-11-21T11:00:00Z' };
		const { items, hints } = await shown({ ...TOTALS, filters });
		expect(items).toMatchObject([{ count: 60, windowCovers: true }]);
		expect(hints).toEqual([]);
	});

	test('items with the same history share its pages', async () => {
		inPages(20, () => transfersOf(60), relative);
		const { items } = await node.run(TOTALS, { items: [{}, {}, {}] });
		expect(items.map((one) => one.json.count)).toEqual([60, 60, 60]);
		expect(node.service.asked(HISTORY)).toHaveLength(3);
	});

	test('an odd entry is named by its number in the history, and a page that leads back is an error', async () => {
		const odd = { hash: hashOf(1), said: { amount: null } };
		inPages(20, () => [...transfersOf(25), odd], relative);
		const { error } = await node.run(TOTALS);
		expect(error?.message).toMatch(/a valid "amount" in entry 26 of the history/);
		inPages(
			20,
			() => transfersOf(30),
			() => '<?>; rel="next"',
		);
		expect((await node.run(TOTALS)).error?.message).toMatch(/a further page of the history/);
	});
});

describe('older transfers may be missing', () => {
	const EXACTLY =
		'Older transfers may be missing: the service listed exactly 100 and no further page';

	test.each([TOTALS, { ...LIST, returned: 'totalsPerPerson' }])('in %j', async (parameters) => {
		inOne(transfersOf(100));
		const { items, hints } = await shown(parameters);
		expect(hints).toEqual([EXACTLY]);
		expect(items).toMatchObject([{ count: 100, warning: EXACTLY }]);
	});

	test('in the last transfer, and only there', async () => {
		inOne(transfersOf(100));
		const { items, hints } = await shown(ALL);
		expect(hints).toEqual([EXACTLY]);
		expect(items.map(({ warning }) => warning)).toEqual([...Array(99).fill(undefined), EXACTLY]);
	});

	test.each([7, 99, 101])('not said of %d', async (count) => {
		inOne(transfersOf(count));
		const { items, hints } = await shown(TOTALS);
		expect(hints).toEqual([]);
		expect(items[0]).not.toHaveProperty('warning');
	});

	test('not said of a service with pages, nor if the list reaches back to Since, nor of a limit that was reached', async () => {
		inPages(100, () => transfersOf(100), relative);
		expect((await shown(TOTALS)).hints).toEqual([]);
		const old = [...transfersOf(99), { hash: hashOf(200), second: -600 }];
		inOne(old);
		const filters = { since: '2026-11-21T12:00:00Z' };
		expect((await shown({ ...TOTALS, filters })).hints).toEqual([]);
		expect((await shown({ ...LIST, limit: 50 })).hints).toEqual([]);
	});

	test.each([
		'https://other.example/v1/users/DISCORD-1/history?after=20',
		'//other.example/v1/users/DISCORD-1/history',
		'/elsewhere?after=20',
		'../../../oauth/token',
		'http://[',
	])('the next page at %s is not followed', async (target) => {
		inPages(
			20,
			() => transfersOf(95),
			() => `<${target}>; rel="next"`,
		);
		const { items, hints } = await shown(TOTALS);
		const message =
			'Older transfers are missing: the address of their page is not below the base URL of the credential';
		expect(hints).toEqual([message]);
		expect(items).toMatchObject([{ count: 20, warning: message }]);
		const paths = node.service.requests.map(({ path }) => path);
		expect(new Set(paths)).toEqual(new Set([HISTORY, `/v1/users/${ALICE.id}`]));
	});

	test('a service that never ends its pages is left after 1,000', async () => {
		node.service.script = ({ path }) => {
			if (!path.startsWith(HISTORY)) return undefined;
			const page = Number(/\?(\d+)$/.exec(path)?.[1] ?? 0) + 1;
			return { ...json(transfersOf(1).map(entryOf)), headers: { link: `<?${page}>; rel=next` } };
		};
		const { items } = await shown(TOTALS);
		const warning =
			'Older transfers are missing: only the newest 1000 pages of the history are read';
		expect(items).toMatchObject([{ count: 1000, warning }]);
	});
});

describe('the trigger', () => {
	const watch = () => poller({ event: 'newTransfer', userIds: ALICE.id });

	test('reads further pages until it meets a known transfer', async () => {
		let count = 30;
		inPages(20, () => transfersOf(count), relative);
		const trigger = watch();
		expect(await trigger.poll()).toBeUndefined();
		count = 75;
		const items = (await trigger.poll()) ?? [];
		expect(items.map(({ hash }) => hash)).toEqual(
			transfersOf(75)
				.slice(0, 45)
				.map(({ hash }) => hash)
				.reverse(),
		);
		expect(items.every((one) => one.gapPossible === false && !('warning' in one))).toBe(true);
		node.service.reset();
		expect(await trigger.poll()).toBeUndefined();
		expect(node.service.asked(HISTORY)).toHaveLength(1);
	});

	test('also after a start of n8n', async () => {
		let count = 30;
		inPages(20, () => transfersOf(count), relative);
		const first = watch();
		await first.poll();
		count = 75;
		const { staticData } = first;
		const restarted = poller(
			{ event: 'newTransfer', userIds: ALICE.id },
			{ staticData, activation: 'init' },
		);
		const items = (await restarted.poll()) ?? [];
		expect(items.map(({ gapPossible }) => gapPossible)).toEqual(Array(45).fill(false));
	});

	test('says that transfers may be missing where there are no pages', async () => {
		let count = 30;
		inPages(20, () => transfersOf(count));
		const trigger = watch();
		expect(await trigger.poll()).toBeUndefined();
		count = 75;
		const items = (await trigger.poll()) ?? [];
		expect(items).toHaveLength(20);
		const warning =
			'Transfers before this one may be missing: more came since the last poll than the service lists';
		for (const item of items) expect(item).toMatchObject({ gapPossible: true, warning });
	});
});
