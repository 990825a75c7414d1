/** History: Find Transfer, in both ways in which n8n runs the node. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { useResources } from '../support/resources.mts';

const OWN = { id: 'DISCORD-1', address: `0x${'11'.repeat(20)}` };
const OTHER = { id: 'GOOGLE-2', address: `0x${'22'.repeat(20)}` };
const TOKEN = `0x${'0c'.repeat(20)}`;
const SUBMITTED = '2026-11-21T12:00:00.400Z';

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

interface Listed {
	readonly hash: string;
	readonly second?: number;
	readonly hex?: string;
	readonly type?: string;
	/** Fields that the interface does not have. */
	readonly said?: IDataObject;
}

const entryOf = ({
	hash,
	second = 0,
	hex = '0xbebc20',
	type = 'TRANSFER',
	said,
}: Listed): IDataObject => ({
	type,
	to: { username: 'Rahul', platform: 'GOOGLE', address: OTHER.address },
	amount: {
		...{ valueBn: { type: 'BigNumber', hex }, formatted: 12.5, decimals: 6, symbol: 'SUSD' },
		...{ name: 'Sandbox Dollar', tokenAddress: TOKEN, network: 'SANDBOX', chainId: 1 },
	},
	timestamp: new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString(),
	...{ hash, explorerUrl: `http://127.0.0.1/tx/${hash}`, ...said },
});

let ways: Engine[];
let service: ScriptedService;
/** What the service lists at each look; the last one stays. */
let looks: Listed[][];
let asked: string[];

const resources = useResources();
beforeAll(async () => {
	[service, ...ways] = await Promise.all([
		resources.use(ScriptedService.start()),
		Engine.create(),
		Engine.create(true),
	]);
});
beforeEach(() => {
	asked = [];
	service.script = ({ path }) => {
		if (!path.endsWith('/history')) {
			return { body: JSON.stringify(path.endsWith(OTHER.id) ? OTHER : OWN) };
		}
		asked.push(path);
		const listed = looks.length > 1 ? looks.shift() : looks[0];
		return { body: JSON.stringify((listed ?? []).map(entryOf)) };
	};
});

const credential = () => ({ baseUrl: service.baseUrl, accessToken: 'of-a-user', userId: OWN.id });

async function find(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	node: Partial<INode> = {},
	engine = ways[0],
) {
	if (engine === undefined) throw new Error('There is no engine');
	return await engine.run({
		parameters: { resource: 'history', operation: 'find', ...parameters },
		credential: credential(),
		items,
		node,
	});
}

/** The items, the same in both ways. */
async function found(parameters: INodeParameters, items?: IDataObject[]): Promise<IDataObject[]> {
	const before = looks.map((listed) => [...listed]);
	const outputs = [];
	for (const engine of ways) {
		looks = before.map((listed) => [...listed]);
		const { items: output, error } = await find(parameters, items, {}, engine);
		expect(error).toBeUndefined();
		const times = { checkedAt: undefined, checkedFor: undefined };
		outputs.push(output.map(({ json }) => ({ ...json, ...times })));
	}
	expect(outputs[1]).toEqual(outputs[0]);
	return outputs[0] ?? [];
}

test('behind Token: Send and Contract: Write nothing needs to be filled in', async () => {
	looks = [[{ hash: hashOf(7), second: 1 }, { hash: hashOf(3) }]];
	const written = { hash: hashOf(7).toUpperCase().replace('X', 'x'), submittedAt: SUBMITTED };
	expect(await found({}, [written])).toEqual([
		{
			...{ seen: true, matchedBy: 'hash', timestamp: '2026-11-21T12:00:01.000Z' },
			...{ direction: 'sent', amount: '12.5', symbol: 'SUSD', who: 'Rahul' },
			...{ explorerUrl: `http://127.0.0.1/tx/${hashOf(7)}`, toAddress: OTHER.address },
			...{ tokenAddress: TOKEN, hash: hashOf(7), userId: OWN.id, windowCovers: false },
		},
	]);
	const content = {
		tokenAddress: TOKEN,
		to: OTHER.address,
		amount: '12.5',
		submittedAt: SUBMITTED,
	};
	expect(await found({ findBy: 'content' }, [content])).toMatchObject([
		{ seen: true, matchedBy: 'content', hash: hashOf(3) },
	]);
});

