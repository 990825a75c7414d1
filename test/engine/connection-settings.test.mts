/** How often, how long and how many at once: the credential's section Connection, and saved workflows that have it under Options. */
import type { IDataObject } from 'n8n-workflow';

import { json } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { failureOf, useTrigger } from './support/trigger-service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);

const READ = { resource: 'balance', operation: 'native' };
const WRITE = storeCall(CONTRACT);
const ENTRY = 'Credential: Connection';

const withSettings = (settings: object, more: object = {}) =>
	node.service.credential({ connection: { settings }, ...more });
/** A service that is busy for a moment, for each request. */
const isBusy = () => {
	node.service.script = () => ({ status: 503, headers: { 'retry-after': '0' }, body: '{}' });
};
/** A service that takes longer than a second. */
const isSilent = () => {
	node.service.script = () => 'hold';
};
const reads = () => node.service.requests.filter(({ path }) => path.endsWith('/balance'));

test.each(['accessToken', 'oAuth2'])(
	'the credential (%s) sets the tries',
	async (authentication) => {
		isBusy();
		const oauthTokenData = { access_token: 'secret-token', token_type: 'Bearer' };
		const accessTokenUrl = `${node.service.baseUrl}/token`;
		const signIn = { oauthTokenData, accessTokenUrl, grantType: 'pkce' };
		const credential = withSettings({ maxTries: 2 }, authentication === 'oAuth2' ? signIn : {});
		const [own, routed] = await node.both({ ...READ, authentication }, { credential });
		for (const result of [own, routed]) expect(result?.error?.message).toMatch(/tried 2 times/);
		expect(reads()).toHaveLength(4);
	},
);

test.each<[string, settings: IDataObject, saved: IDataObject, tries: number]>([
	['without both', {}, {}, 4],
	['of a saved workflow wins', { maxTries: 2 }, { maxTries: 3 }, 3],
	['of a saved workflow wins by an expression', { maxTries: 2 }, { maxTries: '={{ 1 }}' }, 1],
	['of the credential, beside another saved one', { maxTries: 2 }, { timeout: 20 }, 2],
	['by an expression of the credential', { maxTries: '={{ $json.tries }}' }, {}, 3],
	['nobody has filled in', { maxTries: null }, { maxTries: 1 }, 1],
])('the number %s', async (_what, settings, options, tries) => {
	isBusy();
	const credential = withSettings(settings);
	await node.run({ ...READ, options }, { credential, items: [{ tries: 3 }] });
	expect(reads()).toHaveLength(tries);
});

test('a saved option wins over a wrong value in the credential', async () => {
	const credential = withSettings({ timeout: 'long' });
	await node.items({ resource: 'user', operation: 'get', options: { timeout: 5 } }, { credential });
});

test.each<[string, settings: IDataObject]>([
	['Timeout', { timeout: 1, maxTries: 1 }],
	['Give Up After', { retryFor: 0, timeout: 1 }],
])('%s ends the wait for a service that does not answer', async (_name, settings) => {
	isSilent();
	const { error } = await node.run(READ, { credential: withSettings(settings) });
	expect(error?.message).toMatch(/did not answer in time/);
	expect(reads()).toHaveLength(1);
});

test.each([2, 0])('Concurrency %i', async (concurrency) => {
	let [underWay, most] = [0, 0];
	node.service.script = async () => {
		most = Math.max(most, ++underWay);
		await new Promise((resolve) => setTimeout(resolve, 30));
		underWay -= 1;
		return undefined;
	};
	const userId = '={{ "DISCORD-" + (1000 + $itemIndex) }}';
	const items = Array.from({ length: 20 }, () => ({}));
	const credential = withSettings({ concurrency });
	const many = { ...READ, userId };
	await node.run(many, { credential, items, node: CONTINUE });
	if (concurrency === 0) expect(most).toBeGreaterThan(2);
	else expect(most).toBe(concurrency);
});

describe('a value that cannot be used', () => {
	test.each<[settings: IDataObject, field: string, problem: string]>([
		[{ timeout: 0 }, 'Timeout (Seconds)', '0 is not a number from 1 to 3600'],
		[{ timeout: 'soon' }, 'Timeout (Seconds)', '"soon" is not a number from 1 to 3600'],
		[{ retryFor: -1 }, 'Give Up After (Seconds)', '-1 is not a number from 0 to 3600'],
		[{ maxTries: 2.5 }, 'Max Tries', '2.5 is not a whole number from 1 to 20'],
		[{ concurrency: 201 }, 'Concurrency', '201 is not a whole number from 0 to 200'],
		[
			{ maxTries: '={{ $json.none }}' },
			'Max Tries',
			'undefined is not a whole number from 1 to 20',
		],
	])('%j is refused, by a name, for each item', async (settings, field, problem) => {
		const credential = withSettings(settings);
		const message = `${ENTRY}: ${field}: ${problem}`;
		for (const parameters of [READ, WRITE]) {
			const items = await node.items(parameters, { credential, items: [{}, {}], node: CONTINUE });
			const details = {
				code: 'invalid-input',
				hint: expect.stringMatching(/^Enter .* in the credential$/),
				parameter: `${ENTRY}: ${field}`,
			};
			expect(items).toMatchObject([0, 1].map(() => ({ error: message, details })));
			await expect(node.tool(parameters, {}, { credential })).rejects.toThrow(message);
		}
		const { outcome } = (await node.items(WRITE, { credential, node: CONTINUE }))[0]?.details as {
			outcome: string;
		};
		expect(outcome).toBe('refused');
		const failure = await failureOf(poller({ options: {} }, { credential }).poll());
		// Here, a poll does not resolve the expressions of a credential.
		if (!problem.startsWith('undefined')) expect(failure.message).toBe(message);
		expect(node.service.requests).toEqual([]);
	});
});

test('the trigger takes the tries from the credential, and those of a saved workflow first', async () => {
	isBusy();
	const credential = withSettings({ maxTries: 2 });
	const event = 'balanceChanged';
	await failureOf(poller({ event, options: {} }, { credential }).poll());
	expect(reads()).toHaveLength(2);
	await failureOf(poller({ event, options: { maxTries: 1 } }, { credential }).poll());
	expect(reads()).toHaveLength(3);
});

describe('a write', () => {
	test.each<[string, answer: object, tries: number]>([
		[
			'was not accepted is tried again',
			{ status: 429, headers: { 'retry-after': '0' }, body: '{}' },
			3,
		],
		['may have been accepted is not', json({}, 500), 1],
	])('that %s', async (_what, answer, tries) => {
		node.service.script = ({ path }) => (path.endsWith('/write') ? answer : undefined);
		const { error } = await node.run(WRITE, { credential: withSettings({ maxTries: 3 }) });
		expect(error).toBeDefined();
		expect(node.service.requests.filter(({ path }) => path.endsWith('/write'))).toHaveLength(tries);
	});
});

test.each([
	['a read', READ],
	['a write', WRITE],
])('%s: a credential that cannot be read fails at its own item', async (_what, parameters) => {
	const baseUrl = '={{ $json.is ? "" : $("Gone").first().json.url }}';
	const items = [{}, { is: true }];
	const credential = withSettings({}, { baseUrl });
	const [first, second] = await node.items(parameters, { credential, items, node: CONTINUE });
	expect(first?.error).toBe("Referenced node doesn't exist");
	expect(second?.error).toMatch(/base URL is empty/);
});
