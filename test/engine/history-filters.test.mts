/** History: the selected transfers and their direction, in both ways in which n8n runs the node. */
import type { IDataObject } from 'n8n-workflow';

import { useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

const HISTORY = { resource: 'history', operation: 'list', returnAll: true };
const results = async (parameters: IDataObject, items: IDataObject[] = [{}]) =>
	await node.both({ ...HISTORY, ...parameters }, { items });
/** The items, which must be the same in both ways. */
const listed = async (parameters: IDataObject) => await node.outputs({ ...HISTORY, ...parameters });
const hashesOf = async (parameters: IDataObject) =>
	(await listed(parameters)).map(({ hash }) => hash);

const TOKEN = `0x${'cD'.repeat(20)}`;
const OTHER = `0x${'0e'.repeat(20)}`;

/** A transfer of 12.5 tokens, or of other base units. */
function transfer(
	hash: string,
	direction: 'sent' | 'received',
	{ hex = '0xbebc20', decimals = 6, tokenAddress = TOKEN, second = 0, username = 'Rahul Sen' } = {},
): IDataObject {
	const { address } = node.service.user();
	return {
		type: 'TRANSFER',
		// The service may write an address in a different case than the profile.
		to:
			direction === 'received'
				? { username: 'Nelly', platform: 'DISCORD', address: address.toLowerCase() }
				: { username, platform: 'GOOGLE', address: OTHER },
		amount: {
			...{ valueBn: { type: 'BigNumber', hex }, formatted: 0, decimals, symbol: 'SUSD' },
			...{ name: 'Sandbox Dollar', tokenAddress, network: 'SANDBOX', chainId: 1 },
		},
		timestamp: new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString(),
		...{ hash, explorerUrl: `http://127.0.0.1/tx/${hash}` },
	};
}

const profilePath = () => `/v1/users/${node.service.user().id}`;
const historyPath = () => `${profilePath()}/history`;

/** Makes every history list these transfers. */
async function answerWith(...entries: IDataObject[]): Promise<void> {
	const params = { body: JSON.stringify(entries) };
	await node.service.faults.add({ kind: 'wrong-shape', match: { path: historyPath() }, params });
}

/** Newest first. */
const five = (): IDataObject[] => [
	transfer('0x5', 'sent', { second: 50 }),
	transfer('0x4', 'received', { hex: '0xbebc1f', second: 40 }),
	transfer('0x3', 'received', { hex: '0x01', decimals: 0, tokenAddress: OTHER, second: 30 }),
	transfer('0x2', 'sent', { hex: '0x01', second: 20, username: '' }),
	transfer('0x1', 'received', { hex: '0xbebc21', second: 10 }),
];

test('an item begins with what a person reads, and has ten fields', async () => {
	await answerWith(...five());
	const [first = {}, second, , nameless] = await listed({});
	const { id, address } = node.service.user();
	expect(Object.entries(first)).toEqual(
		Object.entries({
			...{ timestamp: '2026-11-21T12:00:50.000Z', direction: 'sent', amount: '12.5' },
			...{ symbol: 'SUSD', who: 'Rahul Sen', explorerUrl: 'http://127.0.0.1/tx/0x5' },
			...{ toAddress: OTHER, tokenAddress: TOKEN, hash: '0x5', userId: id },
		}),
	);
	const toAddress = address.toLowerCase();
	const received = { direction: 'received', amount: '12.499999', who: 'not known', toAddress };
	expect(second).toMatchObject(received);
	expect(nameless).toMatchObject({ direction: 'sent', who: OTHER });
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
	[{ since: '2026-11-21T13:00:40+01:00' }, ['0x5', '0x4']],
	// Without a zone it is UTC, also in a workflow whose zone is New York, as here.
	[{ since: '2026-11-21T12:00:40' }, ['0x5', '0x4']],
	[{ since: "={{ '2026-11-21 12:00:40' }}" }, ['0x5', '0x4']],
	[{ since: "={{ DateTime.fromISO('2026-11-21T12:00:40Z') }}" }, ['0x5', '0x4']],
	[{ since: "={{ new Date('2026-11-21T12:00:40Z') }}" }, ['0x5', '0x4']],
	[{ direction: 'received', since: '2026-11-21T12:00:20Z' }, ['0x4', '0x3']],
])('%j takes %j, simplified or not', async (filters, hashes) => {
	await answerWith(...five());
	expect(await hashesOf({ filters })).toEqual(hashes);
	const raw = await listed({ filters, simplify: false });
	expect(raw).toEqual(five().filter(({ hash }) => hashes.includes(String(hash))));
});

test('an entry that is not a transfer shows its type, and was neither received nor sent', async () => {
	const kinds = ['FAILED', 'approval', 'Pending', ''];
	const [sent = {}, received = {}] = five();
	const others = kinds.map((type) => ({ ...received, type }));
	const transfers = ['Transfer', 'transfer', undefined].map((type) => ({ ...received, type }));
	await answerWith(...others, { ...sent, type: 'REVERTED' }, ...transfers);
	const given = await listed({});
	const shown = { direction: null, amount: '12.499999', who: 'Nelly' };
	expect(given.slice(0, 5)).toMatchObject([
		...kinds.map((type) => ({ type, ...shown })),
		{ type: 'REVERTED', direction: null, who: 'Rahul Sen' },
	]);
	expect(given.slice(5)).toEqual(
		transfers.map(() => expect.objectContaining({ direction: 'received', who: 'not known' })),
	);
	for (const one of given.slice(5)) expect(one).not.toHaveProperty('type');
	expect(await listed({ filters: { direction: 'received' } })).toHaveLength(3);
	expect(await listed({ filters: { direction: 'sent' } })).toEqual([]);
	const types = (await listed({ simplify: false })).map(({ type }) => type);
	expect(types).toEqual([...kinds, 'REVERTED', 'Transfer', 'transfer', undefined]);
});

test('the limit counts what the filters leave', async () => {
	await answerWith(...five());
	const filters = { direction: 'received' };
	expect(await hashesOf({ returnAll: false, limit: 2, filters })).toEqual(['0x4', '0x3']);
});

test('filters are read for each item, and its output is paired with it', async () => {
	await answerWith(...five());
	const filters = { direction: '={{ $json.way }}' };
	for (const { items } of await results({ filters }, [{ way: 'sent' }, { way: 'received' }])) {
		expect(items.map(({ json, pairedItem }) => [json.hash, pairedItem])).toEqual([
			...['0x5', '0x2'].map((hash) => [hash, { item: 0 }]),
			...['0x4', '0x3', '0x1'].map((hash) => [hash, { item: 1 }]),
		]);
	}
});

test.each<[IDataObject, isNeeded: boolean]>([
	[{}, true],
	[{ simplify: false }, false],
	[{ simplify: false, filters: { direction: 'sent' } }, true],
	[{ filters: { since: '2100-01-01' } }, false],
])('with %j the wallet is looked up once in a run: %s', async (parameters, isNeeded) => {
	const { error } = await node.run({ ...HISTORY, ...parameters }, { items: [{}, {}] });
	expect(error).toBeUndefined();
	const paths = (await node.service.faults.requests()).map(({ path }) => path).sort();
	expect(paths).toEqual(isNeeded ? [profilePath(), historyPath()] : [historyPath()]);
});

test.each([
	[404, ' but does not report their wallet address'],
	[403, 'could not be looked up: '],
])(
	'a wallet that cannot be looked up (HTTP %i) is an error, not a guess',
	async (status, words) => {
		const params = { status, body: '{}' };
		await node.service.faults.add({ kind: 'wrong-shape', match: { path: profilePath() }, params });
		for (const { error, items } of await results({})) {
			expect(error?.message).toContain(words);
			expect(items).toEqual([]);
		}
		// If not needed, it is not requested.
		for (const { error } of await results({ simplify: false })) expect(error).toBeUndefined();
	},
);

const NO_TIMES = ['yesterday', '2026-02-30', '={{ "" }}'];
// A Duration, which counts in milliseconds as well.
const DURATION = '={{ $now.diff($now.minus({ days: 1 })) }}';

test.each<[parameter: string, filters: IDataObject]>([
	...['incoming', '', '={{ undefined }}'].map((direction): [string, IDataObject] => [
		...(['Direction', { direction }] as const),
	]),
	['Token', { token: '0x12' }],
	['Minimum Amount', { minimumAmount: '5' }],
	...['12,5', '-5', '={{ null }}'].map((minimumAmount): [string, IDataObject] => [
		...(['Minimum Amount', { token: OTHER, minimumAmount }] as const),
	]),
	...[...NO_TIMES, DURATION].map((since): [string, IDataObject] => ['Since', { since }]),
])('%s is refused before anything is sent: %j', async (parameter, filters) => {
	for (const { items, error } of await results({ filters })) {
		expect(error).toMatchObject({ context: { details: { code: 'invalid-input', parameter } } });
		expect(items).toEqual([]);
	}
	expect(await node.service.faults.requests()).toEqual([]);
});

test.each<[IDataObject, filters: IDataObject, message: string]>([
	[{ timestamp: null }, { since: '2026-11-21' }, 'a transfer with a time'],
	[{ to: { username: 'Rahul Sen' } }, {}, 'the address of its recipient'],
])('a transfer with %j is not passed over', async (changes, filters, message) => {
	await answerWith({ ...five()[0], ...changes });
	for (const { error } of await results({ filters })) expect(error?.message).toContain(message);
});