test('what is not listed is an item that says so, or an error that names the hash', async () => {
	looks = [[{ hash: hashOf(3), second: -121 }]];
	const input = [{ hash: hashOf(7), submittedAt: SUBMITTED }];
	expect(await found({}, input)).toEqual([
		{
			...{ seen: false, matchedBy: null, windowCovers: true },
			...{ hash: hashOf(7), submittedAt: SUBMITTED, userId: OWN.id },
		},
	]);
	const [unknown] = await found({}, [{ hash: hashOf(7) }]);
	expect(unknown).not.toHaveProperty('submittedAt');
	const failed = await find({ whenNotSeen: 'fail' }, input);
	expect(failed.error).toMatchObject({
		message: expect.stringContaining(`The transaction ${hashOf(7)} is not among the transfers`),
		context: { details: { code: 'not-seen', itemIndex: 0 } },
	});
	expect(failed.error?.description).toMatch(/never come. Look again later; do not send again/);
	const goingOn = await find({ whenNotSeen: 'fail' }, input, { onError: 'continueErrorOutput' });
	expect(goingOn.error).toBeUndefined();
});

test.each<[told: INodeParameters, differs: string[]]>([
	[{ recipient: OTHER.id, token: TOKEN, amount: '12.50' }, []],
	[{ amount: '12.5' }, []],
	[{ amount: '12.6' }, ['amount']],
	[{ recipient: OWN.id }, []],
	[{ recipient: OWN.id, amount: '0' }, []],
	[{ recipient: OWN.id, amount: '12.5' }, ['amount']],
	[{ recipient: TOKEN }, ['recipient']],
	[{ token: OTHER.address, amount: '9' }, ['token', 'amount']],
])('of a transaction with a payment and a fee of 0, %j differs in %j', async (told, differs) => {
	const fee = { to: { username: '', address: OWN.address } };
	looks = [[{ hash: hashOf(7), hex: '0x00', said: fee }, { hash: hashOf(7) }, { hash: hashOf(8) }]];
	const [item = {}] = await found({ transactionHash: hashOf(7), ...told });
	const isSeen = differs.length === 0;
	expect([item.seen, item.matchedBy]).toEqual(isSeen ? [true, 'hash'] : [false, null]);
	expect(item.differs ?? []).toEqual(differs);
	const { error } = await find({ transactionHash: hashOf(7), ...told, whenNotSeen: 'fail' });
	if (isSeen) expect(error).toBeUndefined();
	else expect(error?.message).toContain(`is listed, but not with this ${differs.join(', ')} (`);
});

test('no field of the service takes the place of what the node found, also without Simplify', async () => {
	const said = {
		seen: false,
		matchedBy: 'content',
		windowCovers: true,
		checkedFor: -1,
		checkedAt: '',
	};
	looks = [[{ hash: hashOf(7), said }]];
	const [item = {}] = await found({ simplify: false }, [{ hash: hashOf(7) }]);
	expect(Object.entries(item).slice(0, 2)).toEqual([
		['seen', true],
		['matchedBy', 'hash'],
	]);
	expect(item).toMatchObject({ windowCovers: null, hash: hashOf(7), to: { username: 'Rahul' } });
});

test.each(['FAILED', 'APPROVAL', 'PENDING', 'x'])(
	'an entry of the type %s is no transfer',
	async (type) => {
		looks = [[{ hash: hashOf(3), type }]];
		const item = { tokenAddress: TOKEN, to: OTHER.address, amount: '12.5', submittedAt: SUBMITTED };
		for (const findBy of ['hash', 'content']) {
			const input = [{ ...item, hash: hashOf(3) }];
			expect(await found({ findBy }, input)).toMatchObject([{ seen: false, matchedBy: null }]);
		}
	},
);

test('the list reaches back to the submission only when an older transfer proves it', async () => {
	const input = [{ hash: hashOf(7), submittedAt: SUBMITTED }];
	for (const [listed, covers] of [
		[[], false],
		[[{ hash: hashOf(3), second: -119 }], false],
		[[{ hash: hashOf(3), second: -121 }], true],
	] as const) {
		looks = [[...listed]];
		expect(await found({}, input)).toMatchObject([{ seen: false, windowCovers: covers }]);
	}
	expect(await found({}, [{ hash: hashOf(7) }])).toMatchObject([{ windowCovers: null }]);
});

