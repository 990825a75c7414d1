/** The transfers that History: Get Many selects, their direction and number, in both ways in which n8n runs the node. */
import type { IDataObject } from 'n8n-workflow';

import { json } from './support/answers.mts';
import { ALICE, BOB, type ListedTransfer, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const LIST = { resource: 'history', operation: 'list' };
const HISTORY = { ...LIST, returnAll: true };
const results = async (parameters: IDataObject, items: IDataObject[] = [{}]) =>
	await node.both({ ...HISTORY, ...parameters }, { items });
/** The items, asserted to be the same in both ways of running the node. */
const listed = async (parameters: IDataObject) => await node.outputs({ ...HISTORY, ...parameters });

const OTHER = `0x${'0e'.repeat(20)}`;
/** The history may write an address in a different case than the profile does. */
const toAddress = ALICE.address.toUpperCase().replace('X', 'x');
const TO_ME = { to: { username: 'Nelly', platform: 'DISCORD', address: toAddress } };
const OF_OTHER = {
	valueBn: { type: 'BigNumber', hex: '0x01' },
	formatted: 0,
	decimals: 0,
	symbol: 'ODD\0',
	name: 'Odd Token',
	tokenAddress: OTHER,
	network: 'SANDBOX',
	chainId: 1,
};

/** Transfers, newest first. */
const FIVE: ListedTransfer[] = [
	{ hash: '0x5', second: 50 },
	{ hash: '0x4', second: 40, hex: '0xbebc1f', said: TO_ME },
	{ hash: '0x3', second: 30, said: { ...TO_ME, amount: OF_OTHER } },
	{ hash: '0x2', second: 20, hex: '0x01', said: { to: { username: '', address: BOB.address } } },
	{ hash: '0x1', second: 10, hex: '0xbebc21', said: TO_ME },
];
beforeEach(() => (node.service.looks = [FIVE]));

const PROFILE = `/v1/users/${ALICE.id}`;
/** The entries as the service lists them. */
const entries = async () =>
	(await (await fetch(`${node.service.baseUrl}${PROFILE}/history`)).json()) as IDataObject[];

test('an item has ten fields, those for people first', async () => {
	const [first = {}, second, ofOther, nameless] = await listed({});
	expect(Object.entries(first)).toEqual(
		Object.entries({
			timestamp: '2026-11-21T12:00:50.000Z',
			direction: 'sent',
			amount: '12.5',
			symbol: 'SUSD',
			who: 'Rahul',
			explorerUrl: 'http://127.0.0.1/tx/0x5',
			toAddress: BOB.address,
			tokenAddress: TOKEN,
			hash: '0x5',
			userId: ALICE.id,
		}),
	);
	const received = { direction: 'received', amount: '12.499999', who: 'not known', toAddress };
	expect(second).toMatchObject(received);
	expect(ofOther).toMatchObject({ symbol: 'ODD' });
	expect(nameless).toMatchObject({ direction: 'sent', who: BOB.address });
});

const ALL = ['0x5', '0x4', '0x3', '0x2', '0x1'];

test.each<[filters: IDataObject, hashes: string[]]>([
	[{}, ALL],
	[{ direction: 'any' }, ALL],
	[{ direction: 'received' }, ['0x4', '0x3', '0x1']],
	[{ direction: 'sent' }, ['0x5', '0x2']],
	[{ token: TOKEN.toLowerCase() }, ['0x5', '0x4', '0x2', '0x1']],
	[{ token: OTHER }, ['0x3']],
	[{ token: '', minimumAmount: '', since: '' }, ALL],
	[{ token: TOKEN.toLowerCase(), minimumAmount: '12.5' }, ['0x5', '0x1']],
	[{ token: TOKEN.toLowerCase(), minimumAmount: '12.5000001' }, ['0x1']],
	[{ token: TOKEN.toLowerCase(), minimumAmount: '12.4999990' }, ['0x5', '0x4', '0x1']],
	[{ token: OTHER, minimumAmount: '={{ 1 }}' }, ['0x3']],
	[{ token: OTHER, minimumAmount: '1.1' }, []],
	[{ minimumAmount: '0' }, ALL],
	[{ since: '2026-11-21T12:00:30.000Z' }, ['0x5', '0x4', '0x3']],
	[{ since: '2026-11-21T12:00:30.001Z' }, ['0x5', '0x4']],
	// A time without a zone is UTC, even if the workflow's time zone is that of New York, as here.
	[{ since: '2026-11-21T12:00:40' }, ['0x5', '0x4']],
	...['2026-11-21 12:00:40+00', '20261121T120040Z', '20261121T130040.000+01'].map(
		(since): [IDataObject, string[]] => [{ since }, ['0x5', '0x4']],
	),
	[{ since: "={{ DateTime.fromISO('2026-11-21T12:00:40Z') }}" }, ['0x5', '0x4']],
	[{ since: "={{ new Date('2026-11-21T12:00:40Z') }}" }, ['0x5', '0x4']],
	[{ direction: 'received', since: '2026-11-21T12:00:20Z' }, ['0x4', '0x3']],
])('%j selects %j, simplified or not', async (filters, hashes) => {
	expect((await listed({ filters })).map(({ hash }) => hash)).toEqual(hashes);
	const raw = await listed({ filters, simplify: false });
	expect(raw).toEqual((await entries()).filter(({ hash }) => hashes.includes(String(hash))));
});

test('an entry that is not a transfer has its type and no direction', async () => {
	const kinds = ['FAILED', 'approval', 'Pending', ''];
	const of = (type: string | undefined, to: object = TO_ME): ListedTransfer => ({
		hash: '0x4',
		hex: '0xbebc1f',
		said: { ...to, type },
	});
	const transfers = ['Transfer', 'transfer', undefined].map((type) => of(type));
	node.service.looks = [[...kinds.map((type) => of(type)), of('REVERTED', {}), ...transfers]];
	const items = await listed({});
	const shown = { direction: null, amount: '12.499999', who: 'Nelly' };
	expect(items.slice(0, 5)).toMatchObject([
		...kinds.map((type) => ({ type, ...shown })),
		{ type: 'REVERTED', direction: null, who: 'Rahul' },
	]);
	expect(items.slice(5)).toEqual(
		transfers.map(() => expect.objectContaining({ direction: 'received', who: 'not known' })),
	);
	for (const one of items.slice(5)) expect(one).not.toHaveProperty('type');
	expect(await listed({ filters: { direction: 'received' } })).toHaveLength(3);
	expect(await listed({ filters: { direction: 'sent' } })).toEqual([]);
	const types = (await listed({ simplify: false })).map(({ type }) => type);
	expect(types).toEqual([...kinds, 'REVERTED', 'Transfer', 'transfer', undefined]);
});

test('each item has its own filters, and a limit that counts after them', async () => {
	const filters = { direction: '={{ $json.way }}' };
	const parameters = { filters, returnAll: false, limit: '={{ $json.most }}' };
	const given = [
		{ way: 'sent', most: 1 },
		{ way: 'received', most: 2 },
	];
	for (const { items } of await results(parameters, given)) {
		expect(items.map(({ json, pairedItem }) => [json.hash, pairedItem])).toEqual([
			['0x5', { item: 0 }],
			['0x4', { item: 1 }],
			['0x3', { item: 1 }],
		]);
	}
});

// All other numbers and switches are tested in test/unit/values/parameters.
test.each<[parameters: IDataObject, length: number]>([
	[{ limit: '2' }, 2],
	[{ limit: '={{ "3" }}' }, 3],
	[{ limit: 2, returnAll: 'false' }, 2],
	[{ limit: 2, returnAll: '={{ "false" }}' }, 2],
	[{ limit: 2, returnAll: 'true' }, 5],
	[{ limit: 2, returnAll: '={{ "true" }}' }, 5],
	[{ limit: 'ten', returnAll: true }, 5],
])('with %j the list has %i transfers', async (parameters, length) => {
	expect(await node.outputs({ ...LIST, ...parameters })).toHaveLength(length);
});

test('by default, the list has at most 50 transfers', async () => {
	node.service.looks = [Array.from({ length: 60 }, (_, index) => ({ hash: `0x${index}` }))];
	expect(await node.outputs(LIST)).toHaveLength(50);
});

test.each<[IDataObject, isNeeded: boolean]>([
	[{}, true],
	[{ simplify: false }, false],
	[{ simplify: false, filters: { direction: 'sent' } }, true],
	[{ filters: { since: '2100-01-01' } }, false],
])('with %j the wallet is looked up once in a run: %s', async (parameters, isNeeded) => {
	const { error } = await node.run({ ...HISTORY, ...parameters }, { items: [{}, {}] });
	expect(error).toBeUndefined();
	const paths = node.service.requests.map(({ path }) => path).sort();
	expect(paths).toEqual([...(isNeeded ? [PROFILE] : []), `${PROFILE}/history`]);
});

test.each([
	[404, " but does not report this user's wallet address"],
	[403, 'could not be looked up: '],
])('HTTP %i for the wallet is an error, and nothing is guessed', async (status, words) => {
	node.service.script = ({ path }) => (path === PROFILE ? json({}, status) : undefined);
	for (const { error, items } of await results({})) {
		expect(error?.message).toContain(words);
		expect(items).toEqual([]);
	}
	// Raw output does not need the wallet, so the profile is not requested.
	for (const { error } of await results({ simplify: false })) expect(error).toBeUndefined();
});

// A Duration also has a value in milliseconds, like a DateTime.
const DURATION = '={{ $now.diff($now.minus({ days: 1 })) }}';
const NOTHING = ['={{ $json.missing }}', '={{ null }}', '={{ "" }}'];
const AMOUNTS = ['12,5', '-5', '={{ null }}'];
const REFUSED: Readonly<Record<string, object[]>> = {
	Limit: ['ten', null, '', -1, '={{ [5] }}', ...NOTHING].map((limit) => ({
		returnAll: false,
		limit,
	})),
	'Return All': ['={{ undefined }}', 'yes', null].map((returnAll) => ({ returnAll, limit: 2 })),
	Direction: ['incoming', '', '={{ undefined }}'].map((direction) => ({ filters: { direction } })),
	Token: [{ filters: { token: '0x12' } }],
	'Minimum Amount': [
		{ filters: { minimumAmount: '5' } },
		...AMOUNTS.map((minimumAmount) => ({ filters: { token: OTHER, minimumAmount } })),
	],
	Since: ['yesterday', '2026-02-30', '={{ "" }}', DURATION].map((since) => ({
		filters: { since },
	})),
};

describe.each(Object.entries(REFUSED))('%s is refused before anything is sent', (name, list) => {
	test.each(list)('%j', async (parameters) => {
		await node.refused({ ...HISTORY, ...parameters }, name);
	});
});

test.each(['20261121T120040.000Z', '2026-11-21 13:00:40+01', '20261121T120040+0000'])(
	'a service may write %s for the time of a transfer',
	async (timestamp) => {
		node.service.looks = [[{ hash: '0x5', said: { timestamp } }]];
		const filters = { since: '2026-11-21T12:00:40Z' };
		const [item] = await listed({ filters });
		expect(item).toMatchObject({ hash: '0x5', timestamp: '2026-11-21T12:00:40.000Z' });
	},
);

test.each<[IDataObject, filters: IDataObject, message: string]>([
	[{ timestamp: null }, { since: '2026-11-21' }, 'a valid "timestamp" in entry 1'],
	[{ to: { username: 'Rahul' } }, {}, 'a valid "to.address" in entry 1'],
])('a transfer with %j is an error', async (changes, filters, message) => {
	node.service.looks = [[{ hash: '0x5', said: changes }]];
	for (const { error } of await results({ filters })) expect(error?.message).toContain(message);
});
