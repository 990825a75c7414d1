/** User IDs as addresses: looked up once per run, again after a failure, and refused if the profile is another user's. */
import { setImmediate } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { json, type ScriptedAnswer } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { ALICE, BOB, CONTRACT, READ, valueOf } from './support/scripted-world.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const FOUND = json(ALICE);
const TURNS = 200;
const OF_ANOTHER = /expected the user "DISCORD-1", got/;
const UNKNOWN = /^who \(address\): No wallet address is known for the user "DISCORD-404"$/;

const profile = (id: unknown): ScriptedAnswer => json({ id, address: ALICE.address });

/** Answers look-ups with these answers, in order; the last answer repeats. */
function answerLookUps(...answers: readonly ScriptedAnswer[]): void {
	let asked = 0;
	node.service.script = async ({ path }) => {
		if (path === READ) return valueOf(CONTRACT);
		if (!path.startsWith('/v1/users/')) return undefined;
		// All simultaneous requests arrive before the first is answered.
		for (let turn = 0; turn < TURNS; turn++) await setImmediate();
		return answers[asked++] ?? answers.at(-1);
	};
}

const callOf = (operation: string, options: IDataObject = {}) =>
	storeCall(CONTRACT, {
		operation,
		abi: `f(address who)${operation === 'read' ? ' view returns (address)' : ''}`,
		args: '={{ [$json.id || "DISCORD-1"] }}',
		options: { maxTries: 1, ...options },
	});

/** Runs the call; returns the error of each item, or the addresses that it looked up. */
async function run(operation: string, options: IDataObject, items: IDataObject[]) {
	const credential = {
		baseUrl: `={{ $json.baseUrl || "${node.service.baseUrl}" }}`,
		accessToken: '={{ $json.token || "token-1" }}',
		userId: '',
	};
	const settings = { items, credential, node: CONTINUE };
	const { items: output } = await node.run(callOf(operation, options), settings);
	return output.map((item) => item.json.error ?? item.json.resolvedAddresses);
}

const lookUps = () => node.service.asked('/users/');
const calls = () => node.service.asked('/contracts/');

const items = (count: number): IDataObject[] => Array.from({ length: count }, () => ({}));
const RESOLVED = { [ALICE.id]: ALICE.address };

