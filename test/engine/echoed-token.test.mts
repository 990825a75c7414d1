/** However a service sends the access token back, it stands in no item, error, log line or static data. */
import { inspect } from 'node:util';
import type { INode, INodeParameters } from 'n8n-workflow';

import { findsToken } from '../support/echoed.mts';
import { Engine } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import type { Activation } from './support/poller.mts';
import { Poller } from './support/poller.mts';
import type { ScriptedAnswer } from './support/scripted-service.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { useResources } from '../support/resources.mts';

const TOKEN = 'ey/J0eXAi+OiJK.V1Qi/LCJh~bGc_iOiJI/Uz-I1Ni==';
const ADDRESS = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const HASH = `0x${'5'.repeat(64)}`;
const USER = 'DISCORD-80351110224678912';

let engine: Engine;
let nodeTypes: LoadedNodeTypes;
let service: ScriptedService;
/** All that n8n's logger is told. */
let logged: unknown[][];

const resources = useResources();
beforeAll(async () => {
	[engine, nodeTypes, service] = await Promise.all([
		Engine.create(),
		LoadedNodeTypes.load(),
		resources.use(ScriptedService.start()),
	]);
});
beforeEach(() => {
	logged = [];
	const { logger } = pollerOf({});
	for (const level of ['debug', 'info', 'warn', 'error'] as const) {
		jest.spyOn(logger, level).mockImplementation((...words) => void logged.push(words));
	}
});
afterEach(() => {
	jest.restoreAllMocks();
	service.reset();
});

const credential = () => ({ baseUrl: service.baseUrl, accessToken: TOKEN, userId: USER });

function pollerOf(parameters: INodeParameters, more: Partial<Activation> = {}): Poller {
	return new Poller(nodeTypes, { parameters, credential: credential(), ...more });
}

const everything = (value: unknown): string =>
	inspect(value, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity });

function expectHidden(value: unknown): void {
	const shown = everything(value);
	expect(findsToken(shown, TOKEN)).toBe(false);
	expect(shown).toContain('[access token removed]');
}

