/** What a service says is quoted in messages and in n8n's log: nothing of it moves a cursor, turns the writing or begins a line. */
import type { IDataObject, INodeParameters, NodeApiError } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { N8nLog } from './support/n8n-log.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';
import type { ScriptedAnswer } from './support/scripted-service.mts';
import { useScriptedService } from './support/scripted-service.mts';

const CONTRACT = `0x${'0c'.repeat(20)}`;
const ODD = 'No\u001b[2J \u202esuch\b user\u2066\u009b\u200b\u2028\n2026 ERROR Contract write';
const ESCAPED = String.raw`"No\u001b[2J \u202esuch\b user`;
const CLEAN = 'No[2J such user 2026 ERROR Contract write';

const service = useScriptedService();
let engine: Engine;
let log: N8nLog;

beforeAll(async () => {
	engine = await Engine.create();
});
beforeEach(() => {
	log = new N8nLog();
});
afterEach(() => log.stop());

const json = (value: unknown, status = 200): ScriptedAnswer => ({
	status,
	body: JSON.stringify(value),
});

/** The answer, and its words in a message. */
const ANSWERS: [name: string, answer: ScriptedAnswer, words: string][] = [
	['an error', json({ error: ODD }, 400), CLEAN],
	['an error of its own', json({ error: { message: ODD } }, 500), CLEAN],
	['an error as text', { status: 422, body: ODD }, CLEAN],
	['a failure', json({ status: 'FAILED', error: ODD }), CLEAN],
	['no JSON', { body: ODD }, 'instead of JSON'],
	['another shape', json([ODD]), ESCAPED],
];

const CALLS: [name: string, INodeParameters][] = [
	['User: Get', { resource: 'user', operation: 'get', userId: 'DISCORD-1' }],
	[
		'Contract: Write',
		{
			...{ resource: 'contract', operation: 'write', functionSource: 'signature' },
			...{ contractAddress: CONTRACT, abi: 'pause()', argumentsMode: 'json', args: '[]' },
		},
	],
];

/** All texts within a value. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const areClean = (texts: string[]): void => {
	for (const text of texts) expect(text).not.toMatch(/[\p{C}\p{Zl}]/u);
};

const credential = (): IDataObject => ({
	...{ baseUrl: service().baseUrl, accessToken: 'secret', userId: '' },
});

describe.each(CALLS)('%s', (_call, parameters) => {
	test.each(ANSWERS)('%s', async (_name, answer, words) => {
		service().script = () => answer;
		const run = {
			parameters: { ...parameters, options: { maxTries: 1 } },
			credential: credential() as never,
		};
		const { error } = await engine.run(run);
		const { message, description, context } = error as NodeApiError;
		expect(`${message} ${String(description)}`).toContain(words);
		const { items } = await engine.run({ ...run, node: { onError: 'continueRegularOutput' } });
		expect(textsIn(items).join()).toContain(words);
		areClean([message, ...textsIn([description, context, items]), ...log.lines]);
		const isUnknown = textsIn(context).includes('unknown');
		// The second run does not send it again.
		expect(log.writes()).toHaveLength(isUnknown ? 1 : 0);
	});
});

test('a wallet that the trigger leaves out', async () => {
	service().script = ({ path }) =>
		path.includes('DISCORD-2') ? json({ error: ODD }, 400) : json([{ balance: ODD }]);
	const trigger = new Poller(await LoadedNodeTypes.load(), {
		parameters: {
			...{ event: 'balanceChanged', userIds: 'DISCORD-1 DISCORD-2', options: { maxTries: 1 } },
		},
		credential: credential() as never,
		activation: 'init',
	});
	await trigger.poll();
	expect(log.lines).toEqual([expect.stringContaining('(user DISCORD-')]);
	areClean(log.lines);
});
