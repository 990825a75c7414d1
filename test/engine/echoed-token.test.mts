/** However a service echoes the access token, the token appears in no item, error, log line or static data. */
import { inspect } from 'node:util';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { findsToken, JSON_FORMS, URL_FORMS } from '../support/echoed.mts';
import type { ScriptedAnswer } from './support/answers.mts';
import { hashOf, json } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { BOB, CONTRACT } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const TOKEN = 'ey/J0eXAi+OiJK.V1Qi/LCJh~bGc_iOiJI/Uz-I1Ni==';
const HASH = hashOf(5);
const USER = 'DISCORD-80351110224678912';

const node = useNode();
const { poller } = useTrigger(() => node.service);
/** Everything passed to n8n's logger. */
let logged: unknown[][];

beforeEach(() => {
	logged = [];
	const { logger } = poller({});
	for (const level of ['debug', 'info', 'warn', 'error'] as const) {
		jest.spyOn(logger, level).mockImplementation((...words) => void logged.push(words));
	}
});
afterEach(() => jest.restoreAllMocks());

const credential = () => node.service.credential({ accessToken: TOKEN, userId: USER });

const everything = (value: unknown): string =>
	inspect(value, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity });
const isFoundIn = (value: unknown): boolean => findsToken(everything(value), TOKEN);

function expectHidden(value: unknown): void {
	expect(isFoundIn(value)).toBe(false);
	expect(everything(value)).toContain('[access token removed]');
}

const BEARER = `Bearer ${TOKEN}`;
/** Numbers that select the form of each character. */
const CHOICES = [0, 1, 2, 3];
const FORMS = Object.entries({ ...JSON_FORMS, ...URL_FORMS });
/** The token in all of its encodings, as it appears between the quotes of a JSON string. */
const ECHOES = Object.fromEntries(FORMS.map(([name, write]) => [name, write(BEARER, CHOICES)]));

/** Every other character as an entity. */
const inXml = (text: string): string =>
	Array.from(text, (char, at) => (at % 2 === 0 ? `&#${char.charCodeAt(0)};` : char)).join('');

/** Answers that together contain the echo in every possible place. */
function answersWith(echo: string): ScriptedAnswer[] {
	const user = `"id":"${USER}","provider":"DISCORD","username":"${echo}","address":"${BOB.address}","imageSrc":"https://x.example/${echo}"`;
	const coin = `"balance":"5","formatted":"5","decimals":0,"symbol":"${echo}","name":"${echo}","tokenAddress":null,"network":"${echo}","chainId":1`;
	const call = `"status":"SUCCESS","hash":"${HASH}","response":["${echo}"],"explorerUrl":"${echo}","tx":{"${echo}":"${echo}"}`;
	const plain = { status: 500, headers: { 'content-type': 'text/plain' } };
	return [
		{ body: `{${user},"${echo}":{"deep":["${echo}"]}}` },
		{ body: `{"${echo}":{${coin}}}` },
		{ body: `[{"type":"${echo}","hash":"${HASH}","explorerUrl":"${echo}"}]` },
		{ body: `{${call}}` },
		{ body: `{"status":"FAILED","error":"Cannot use ${echo}"}` },
		{ body: `{"status":"${echo}"}` },
		{ body: `"${echo}"` },
		{ body: `{"hash":"${HASH}","broken":"${echo}` },
		{ body: `${echo} is no JSON` },
		...[400, 401, 404, 429, 500].map((status) => ({ status, body: `{"error":"about ${echo}"}` })),
		{ status: 400, body: `{"error":{"message":"about ${echo}"}}` },
		{ status: 403, body: `{"detail":"about ${echo}"}` },
		{ status: 422, body: `{"unknown":"${echo}"}` },
		{ ...plain, body: `about ${echo}` },
		{ ...plain, body: 'x'.repeat(240) + echo },
		...[200, 400, 500].map((status) => ({
			status,
			body: `<e><message>about ${inXml(echo)}</message></e>`,
		})),
	];
}

const options = { maxTries: 1 };
const user = { resource: 'user', operation: 'get', options };
const call = (abi: string, more: IDataObject = {}) =>
	storeCall(CONTRACT, { abi, args: '[]', ...more });