const unicode = (text: string): string =>
	Array.from(text, (char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('');
const percent = (text: string): string =>
	Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join('');

/** What stands between the quotes of a JSON string. */
const ECHOES: Readonly<Record<string, string>> = {
	raw: `Bearer ${TOKEN}`,
	'with escaped slashes': `Bearer ${TOKEN.replaceAll('/', '\\/')}`,
	'in escapes only': unicode(`Bearer ${TOKEN}`),
	'percent-encoded': encodeURIComponent(`Bearer ${TOKEN}`),
	'percent-encoded in lower case': encodeURIComponent(`Bearer ${TOKEN}`).replace(/%../g, (hex) =>
		hex.toLowerCase(),
	),
	'percent-encoded throughout': percent(TOKEN),
};

/** Answers that hold an echo, wherever an answer may. */
function answersWith(echo: string): ScriptedAnswer[] {
	const user = `"id":"${USER}","provider":"DISCORD","username":"${echo}","address":"${ADDRESS}","imageSrc":"https://x.example/${echo}"`;
	const coin = `"balance":"5","formatted":"5","decimals":0,"symbol":"${echo}","name":"${echo}","tokenAddress":null,"network":"${echo}","chainId":1`;
	const call = `"status":"SUCCESS","hash":"${HASH}","response":["${echo}"],"explorerUrl":"${echo}","tx":{"${echo}":"${echo}"}`;
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
		{ status: 500, headers: { 'content-type': 'text/plain' }, body: `about ${echo}` },
		{ status: 500, headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(270) + echo },
	];
}

const options = { maxTries: 1 };
const call = {
	resource: 'contract',
	functionSource: 'signature',
	contractAddress: ADDRESS,
	argumentsMode: 'json',
	args: '[]',
	options,
};
/** One call again and again. */
const resent = { ...options, resendWhenUnknown: true };
const OPERATIONS: Readonly<Record<string, INodeParameters>> = {
	'User: Get': { resource: 'user', operation: 'get', options },
	'User: Get, as it came': { resource: 'user', operation: 'get', simplify: false, options },
	'Balance: Get Native': { resource: 'balance', operation: 'native', options },
	'History: Get Many': { resource: 'history', operation: 'list', options },
	'Contract: Read': { ...call, operation: 'read', abi: 'f() view returns (string)' },
	'Contract: Read of another type': { ...call, operation: 'read', abi: 'f() view returns (uint8)' },
	'Contract: Write': { ...call, operation: 'write', abi: 'f()', options: resent },
	'Contract: Write, as it came': {
		...call,
		operation: 'write',
		abi: 'f()',
		simplify: false,
		options: resent,
	},
	'Contract: Write to a user': {
		...call,
		operation: 'write',
		abi: 'f(address)',
		args: `["${USER}"]`,
		options: resent,
	},
};
const NODES: readonly Partial<INode>[] = [
	{},
	{ onError: 'continueRegularOutput' },
	{ onError: 'continueErrorOutput' },
];

describe.each(Object.entries(ECHOES))('a token that is sent back %s', (_name, echo) => {
	test('is a token that this test would find', () => {
		expect(findsToken(everything({ said: echo }), TOKEN)).toBe(true);
	});

	test.each(Object.entries(OPERATIONS))('shows nowhere behind %s', async (name, parameters) => {
		const results = [];
		// Each answer meets each setting, behind one operation or another.
		const shift = Object.keys(OPERATIONS).indexOf(name);
		for (const [index, answer] of answersWith(echo).entries()) {
			service.script = () => answer;
			const node = NODES[(index + shift) % NODES.length];
			const result = await engine.run({ parameters, credential: credential(), node });
			expect(findsToken(everything(result), TOKEN)).toBe(false);
			results.push(result);
		}
		expectHidden([results, logged]);
	});

	test('shows nowhere in what the trigger keeps, gives and logs', async () => {
		const userIds = `${USER}\nGOOGLE-2`;
		for (const event of ['newTransfer', 'balanceChanged']) {
			for (const answer of answersWith(echo)) {
				service.script = ({ path }) => {
					if (path.endsWith('/v1/users/GOOGLE-2'))
						return { body: `{"id":"GOOGLE-2","address":"${ADDRESS}"}` };
					if (path.includes('GOOGLE-2/history')) return { body: '[]' };
					if (path.includes('GOOGLE-2')) return { body: '{"ETH":{}}' };
					return answer;
				};
				for (const activation of ['activate', 'init'] as const) {
					const trigger = pollerOf({ event, asset: 'native', userIds, options }, { activation });
					for (const [result] of [
						await Promise.allSettled([trigger.poll()]),
						await Promise.allSettled([trigger.poll()]),
					]) {
						expect(findsToken(everything([result, trigger.staticData]), TOKEN)).toBe(false);
					}
				}
			}
		}
		expectHidden(logged);
	});
});

test.each(['raw', 'percent-encoded', 'percent-encoded throughout'])(
	'a redirect to an address with the token %s does not show it, wherever the words are cut',
	async (name) => {
		const echo = ECHOES[name] ?? '';
		for (const length of [0, 100, 200, 250, 270, 290, 299]) {
			const start = 'https://login.example/'.padEnd(length, 'x');
			const location = `${start}?t=${echo}&next=1`;
			service.script = () => ({ status: 302, headers: { location }, body: '' });
			for (const parameters of Object.values(OPERATIONS)) {
				const { error } = await engine.run({ parameters, credential: credential() });
				expect(error?.message).toContain('redirects to https://login.example/');
				expect(findsToken(everything(error), TOKEN)).toBe(false);
				// Not a part of it either.
				expect(everything(error)).not.toContain(echo.slice(-40, -20));
				expect(everything(error)).not.toContain(TOKEN.slice(0, 12));
			}
		}
	},
);

test('of a sign-in that was renewed for the request, the new token shows nowhere', async () => {
	const account = {
		...credential(),
		grantType: 'pkce',
		accessTokenUrl: `${service.baseUrl}/oauth/token`,
		clientId: 'client',
		oauthTokenData: {
			access_token: 'expired-token',
			refresh_token: 'refresh',
			token_type: 'Bearer',
		},
	};
	service.script = ({ path, authorization }) => {
		if (path === '/oauth/token') {
			return { body: JSON.stringify({ access_token: TOKEN, token_type: 'Bearer' }) };
		}
		if (authorization !== `Bearer ${TOKEN}`) return { status: 401, body: '{}' };
		return { status: 400, body: `{"error":"about ${TOKEN.replaceAll('/', '\\/')}"}` };
	};
	const result = await engine.run({
		parameters: { resource: 'user', operation: 'get', authentication: 'oAuth2', options },
		credential: account,
	});
	expect(service.requests.map(({ path }) => path)).toContain('/oauth/token');
	expectHidden(result);
});
