/**
 * Whose profile is believed, and which look-ups of users a run makes again: failed ones, and none that gave an address or no
 * user.
 */
import { setImmediate } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import type { ScriptedAnswer } from './support/scripted-service.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { useResources } from '../support/resources.mts';

const ADDRESSES = ['0x1111111111111111111111111111111111111111', `0x${'2'.repeat(40)}`] as const;
const HASH = `0x${'5'.repeat(64)}`;
const FOUND: ScriptedAnswer = { body: `{"id":"DISCORD-1","address":"${ADDRESSES[0]}"}` };
const TURNS = 200;
const OF_ANOTHER = /expected the user "DISCORD-1", got/;

const profile = (id: unknown): ScriptedAnswer => ({
	body: JSON.stringify({ id, address: ADDRESSES[0] }),
});

let engine: Engine;
let service: ScriptedService;
let other: ScriptedService;

const resources = useResources();
beforeAll(async () => {
	[engine, service, other] = await Promise.all([
		Engine.create(),
		resources.use(ScriptedService.start()),
		resources.use(ScriptedService.start()),
	]);
});
afterEach(() => {
	service.reset();
	other.reset();
});

/** Answers look-ups by the list, and with the last of it from then on; each call of a contract with its arguments. */
function answerLookUps(answers: readonly ScriptedAnswer[]): void {
	let asked = 0;
	service.script = async ({ method, body }) => {
		if (method === 'POST') {
			const { args }: { args: unknown } = JSON.parse(body);
			return { body: JSON.stringify({ status: 'SUCCESS', response: args, hash: HASH, tx: args }) };
		}
		// Whoever asks at the same time has asked by then.
		for (let turn = 0; turn < TURNS; turn++) await setImmediate();
		return answers[asked++] ?? answers.at(-1) ?? FOUND;
	};
}

async function run(operation: string, options: INodeParameters, items: IDataObject[]) {
	const { items: output } = await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			operation,
			contractAddress: ADDRESSES[1],
			abi: operation === 'read' ? 'f(address) view returns (address[] found)' : 'f(address)',
			argumentsMode: 'json',
			args: '={{ [$json.id || "DISCORD-1"] }}',
			options: { maxTries: 1, ...options },
		},
		credential: {
			baseUrl: `={{ $json.baseUrl || "${service.baseUrl}" }}`,
			accessToken: '={{ $json.token || "token-1" }}',
			userId: '',
		},
		items,
		node: { onError: 'continueRegularOutput' },
	});
	return output.map(({ json }) => json.error ?? JSON.stringify(json.resolvedAddresses));
}

const lookUps = () => service.requests.filter(({ method }) => method === 'GET');

const items = (count: number): IDataObject[] => Array.from({ length: count }, () => ({}));
const RESOLVED = JSON.stringify({ 'DISCORD-1': ADDRESSES[0] });

describe.each(['read', 'write'])('%s', (operation) => {
	const inOrder = operation === 'read' ? { concurrency: 1 } : {};
	// Of reads, the next item is read while a request is under way.
	const atOnce = operation === 'read' ? 2 : 1;

	test.each([
		[
			'an internal error',
			{ status: 500, body: 'Internal Server Error' },
			/^The service had an internal error$/,
		],
		['overload', { status: 429, body: '{}' }, /^The service receives too many requests$/],
		['a rejected token', { status: 401, body: 'Unauthorized' }, /^The access token was rejected/],
		['a web page', { body: '<html>' }, /a web page instead of JSON/],
		['a profile without address', { body: '{"id":"DISCORD-1"}' }, /a user with an address/],
		['the profile of another user', profile('DISCORD-2'), OF_ANOTHER],
		['a profile whose ID has other letters', profile('discord-1'), OF_ANOTHER],
		['a profile without ID', profile(undefined), OF_ANOTHER],
		['a profile whose ID is not text', profile(['DISCORD-1']), OF_ANOTHER],
	])('a look-up that failed by %s is made again for later items', async (_what, failure, words) => {
		answerLookUps([failure, FOUND]);
		const failed: unknown = expect.stringMatching(words);
		expect(await run(operation, inOrder, items(atOnce + 2))).toEqual([
			...items(atOnce).map(() => failed),
			...[RESOLVED, RESOLVED],
		]);
		expect(lookUps()).toHaveLength(2);
	});

	test('a user that the service does not know is asked for once', async () => {
		answerLookUps([{ status: 404, body: '{}' }, FOUND]);
		const unknown: unknown = expect.stringMatching(/No wallet address is known/);
		expect(await run(operation, inOrder, items(3))).toEqual([unknown, unknown, unknown]);
		expect(lookUps()).toHaveLength(1);
	});

	test('each token looks up for itself, because its application may give users other wallets', async () => {
		service.script = ({ method, authorization }) => {
			const address = ADDRESSES[authorization.endsWith('2') ? 1 : 0];
			if (method === 'GET') return { body: JSON.stringify({ id: 'DISCORD-1', address }) };
			return { body: JSON.stringify({ status: 'SUCCESS', response: [], hash: HASH }) };
		};
		const tokens = ['token-1', 'token-2', 'token-1'].map((token) => ({ token }));
		expect(await run(operation, inOrder, tokens)).toEqual(
			[0, 1, 0].map((index) => JSON.stringify({ 'DISCORD-1': ADDRESSES[index] })),
		);
		expect(lookUps()).toHaveLength(2);
	});
});

test('each service is asked for its own users', async () => {
	answerLookUps([FOUND]);
	other.script = ({ method }) =>
		method === 'GET'
			? { body: `{"id":"DISCORD-1","address":"${ADDRESSES[1]}"}` }
			: { body: '{"status":"SUCCESS","response":[]}' };
	const { baseUrl } = other;
	expect(await run('read', { concurrency: 1 }, [{}, { baseUrl }])).toEqual([
		RESOLVED,
		JSON.stringify({ 'DISCORD-1': ADDRESSES[1] }),
	]);
});

test('items that ask at the same time share one look-up, also one that fails', async () => {
	answerLookUps([{ status: 503, body: '{}' }, FOUND]);
	const failed: unknown = expect.stringMatching(/^The service had an internal error$/);
	expect(await run('read', { concurrency: 2 }, items(5))).toEqual([
		...items(4).map(() => failed),
		RESOLVED,
	]);
	expect(lookUps()).toHaveLength(2);
});

test('a look-up that meets a passing failure is tried again by the one who asks, and once for all', async () => {
	answerLookUps([{ status: 502, headers: { 'retry-after': '0' }, body: '' }, FOUND]);
	expect(await run('read', { concurrency: 3, maxTries: 2 }, items(3))).toEqual(
		items(3).map(() => RESOLVED),
	);
	expect(lookUps()).toHaveLength(2);
});

test.each(['DISCORD-2', 'discord-1', undefined])(
	'User: Get refuses the profile of %j in place of DISCORD-1',
	async (id) => {
		service.script = () => profile(id);
		const { error } = await engine.run({
			parameters: { resource: 'user', operation: 'get', userId: 'DISCORD-1' },
			credential: { baseUrl: service.baseUrl, accessToken: 'token-1', userId: '' },
			items: [{}],
		});
		expect(error?.message).toMatch(OF_ANOTHER);
	},
);