const read = { operation: 'read', options };
/** Settings that allow the same call again. */
const resent = { options: { ...options, sendAgain: true } };
const OPERATIONS = Object.entries<INodeParameters>({
	'User: Get': user,
	'User: Get, raw': { ...user, simplify: false },
	'Balance: Get Native': { resource: 'balance', operation: 'native', options },
	'History: Get Many': { resource: 'history', operation: 'list', options },
	'Contract: Read': call('f() view returns (string)', read),
	'Contract: Read of another type': call('f() view returns (uint8)', read),
	'Contract: Write': call('f()', resent),
	'Contract: Write, raw': call('f()', { simplify: false, ...resent }),
	'Contract: Write to a user': call('f(address)', { args: `["${USER}"]`, ...resent }),
});
const NODES: readonly Partial<INode>[] = [{}, CONTINUE, { onError: 'continueErrorOutput' }];

describe.each(Object.entries(ECHOES))('a token that is sent back %s', (_name, echo) => {
	test('would be found by this test', () => {
		expect(isFoundIn({ said: echo })).toBe(true);
	});

	test.each(OPERATIONS)('appears nowhere in the output of %s', async (name, parameters) => {
		const results = [];
		// Each answer is combined with each setting, for at least one operation.
		const shift = OPERATIONS.findIndex(([one]) => one === name);
		for (const [index, answer] of answersWith(echo).entries()) {
			node.service.script = () => answer;
			const settings = NODES[(index + shift) % NODES.length] ?? {};
			results.push(await node.run(parameters, { credential: credential(), node: settings }));
		}
		expectHidden([results, logged]);
	});

	test('appears nowhere in the state, the output and the log of the trigger', async () => {
		const watched = { asset: 'native', userIds: `${USER}\n${BOB.id}`, options };
		const seen: unknown[] = [];
		for (const event of ['newTransfer', 'balanceChanged']) {
			for (const answer of answersWith(echo)) {
				node.service.script = ({ path }) => {
					if (!path.includes(BOB.id)) return answer;
					return path.includes('/balance') ? json({ ETH: {} }) : undefined;
				};
				for (const activation of ['activate', 'init'] as const) {
					const settings = { credential: credential(), activation };
					const trigger = poller({ event, ...watched }, settings);
					for (let poll = 0; poll < 2; poll++) {
						const [result] = await Promise.allSettled([trigger.poll()]);
						seen.push(result, structuredClone(trigger.staticData));
					}
				}
			}
		}
		expect(isFoundIn(seen)).toBe(false);
		expectHidden(logged);
	});
});

const IN_URL = ['as JSON.stringify writes it', ...Object.keys(URL_FORMS)];

test.each(IN_URL)('a redirect with a token %s never shows it, wherever it is cut', async (name) => {
	const echo = ECHOES[name] ?? '';
	for (const length of [0, 100, 200, 250, 270, 290, 299]) {
		const start = 'https://login.example/'.padEnd(length, 'x');
		const location = `${start}?t=${echo}&next=1`;
		node.service.script = () => ({ status: 302, headers: { location } });
		for (const [, parameters] of OPERATIONS) {
			const { error } = await node.run(parameters, { credential: credential() });
			expect(error?.message).toContain('redirects to https://login.example/');
			expect(isFoundIn(error)).toBe(false);
			// Not even a part of the token appears.
			expect(everything(error)).not.toContain(echo.slice(-40, -20));
			expect(everything(error)).not.toContain(TOKEN.slice(0, 12));
		}
	}
});

test('the new token of a sign-in that was renewed for the request appears nowhere', async () => {
	const old = { access_token: 'expired-token', refresh_token: 'refresh', token_type: 'Bearer' };
	const accessTokenUrl = `${node.service.baseUrl}/oauth/token`;
	const account = { grantType: 'pkce', accessTokenUrl, clientId: 'client', oauthTokenData: old };
	node.service.script = ({ path, authorization }) => {
		if (path === '/oauth/token') return json({ access_token: TOKEN, token_type: 'Bearer' });
		if (authorization !== BEARER) return json({}, 401);
		return { status: 400, body: `{"error":"about ${TOKEN.replaceAll('/', '\\/')}"}` };
	};
	const parameters = { ...user, authentication: 'oAuth2' };
	const result = await node.run(parameters, { credential: { ...credential(), ...account } });
	expect(node.service.asked('/oauth/token')).toHaveLength(1);
	expectHidden(result);
});
