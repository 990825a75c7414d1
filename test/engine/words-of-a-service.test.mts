/** Text from a service in messages and in n8n's log moves no cursor, changes no writing direction, and starts no line. */
import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { textsIn } from '../support/echoed.mts';
import type { ScriptedAnswer } from './support/answers.mts';
import { failed, json } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const ODD = 'No\u001b[2J \u202esuch\b user\u2066\u009b\u200b\u2028\n2026 ERROR Contract write';
const ESCAPED = String.raw`"No\u001b[2J \u202esuch\u0008 user`;
const CLEAN = 'No[2J such user 2026 ERROR Contract write';

const node = useNode();
const { poller } = useTrigger(() => node.service);
const options = { maxTries: 1 };

const areClean = (texts: string[]): void => {
	for (const text of texts) expect(text).not.toMatch(/[\p{C}\p{Zl}]/u);
};

describe.each<[string, IDataObject]>([
	['User: Get', { resource: 'user', operation: 'get', options }],
	['Contract: Write', storeCall(CONTRACT, { options })],
])('%s', (_call, parameters) => {
	test.each<[name: string, ScriptedAnswer, words: string]>([
		['an error', json({ error: ODD }, 400), CLEAN],
		['an error within another', json({ error: { message: ODD } }, 500), CLEAN],
		['an error as text', { status: 422, body: ODD }, CLEAN],
		['a failure', failed(ODD), CLEAN],
		['no JSON', { body: ODD }, 'instead of JSON'],
		['another shape', json([ODD]), ESCAPED],
	])('%s', async (_name, answer, words) => {
		node.service.script = () => answer;
		const { error } = await node.run(parameters);
		const { message, description, context } = error as NodeApiError;
		expect(`${message} ${String(description)}`).toContain(words);
		const { items } = await node.run(parameters, { node: CONTINUE });
		expect(textsIn(items).join()).toContain(words);
		areClean([message, ...textsIn([description, context, items]), ...node.log.lines]);
		const isUnknown = textsIn(context).includes('unknown');
		// The second run does not send the write again.
		expect(node.log.writes()).toHaveLength(isUnknown ? 1 : 0);
	});
});

test.each<[string, ScriptedAnswer]>([
	['an error', json({ error: 'The recipient has no gas. '.repeat(900) }, 400)],
	['a failure', failed('The recipient has no gas. '.repeat(900))],
	['an error as text', { status: 503, body: 'The recipient has no gas. '.repeat(900) }],
	['an error in XML', { status: 400, body: `<e>${'The recipient has no gas. '.repeat(900)}</e>` }],
])('%s without end is cut at a word', async (_name, answer) => {
	node.service.script = () => answer;
	for (const parameters of [
		{ resource: 'user', operation: 'get', options },
		storeCall(CONTRACT, { options }),
	]) {
		const { error } = await node.run(parameters);
		expect(error?.message).toMatch(/(The recipient has no gas\. ){5,9}(The|recipient|has|no| )*…/);
		const details = error?.context.details as IDataObject;
		expect(String(details.serviceText).length).toBeLessThanOrEqual(250);
		expect(error?.message.length).toBeLessThan(400);
	}
});

test('a wallet that the trigger skips', async () => {
	node.service.script = ({ path }) =>
		path.includes('DISCORD-2') ? json({ error: ODD }, 400) : json([{ balance: ODD }]);
	const watched = { event: 'balanceChanged', userIds: 'DISCORD-1 DISCORD-2' };
	await poller(watched, { activation: 'init' }).poll();
	expect(node.log.lines).toEqual([expect.stringContaining('(user DISCORD-')]);
	areClean(node.log.lines);
});