test('it looks again until the transfer is listed, once for all items of a user', async () => {
	looks = [[], [{ hash: hashOf(1) }], [{ hash: hashOf(2) }, { hash: hashOf(1) }]];
	const input = [1, 2, 9].map((number) => ({ hash: hashOf(number), submittedAt: SUBMITTED }));
	const { items } = await find({ waitUpTo: 6 }, input);
	expect(items.map(({ json, pairedItem }) => [json.seen, json.checkedFor, pairedItem])).toEqual([
		[true, 2, { item: 0 }],
		[true, 5, { item: 1 }],
		[false, 6, { item: 2 }],
	]);
	expect(asked).toHaveLength(4);
});

test('more items than Concurrency wait together', async () => {
	looks = [[], []];
	const input = Array.from({ length: 30 }, (_, index) => ({ hash: hashOf(index + 1) }));
	const { items } = await find({ waitUpTo: 2, options: { concurrency: 1 } }, input);
	expect(items.map(({ json }) => json.seen)).toEqual(input.map(() => false));
	expect(asked).toHaveLength(2);
});

test('a transfer that was found by its content serves one item', async () => {
	looks = [
		[
			{ hash: hashOf(3), second: 9 },
			{ hash: hashOf(3), second: 9 },
			{ hash: hashOf(4), second: 8 },
		],
	];
	const content = { tokenAddress: TOKEN, to: OTHER.id, amount: '12.50', submittedAt: SUBMITTED };
	const input = [content, content, content, content, { ...content, amount: '12.500001' }];
	const output = await found({ findBy: 'content' }, input);
	expect(output.map(({ hash }) => hash).sort()).toEqual([
		hashOf(3),
		hashOf(3),
		hashOf(4),
		null,
		null,
	]);
	expect(output.at(-1)).toMatchObject({ seen: false });
});

test('a run that ends names the item that failed, not one that waited', async () => {
	looks = [[]];
	const input = [{ hash: hashOf(1) }, { hash: hashOf(2) }, { hash: 'none' }];
	const { error } = await find({ waitUpTo: 30 }, input);
	expect(error).toMatchObject({
		message: expect.stringContaining('no transaction hash'),
		context: { details: { itemIndex: 2, code: 'invalid-input' } },
	});
});

test('the cancelled run waits no longer', async () => {
	looks = [[]];
	const engine = ways[0];
	let hasLooked = (): void => undefined;
	const looked = new Promise<void>((resolve) => (hasLooked = resolve));
	const { script } = service;
	service.script = async (request) => {
		hasLooked();
		return await script(request);
	};
	const result = await engine?.run({
		parameters: {
			resource: 'history',
			operation: 'find',
			transactionHash: hashOf(1),
			waitUpTo: 300,
		},
		credential: credential(),
		cancelWhen: looked,
	});
	expect(result?.items ?? []).toEqual([]);
	expect(asked.length).toBeLessThan(3);
});

test.each<[parameters: INodeParameters, message: RegExp]>([
	[{ transactionHash: '0x12' }, /Transaction Hash: "0x12" is no transaction hash/],
	[{}, /Transaction Hash: The expression gives nothing/],
	[{ transactionHash: hashOf(1), findBy: 'name' }, /Find By: "name" is none of the choices/],
	[
		{ transactionHash: hashOf(1), waitUpTo: 301 },
		/Wait Up To .* no number of seconds from 0 to 300/,
	],
	[{ transactionHash: hashOf(1), waitUpTo: '={{ NaN }}' }, /Wait Up To/],
	[{ transactionHash: hashOf(1), whenNotSeen: 'stop' }, /When Not Seen: "stop" is none/],
	[{ transactionHash: hashOf(1), submittedAt: 'soon' }, /Submitted At: "soon" is not a time/],
	[{ transactionHash: hashOf(1), userId: 'A-1, B-2' }, /User ID: 2 users are given/],
	[
		{ findBy: 'content', token: TOKEN, recipient: OTHER.id, amount: '1' },
		/Submitted At: Without a time, an older transfer/,
	],
	[
		{ findBy: 'content', token: TOKEN, recipient: OTHER.id, amount: '1,5', submittedAt: SUBMITTED },
		/Amount: "1,5" has a comma/,
	],
])('%j is refused before anything is asked', async (parameters, message) => {
	looks = [[]];
	const { error } = await find(parameters);
	expect(error?.message).toMatch(message);
	expect(asked).toEqual([]);
});
