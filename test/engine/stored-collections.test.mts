/** Options and filters: n8n drops unknown entries, so the nodes check the stored entries instead. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { storeCall } from './support/contract-calls.mts';
import { failureOf, useTrigger } from './support/trigger-service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const service = useService();
const node = useNode(service);
const { poller } = useTrigger(service);

const OPERATIONS = {
	write: () => storeCall(node.service.contracts.shapes, { abi: 'pay() payable', args: undefined }),
	read: () =>
		storeCall(node.service.contracts.shapes, {
			operation: 'read',
			abi: 'stored() view returns (uint256)',
			args: '[]',
		}),
	send: () => ({
		resource: 'token',
		operation: 'send',
		token: node.service.contracts.usd,
		recipient: node.service.user('Rahul Sen').id,
		amount: '1',
	}),
	list: () => ({ resource: 'history', operation: 'list' }),
	get: () => ({ resource: 'user', operation: 'get' }),
};
type Operation = keyof typeof OPERATIONS;

const options = (value: unknown) => ({ options: value }) as IDataObject;
const filters = (value: unknown) => ({ filters: value }) as IDataObject;
const until = (value: unknown) => options({ waitUntil: value });

const WAIT = 'Options: Wait Until';
const noSet = (place: string) => `${place}: .*not an object with named entries`;
const noEntry = (name: string, place = 'Options') => `${place}: Unknown entry "${name}"`;

const triggerWith = (value: unknown, mode?: 'trigger' | 'manual') =>
	poller({ options: value } as INodeParameters, { mode });

describe('entries that n8n would drop', () => {
	test.each<[string, Operation, IDataObject, message: string]>([
		['one expression', 'write', options('={{ { preview: true } }}'), noSet('Options')],
		['text', 'write', options('{"timeout":5}'), noSet('Options')],
		['a list', 'write', options([]), noSet('Options')],
		['a list of options', 'send', options([{ maxTries: 1 }]), noSet('Options')],
		['a number', 'get', options(5), noSet('Options')],
		['a misspelt name', 'send', options({ maxTrys: 1 }), noEntry('maxTrys')],
		['a unit for whole tokens', 'send', options({ amountsIn: 'base' }), noEntry('amountsIn')],
		['a name in other letters', 'write', options({ NativeCoin: '1' }), noEntry('NativeCoin')],
		['a name of every object', 'write', options({ toString: 1 }), noEntry('toString')],
		['a parameter', 'read', options({ preview: true }), noEntry('preview')],
		['filters as an expression', 'list', filters('={{ { since: $now } }}'), noSet('Filters')],
		['filters as a list', 'list', filters([]), noSet('Filters')],
		['a misspelt filter', 'list', filters({ minAmount: '5' }), noEntry('minAmount', 'Filters')],
		['a fixed collection as an expression', 'read', until('={{ { until: {} } }}'), noSet(WAIT)],
		['its fields as text', 'read', until({ until: 'x' }), noSet(WAIT)],
		['its group, misspelt', 'read', until({ untill: {} }), noEntry('untill', WAIT)],
		['its field, misspelt', 'read', until({ until: { value: '1' } }), noEntry('value', WAIT)],
	])('%s is refused for every item, and in a tool', async (_name, operation, change, message) => {
		const parameters = { ...OPERATIONS[operation](), ...change };
		const items = [{}, {}];
		const error: unknown = expect.stringMatching(new RegExp(`^${message}`));
		const details = { code: 'invalid-input', hint: expect.stringMatching(/\w/) };
		for (const result of await node.both(parameters, { items, node: CONTINUE })) {
			expect(result.error).toBeUndefined();
			expect(result.items).toMatchObject(items.map(() => ({ json: { error, details } })));
		}
		for (const stopped of await node.both(parameters, { items })) {
			expect(stopped.items).toEqual([]);
			const [, told] = /^(?:Stopped at row 1: )?(.*)$/s.exec(stopped.error?.message ?? '') ?? [];
			expect(told).toEqual(error);
		}
		await expect(node.tool(parameters)).rejects.toThrow(new RegExp(message));
		expect(await node.service.faults.requests()).toEqual([]);
	});

	test.each<[string, unknown, message: string]>([
		['one expression', '={{ { emitExisting: true } }}', noSet('Options')],
		['a list', [], noSet('Options')],
		['a misspelt name', { emitExistng: true }, noEntry('emitExistng')],
		['an option of the other node', { concurrency: 5 }, noEntry('concurrency')],
	])('%s is refused in the trigger', async (_name, value, message) => {
		for (const mode of ['trigger', 'manual'] as const) {
			const failure = await failureOf(triggerWith(value, mode).poll());
			expect(failure.message).toMatch(new RegExp(`^${message}`));
		}
		expect(await node.service.faults.requests()).toEqual([]);
	});

	test('the error lists the possible names, and where to correct it', async () => {
		const descriptionOf = async (parameters: IDataObject, given: object) =>
			(await node.run({ ...parameters, ...options(given) })).error?.description;
		const description = await descriptionOf(OPERATIONS.send(), { maxTrys: 1, timeout: 5 });
		expect(description).toContain('JSON of the node');
		expect(description).toContain(
			'Known entries: sendAgain, sender, timeout, pieceId, tokenStandard. ',
		);
		// No other entry is offered.
		expect(await descriptionOf(OPERATIONS.get(), { maxTrys: 1 })).not.toContain('Known entries');
	});
});

// `writes-on-chain` tests that an option that the form does not show is not used.
describe('valid entries', () => {
	test.each<[string, Operation, IDataObject]>([
		['no options at all', 'get', {}],
		['an empty set', 'get', options({})],
		['an expression in an entry', 'get', options({ timeout: '={{ 5 }}', maxTries: 2 })],
		['an option of another operation', 'get', options({ decimals: 6, sendAgain: true })],
		['filters of another operation', 'get', filters('={{ 1 }}')],
		['a filter', 'list', filters({ token: { __rl: true, mode: 'address', value: '' } })],
		['a condition', 'read', until({ until: { condition: 'isNot', conditionValue: '1' } })],
		['one without defaults', 'read', until({ until: { conditionValue: '0', waitUpTo: 0 } })],
	])('%s passes', async (_name, operation, change) => {
		const parameters = { ...OPERATIONS[operation](), ...change };
		for (const { error } of await node.both(parameters)) expect(error).toBeUndefined();
		await expect(node.tool(parameters)).resolves.toEqual(expect.any(Object));
	});

	test('an expression of another operation is not resolved', async () => {
		const left = options({ nativeCoin: '={{ $("Gone").item.json }}' });
		expect((await node.run({ ...OPERATIONS.get(), ...left })).error).toBeUndefined();
		const many = options({ concurrency: '={{ $("Gone").item.json }}' });
		expect((await node.run({ ...OPERATIONS.send(), ...many })).error).toBeUndefined();
	});

	test('a trigger uses its own options, and ignores those of another event', async () => {
		const given = { emitExisting: true, maxTries: '={{ 1 }}', decimals: '={{ $gone }}' };
		expect(await triggerWith(given).poll()).toEqual(expect.arrayContaining([expect.any(Object)]));
	});
});
