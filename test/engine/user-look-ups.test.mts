/** Whose profile is believed, and which look-ups of users a run repeats: those that failed, no others. */
import { setImmediate } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import type { ScriptedAnswer } from './support/answers.mts';
import { hashOf, json } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { ALICE, BOB, CONTRACT } from './support/scripted-world.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const FOUND = json(ALICE);
const TURNS = 200;
const OF_ANOTHER = /expected the user "DISCORD-1", got/;
const RESOLVED = JSON.stringify({ [ALICE.id]: ALICE.address });
const OVERLOADED = /^The service had an internal error$/;

const profile = (id: unknown): ScriptedAnswer => json({ ...ALICE, id });

/** Answers each call of a contract with its arguments. */
function answerCall(body: string): ScriptedAnswer {
	const { args }: { args: unknown } = JSON.parse(body);
	return json({ status: 'SUCCESS', response: args, hash: hashOf(1), tx: args });
}

/** Answers look-ups by the list, and with the last of it from then on. */
function answerLookUps(...answers: readonly ScriptedAnswer[]): void {
	let asked = 0;
	node.service.script = async ({ method, body }) => {
		if (method === 'POST') return answerCall(body);
		// Whoever asks at the same time has asked by then.
		for (let turn = 0; turn < TURNS; turn++) await setImmediate();
		return answers[asked++] ?? answers.at(-1);
	};
}

async function run(operation: string, options: IDataObject, items: IDataObject[]) {
	const abi = operation === 'read' ? 'f(address) view returns (address[] found)' : 'f(address)';
	const args = `["${ALICE.id}"]`;
	const { items: output } = await node.run(
		storeCall(CONTRACT, { operation, abi, args, options: { maxTries: 1, ...options } }),
		{
			credential: {
				baseUrl: `={{ $json.baseUrl || "${node.service.baseUrl}" }}`,
				...{ accessToken: '={{ $json.token || "token-1" }}', userId: '' },
			},
			...{ items, node: CONTINUE },
		},
	);
	return output.map(({ json }) => json.error ?? JSON.stringify(json.resolvedAddresses));
}

const lookUps = () => node.service.requests.filter(({ method }) => method === 'GET');
const items = (count: number): IDataObject[] => Array.from({ length: count }, () => ({}));
const errors = (count: number, words: RegExp): unknown[] =>
	items(count).map((): unknown => expect.stringMatching(words));

describe.each(['read', 'write'])('%s', (operation) => {
	const inOrder = operation === 'read' ? { concurrency: 1 } : {};
	// Of reads, the next item is read while a request is under way.
	const atOnce = operation === 'read' ? 2 : 1;

	test.each<[string, ScriptedAnswer, RegExp]>([
		['an internal error', { status: 500, body: 'Internal Server Error' }, OVERLOADED],
		['overload', json({}, 429), /^The service receives too many requests$/],
		['a rejected token', { status: 401, body: 'Unauthorized' }, /^The access token was rejected/],
		['a web page', { body: '<html>' }, /a web page instead of JSON/],
		['a profile without address', json({ id: ALICE.id }), /a user with an address/],
		['the profile of another user', profile(BOB.id), OF_ANOTHER],
		['a profile whose ID has other letters', profile('discord-1'), OF_ANOTHER],
		['a profile without ID', profile(undefined), OF_ANOTHER],
		['a profile whose ID is not text', profile([ALICE.id]), OF_ANOTHER],
	])('a look-up that failed by %s is repeated for later items', async (_what, failure, words) => {
		answerLookUps(failure, FOUND);
		expect(await run(operation, inOrder, items(atOnce + 2))).toEqual([
			...errors(atOnce, words),
			...[RESOLVED, RESOLVED],
		]);
		expect(lookUps()).toHaveLength(2);
	});

	test('a user that the service does not know is looked up once', async () => {
		answerLookUps(json({}, 404), FOUND);
		const unknown = errors(3, /No wallet address is known/);
		expect(await run(operation, inOrder, items(3))).toEqual(unknown);
		expect(lookUps()).toHaveLength(1);
	});

	test('each token looks up for itself, because its application may give users other wallets', async () => {
		const addresses = [ALICE.address, BOB.address];
		node.service.script = ({ method, authorization, body }) =>
			method === 'GET'
				? json({ ...ALICE, address: addresses[authorization.endsWith('2') ? 1 : 0] })
				: answerCall(body);
		const tokens = ['token-1', 'token-2', 'token-1'].map((token) => ({ token }));
		expect(await run(operation, inOrder, tokens)).toEqual(
			[0, 1, 0].map((index) => JSON.stringify({ [ALICE.id]: addresses[index] })),
		);
		expect(lookUps()).toHaveLength(2);
	});
});

test('each service is asked for its own users', async () => {
	await using other = await ScriptedService.start();
	answerLookUps(FOUND);
	other.script = ({ method }) =>
		method === 'GET' ? json({ ...BOB, id: ALICE.id }) : json({ status: 'SUCCESS', response: [] });
	const { baseUrl } = other;
	expect(await run('read', { concurrency: 1 }, [{}, { baseUrl }])).toEqual([
		...[RESOLVED, JSON.stringify({ [ALICE.id]: BOB.address })],
	]);
});

test('items that ask at the same time share one look-up, also one that fails', async () => {
	answerLookUps(json({}, 503), FOUND);
	const outputs = await run('read', { concurrency: 2 }, items(5));
	expect(outputs).toEqual([...errors(4, OVERLOADED), RESOLVED]);
	expect(lookUps()).toHaveLength(2);
});

test('a look-up is retried after a transient failure, once for all items', async () => {
	answerLookUps({ status: 502, headers: { 'retry-after': '0' } }, FOUND);
	const resolved = items(3).map(() => RESOLVED);
	expect(await run('read', { concurrency: 3, maxTries: 2 }, items(3))).toEqual(resolved);
	expect(lookUps()).toHaveLength(2);
});

test.each([BOB.id, 'discord-1', undefined])(
	'User: Get refuses the profile of %j in place of DISCORD-1',
	async (id) => {
		node.service.script = () => profile(id);
		const { error } = await node.run({ resource: 'user', operation: 'get', userId: ALICE.id });
		expect(error?.message).toMatch(OF_ANOTHER);
	},
);
