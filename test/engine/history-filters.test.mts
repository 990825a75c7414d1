/** History: which transfers are taken, and which way they went, in both ways in which n8n runs the node. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { useBothWays } from './support/both-ways.mts';

const { run, service, ways } = useBothWays();

async function results(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	node: Partial<INode> = {},
) {
	return await run({
		parameters: { resource: 'history', operation: 'list', returnAll: true, ...parameters },
		items,
		node,
	});
}

/** The same items of both ways. */
async function listed(parameters: INodeParameters, items?: IDataObject[]): Promise<IDataObject[]> {
	const [own, routed] = await results(parameters, items);
	expect(own?.error ?? routed?.error).toBeUndefined();
	expect(routed?.items).toEqual(own?.items);
	return own?.items.map(({ json }) => json) ?? [];
}

const TOKEN = `0x${'cD'.repeat(20)}`;
const OTHER = `0x${'0e'.repeat(20)}`;

interface Made {
	readonly hash: string;
	readonly isReceived: boolean;
	readonly hex: string;
	readonly decimals?: number;
	readonly tokenAddress?: string;
	readonly second?: number;
	readonly username?: string;
}

function entryOf({ hash, isReceived, hex, ...more }: Made): IDataObject {
	const { decimals = 6, tokenAddress = TOKEN, second = 0, username = 'Rahul Sen' } = more;
	const { address } = service().user();
	return {
		type: 'TRANSFER',
		// The service may write an address in other letters than the profile has.
		to: isReceived
			? { username: 'Nelly', platform: 'DISCORD', address: address.toLowerCase() }
			: { username, platform: 'GOOGLE', address: OTHER },
		amount: {
			...{ valueBn: { type: 'BigNumber', hex }, formatted: 0, decimals, symbol: 'SUSD' },
			...{ name: 'Sandbox Dollar', tokenAddress, network: 'SANDBOX', chainId: 1 },
		},
		timestamp: new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString(),
		hash,
		explorerUrl: `http://127.0.0.1/tx/${hash}`,
	};
}

/** Every history holds these. */
async function answerWith(...entries: IDataObject[]): Promise<void> {
	await service().faults.add({
		kind: 'wrong-shape',
		match: { path: `/v1/users/${service().user().id}/history` },
		params: { body: JSON.stringify(entries) },
	});
}

/** Newest first. */
const five = (): IDataObject[] => [
	entryOf({ hash: '0x5', isReceived: false, hex: '0xbebc20', second: 50 }),
	entryOf({ hash: '0x4', isReceived: true, hex: '0xbebc1f', second: 40 }),
	entryOf({
		hash: '0x3',
		isReceived: true,
		hex: '0x01',
		decimals: 0,
		tokenAddress: OTHER,
		second: 30,
	}),
	entryOf({ hash: '0x2', isReceived: false, hex: '0x01', second: 20, username: '' }),
	entryOf({ hash: '0x1', isReceived: true, hex: '0xbebc21', second: 10 }),
];

test('an item begins with what a person reads, and has ten fields', async () => {
	await answerWith(...five());
	const [first, second, , nameless] = await listed({});
	const { id, address } = service().user();
	expect(Object.entries(first ?? {})).toEqual(
		Object.entries({
			...{ timestamp: '2026-11-21T12:00:50.000Z', direction: 'sent', amount: '12.5' },
			...{ symbol: 'SUSD', who: 'Rahul Sen', explorerUrl: 'http://127.0.0.1/tx/0x5' },
			...{ toAddress: OTHER, tokenAddress: TOKEN, hash: '0x5', userId: id },
		}),
	);
	expect(second).toMatchObject({
		...{ direction: 'received', amount: '12.499999', who: 'not known' },
		toAddress: address.toLowerCase(),
	});
	expect(nameless).toMatchObject({ direction: 'sent', who: OTHER });
});