describe.each(['read', 'write'])('%s', (operation) => {
	const inOrder = operation === 'read' ? { concurrency: 1 } : {};
	// For reads, the next item is prepared while a request is in progress.
	const atOnce = operation === 'read' ? 2 : 1;

	test('each user is looked up once for all items of a run', async () => {
		answerLookUps();
		const ids = Array.from({ length: 30 }, (_, index) => [ALICE, BOB][index % 2] ?? ALICE);
		const given = ids.map(({ id }) => ({ id }));
		expect(await run(operation, {}, given)).toEqual(
			ids.map(({ id, address }) => ({ [id]: address })),
		);
		expect(lookUps()).toHaveLength(2);
		// Equal reads share one answer.
		expect(calls()).toHaveLength(operation === 'read' ? 2 : given.length);
		await run(operation, {}, given.slice(0, 1));
		expect(lookUps()).toHaveLength(3);
	});

	test.each<[what: string, failure: ScriptedAnswer, words: RegExp]>([
		['an internal error', json({}, 500), /^The service had an internal error$/],
		['overload', json({}, 429), /^The service received too many requests$/],
		['a rejected token', json('Unauthorized', 401), /^The access token was rejected/],
		['a web page', { body: '<html>' }, /a web page instead of JSON/],
		['a profile without address', json({ id: ALICE.id }), /a user with an address/],
		['the profile of another user', profile('DISCORD-2'), OF_ANOTHER],
		['a profile whose ID is longer', profile('DISCORD-10'), OF_ANOTHER],
		['a profile whose ID has other letters', profile('discord-1'), OF_ANOTHER],
		['a profile without ID', profile(undefined), OF_ANOTHER],
		['a profile whose ID is null', profile(null), OF_ANOTHER],
		['a profile whose ID is not text', profile(['DISCORD-1']), OF_ANOTHER],
	])('a look-up that failed with %s is repeated for later items', async (_what, failure, words) => {
		answerLookUps(failure, FOUND);
		const wrong: unknown = expect.stringMatching(words);
		const failed = items(atOnce).map(() => wrong);
		const results = [...failed, RESOLVED, RESOLVED];
		expect(await run(operation, inOrder, items(atOnce + 2))).toEqual(results);
		expect(lookUps()).toHaveLength(2);
		expect(calls()).toHaveLength(operation === 'read' ? 1 : 2);
	});

	test('an unknown user is looked up once, and fails its own items before anything is sent', async () => {
		answerLookUps(json({}, 404), FOUND);
		const unknown: unknown = expect.stringMatching(UNKNOWN);
		const given = ['DISCORD-404', 'DISCORD-1', 'DISCORD-404'].map((id) => ({ id }));
		expect(await run(operation, inOrder, given)).toEqual([unknown, RESOLVED, unknown]);
		expect(lookUps()).toHaveLength(2);
		expect(calls()).toHaveLength(1);
	});

	test('each token looks up its own users, whose wallets depend on the application', async () => {
		const wallets = [ALICE.address, BOB.address];
		node.service.script = ({ path, authorization }) => {
			if (path === READ) return valueOf(CONTRACT);
			const address = wallets[authorization.endsWith('2') ? 1 : 0];
			return path.startsWith('/v1/users/') ? json({ ...ALICE, address }) : undefined;
		};
		const tokens = ['token-1', 'token-2', 'token-1'].map((token) => ({ token }));
		expect(await run(operation, inOrder, tokens)).toEqual(
			[0, 1, 0].map((index) => ({ [ALICE.id]: wallets[index] })),
		);
		expect(lookUps()).toHaveLength(2);
	});

	test.each([
		['google-2', 'Write GOOGLE-2. A wallet address also works'],
		['Rahul', 'A wallet address also works'],
		['DISCORD-1, GOOGLE-2', 'one user per item'],
	])('%s is not the address of one user', async (id, hint) => {
		const settings = { items: [{ id }] };
		for (const error of await node.refused(callOf(operation), 'who (address)', settings)) {
			expect(error.description).toContain(hint);
		}
	});
});

test('each service has its own users', async () => {
	answerLookUps(FOUND);
	await using other = await ScriptedService.start();
	other.profiles = { [ALICE.id]: { ...ALICE, address: BOB.address } };
	other.values = { [BOB.address]: [CONTRACT] };
	const { baseUrl } = other;
	const ofBoth = [RESOLVED, { [ALICE.id]: BOB.address }];
	expect(await run('read', { concurrency: 1 }, [{}, { baseUrl }])).toEqual(ofBoth);
});

test('simultaneous items share one look-up, even if it fails', async () => {
	answerLookUps(json({}, 503), FOUND);
	const wrong: unknown = expect.stringMatching(/^The service had an internal error$/);
	const failed = items(4).map(() => wrong);
	expect(await run('read', { concurrency: 2 }, items(5))).toEqual([...failed, RESOLVED]);
	expect(lookUps()).toHaveLength(2);
});

test('a look-up with a transient failure is retried, once for all items', async () => {
	answerLookUps({ status: 502, headers: { 'retry-after': '0' }, body: '' }, FOUND);
	expect(await run('read', { concurrency: 3, maxTries: 2 }, items(3))).toEqual(
		items(3).map(() => RESOLVED),
	);
	expect(lookUps()).toHaveLength(2);
});

test('User: Get refuses the profile of another user, too', async () => {
	answerLookUps(profile('discord-1'));
	const { error } = await node.run({ resource: 'user', operation: 'get', userId: ALICE.id });
	expect(error?.message).toMatch(OF_ANOTHER);
});

test.each(['read', 'write'])(
	'a wallet with the checksum of Rootstock is found: %s',
	async (name) => {
		// An example of EIP-1191. Encoders refuse this case of the letters.
		const address = '0x27b1FdB04752BBc536007A920D24ACB045561c26';
		answerLookUps(json({ ...ALICE, address }));
		const found = { [ALICE.id]: address.toLowerCase() };
		expect(await run(name, {}, items(1))).toEqual([found]);
		const [tried] = await node.items({ ...callOf(name), args: '["DISCORD-1"]', preview: true });
		expect(tried).toMatchObject({ resolvedAddresses: found });
	},
);