test.each<[filters: INodeParameters, hashes: string[]]>([
	[{}, ['0x5', '0x4', '0x3', '0x2', '0x1']],
	[{ direction: 'any' }, ['0x5', '0x4', '0x3', '0x2', '0x1']],
	[{ direction: 'received' }, ['0x4', '0x3', '0x1']],
	[{ direction: 'sent' }, ['0x5', '0x2']],
	[{ token: TOKEN.toLowerCase() }, ['0x5', '0x4', '0x2', '0x1']],
	[{ token: OTHER }, ['0x3']],
	[{ token: '', minimumAmount: '', since: '' }, ['0x5', '0x4', '0x3', '0x2', '0x1']],
	[{ token: TOKEN.toLowerCase(), minimumAmount: '12.5' }, ['0x5', '0x1']],
	[{ token: TOKEN.toLowerCase(), minimumAmount: '12.5000001' }, ['0x1']],
	[{ token: TOKEN.toLowerCase(), minimumAmount: '12.4999990' }, ['0x5', '0x4', '0x1']],
	[{ token: OTHER, minimumAmount: '={{ 1 }}' }, ['0x3']],
	[{ token: OTHER, minimumAmount: '1.1' }, []],
	[{ minimumAmount: '0' }, ['0x5', '0x4', '0x3', '0x2', '0x1']],
	[{ since: '2026-11-21T12:00:30.000Z' }, ['0x5', '0x4', '0x3']],
	[{ since: '2026-11-21T12:00:30.001Z' }, ['0x5', '0x4']],
	[{ since: '2026-11-21T13:00:40+01:00' }, ['0x5', '0x4']],
	// Without a zone it is UTC, also in a workflow whose zone is that of New York, as here.
	[{ since: '2026-11-21T12:00:40' }, ['0x5', '0x4']],
	[{ since: "={{ '2026-11-21 12:00:40' }}" }, ['0x5', '0x4']],
	[{ since: "={{ DateTime.fromISO('2026-11-21T12:00:40Z') }}" }, ['0x5', '0x4']],
	[{ since: "={{ new Date('2026-11-21T12:00:40Z') }}" }, ['0x5', '0x4']],
	[{ direction: 'received', since: '2026-11-21T12:00:20Z' }, ['0x4', '0x3']],
])('%j takes %j, simplified or not', async (filters, hashes) => {
	await answerWith(...five());
	expect((await listed({ filters })).map(({ hash }) => hash)).toEqual(hashes);
	const raw = await listed({ filters, simplify: false });
	expect(raw).toEqual(five().filter(({ hash }) => hashes.includes(String(hash))));
});

const KINDS = ['FAILED', 'approval', 'Pending', ''];

test('what is no transfer says what it is, and was neither received nor sent', async () => {
	const [sent = {}, received = {}] = five();
	const others = KINDS.map((type) => ({ ...received, type }));
	const transfers = ['Transfer', 'transfer', undefined].map((type) => ({ ...received, type }));
	await answerWith(...others, { ...sent, type: 'REVERTED' }, ...transfers);
	const given = await listed({});
	const shown = { direction: null, amount: '12.499999', who: 'Nelly' };
	expect(given.slice(0, 4)).toMatchObject(KINDS.map((type) => ({ type, ...shown })));
	expect(given[4]).toMatchObject({ type: 'REVERTED', direction: null, who: 'Rahul Sen' });
	expect(given.slice(5)).toEqual(
		transfers.map(() => expect.objectContaining({ direction: 'received', who: 'not known' })),
	);
	for (const transfer of given.slice(5)) expect(transfer).not.toHaveProperty('type');
	expect(await listed({ filters: { direction: 'received' } })).toHaveLength(3);
	expect(await listed({ filters: { direction: 'sent' } })).toEqual([]);
	const raw = await listed({ simplify: false });
	expect(raw.map(({ type }) => type)).toEqual([
		...[...KINDS, 'REVERTED', 'Transfer', 'transfer', undefined],
	]);
});

test('the limit counts what the filters leave', async () => {
	await answerWith(...five());
	const parameters = { returnAll: false, limit: 2, filters: { direction: 'received' } };
	expect((await listed(parameters)).map(({ hash }) => hash)).toEqual(['0x4', '0x3']);
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

test('the wallet of a user is looked up once in a run, and only when it is needed', async () => {
	const { id } = service().user();
	const history = `/v1/users/${id}/history`;
	const profile = `/v1/users/${id}`;
	const pathsOf = async (parameters: INodeParameters): Promise<string[]> => {
		await service().faults.reset();
		const [own] = ways();
		const credential = service().credential();
		const given = { resource: 'history', operation: 'list', ...parameters };
		const { error } = (await own?.run({ parameters: given, credential, items: [{}, {}] })) ?? {};
		expect(error).toBeUndefined();
		return (await service().faults.requests()).map(({ path }) => path).sort();
	};
	expect(await pathsOf({})).toEqual([profile, history]);
	expect(await pathsOf({ simplify: false })).toEqual([history]);
	const sent = { direction: 'sent' };
	expect(await pathsOf({ simplify: false, filters: sent })).toEqual([profile, history]);
	expect(await pathsOf({ filters: { since: '2100-01-01' } })).toEqual([history]);
});

test.each([
	[404, 'does not say what their wallet is'],
	[403, 'cannot be looked up: '],
])(
	'a wallet that cannot be looked up, HTTP %i, is an error, and no guess',
	async (status, words) => {
		await service().faults.add({
			kind: 'wrong-shape',
			match: { path: `/v1/users/${service().user().id}` },
			params: { status, body: '{}' },
		});
		for (const { error, items } of await results({})) {
			expect(error?.message).toContain(words);
			expect(items).toEqual([]);
		}
		// Not needed, it is not asked for.
		for (const { error } of await results({ simplify: false })) expect(error).toBeUndefined();
	},
);

test.each<[filters: INodeParameters, message: string]>([
	[{ direction: 'incoming' }, 'Direction: "incoming" is none of the choices'],
	[{ direction: '' }, 'Direction: "" is none of the choices'],
	[{ direction: '={{ undefined }}' }, 'Direction: The expression gives nothing (undefined)'],
	[{ token: '0x12' }, 'Token: The address "0x12" has 2'],
	[{ minimumAmount: '5' }, 'Minimum Amount: An amount says nothing without a token'],
	[{ token: OTHER, minimumAmount: '12,5' }, 'Minimum Amount: "12,5" has a comma'],
	[{ token: OTHER, minimumAmount: '-5' }, 'Minimum Amount: "-5" is negative'],
	[{ token: OTHER, minimumAmount: '={{ null }}' }, 'Minimum Amount: The expression'],
	[{ since: 'yesterday' }, 'Since: "yesterday" is not a time'],
	[{ since: '2026-02-30' }, 'Since: "2026-02-30" is not a time'],
	[{ since: '={{ "" }}' }, 'Since: The expression gives nothing'],
	// A Duration, which counts in milliseconds as well.
	[{ since: '={{ $now.diff($now.minus({ days: 1 })) }}' }, 'Since: "PT86400S" is not a time'],
])('%j is refused before anything is sent', async (filters, message) => {
	for (const { items, error } of await results({ filters })) {
		expect(error?.message).toContain(message);
		expect(items).toEqual([]);
	}
	expect(await service().faults.requests()).toEqual([]);
});

test('a transfer without a time, or without a receiver, is not passed over', async () => {
	const [one = {}] = five();
	await answerWith({ ...one, timestamp: null });
	for (const { error } of await results({ filters: { since: '2026-11-21' } })) {
		expect(error?.message).toContain('a transfer with a time');
	}
	await service().faults.reset();
	await answerWith({ ...one, to: { username: 'Rahul Sen' } });
	for (const { error } of await results({})) {
		expect(error?.message).toContain('the address of its receiver');
	}
});
