/** Options and filters as they are stored: n8n drops what it does not know of them, so the nodes look themselves. */
import type { INodeParameters } from 'n8n-workflow';

import { useResources } from '../support/resources.mts';
import { Service } from '../support/sandbox/service.mts';
import { Engine } from './support/engine.mts';
import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { createPoller, failureOf } from './support/trigger-service.mts';

let calls: EphemeralCalls;
let ways: Engine[];
let nodeTypes: LoadedNodeTypes;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[calls, nodeTypes, service, ...ways] = await Promise.all([
		EphemeralCalls.create(),
		LoadedNodeTypes.load(),
		resources.use(Service.start()),
		Engine.create(),
		Engine.create(true),
	]);
});
afterEach(async () => await service.faults.reset());

const write = (): INodeParameters => ({
	...{ resource: 'contract', operation: 'write', contractAddress: service.contracts.shapes },
	...{ functionSource: 'signature', abi: 'pay() payable', argumentsMode: 'json' },
});
const read = (): INodeParameters => ({
	...{ resource: 'contract', operation: 'read', contractAddress: service.contracts.shapes },
	...{ functionSource: 'signature', abi: 'stored() view returns (uint256)' },
});
const send = (): INodeParameters => ({
	...{ resource: 'token', operation: 'send', token: service.contracts.usd },
	...{ recipient: service.user('Rahul Sen').id, amount: '1' },
});
const list = (): INodeParameters => ({ resource: 'history', operation: 'list' });
const get = (): INodeParameters => ({ resource: 'user', operation: 'get' });

const options = (value: unknown) => ({ options: value }) as INodeParameters;
const filters = (value: unknown) => ({ filters: value }) as INodeParameters;
const until = (value: unknown) => options({ waitUntil: value });

const NO_SET = / is not an object with named entries/;

const REFUSED: readonly [string, () => INodeParameters, INodeParameters, RegExp][] = [
	[
		'one expression',
		write,
		options('={{ { preview: true } }}'),
		/^Options: .*not an object with named/,
	],
	['a text', write, options('{"timeout":5}'), NO_SET],
	['a list', write, options([]), NO_SET],
	['a list of options', send, options([{ maxTries: 1 }]), NO_SET],
	['a number', get, options(5), NO_SET],
	['a misspelt name', send, options({ maxTrys: 1 }), /^Options: There is no entry "maxTrys"/],
	[
		'a unit of amounts, which are whole tokens',
		send,
		options({ amountsIn: 'base' }),
		/^Options: There is no entry "amountsIn"/,
	],
	[
		'a name in other letters',
		write,
		options({ NativeCoin: '1' }),
		/There is no entry "NativeCoin"/,
	],
	['a name of every object', write, options({ toString: 1 }), /There is no entry "toString"/],
	[
		'one that is no option',
		read,
		options({ preview: true }),
		/^Options: There is no entry "preview"/,
	],
	[
		'filters as one expression',
		list,
		filters('={{ { since: $now } }}'),
		/^Filters: .*not an object with named/,
	],
	['filters as a list', list, filters([]), NO_SET],
	[
		'a misspelt filter',
		list,
		filters({ minAmount: '5' }),
		/^Filters: There is no entry "minAmount"/,
	],
	[
		'a fixed collection as one expression',
		read,
		until('={{ { until: { conditionValue: "1" } } }}'),
		/^Options: Wait Until: .*not an object with named/,
	],
	[
		'its fields as a text',
		read,
		until({ until: 'x' }),
		/^Options: Wait Until: .*not an object with named/,
	],
	['its group, misspelt', read, until({ untill: {} }), /Wait Until: There is no entry "untill"/],
	[
		'its field, misspelt',
		read,
		until({ until: { condition: 'is', value: '1' } }),
		/^Options: Wait Until: There is no entry "value"/,
	],
];

describe('of what n8n would drop', () => {
	test.each(REFUSED)('%s is refused for every item', async (_name, operation, change, message) => {
		const parameters = { ...operation(), ...change };
		for (const engine of ways) {
			const given = { parameters, credential: service.credential(), items: [{}, {}] };
			const { items, error } = await engine.run({
				...given,
				node: { onError: 'continueRegularOutput' },
			});
			expect(error).toBeUndefined();
			expect(items).toHaveLength(2);
			for (const { json } of items) {
				expect(json.error).toMatch(message);
				expect(json.details).toMatchObject({ code: 'invalid-input', hint: expect.any(String) });
			}
			const stopped = await engine.run(given);
			expect(stopped.items).toEqual([]);
			expect(stopped.error?.message).toMatch(message);
		}
		expect(await service.faults.requests()).toEqual([]);
	});

	test.each(REFUSED)('%s is refused in a tool', async (_name, operation, change, message) => {
		const parameters = { ...operation(), ...change };
		const type = 'n8n-nodes-wallet-service.walletServiceTool';
		await expect(calls.call(type, parameters, service.credential(), {})).rejects.toThrow(
			new RegExp(message.source.replace('^', '')),
		);
		expect(await service.faults.requests()).toEqual([]);
	});

	test.each<[string, unknown, RegExp]>([
		['one expression', '={{ { emitExisting: true } }}', /^Options: .*not an object with named/],
		['a list', [], NO_SET],
		['a misspelt name', { emitExistng: true }, /^Options: There is no entry "emitExistng"/],
		[
			'an option of the other node',
			{ concurrency: 5 },
			/^Options: There is no entry "concurrency"/,
		],
	])('%s is refused in the trigger', async (_name, value, message) => {
		for (const mode of ['trigger', 'manual'] as const) {
			const poller = createPoller(nodeTypes, service, options(value), { mode });
			expect((await failureOf(poller.poll())).message).toMatch(message);
		}
		expect(await service.faults.requests()).toEqual([]);
	});

	test('the names that there are are named, and where to correct it', async () => {
		const parameters = { ...send(), ...options({ maxTrys: 1 }) };
		const { error } = (await ways[0]?.run({ parameters, credential: service.credential() })) ?? {};
		expect(error?.description).toContain('retryFor, maxTries, resendWhenUnknown, timeout');
		expect(error?.description).toContain('JSON of the node');
	});
});

describe('of what is right', () => {
	const fine: readonly [string, () => INodeParameters, INodeParameters][] = [
		['no options at all', get, {}],
		['an empty set', get, options({})],
		['an expression in an entry', get, options({ timeout: '={{ 5 }}', maxTries: 2 })],
		['what is left of another operation', get, options({ decimals: 6, resendWhenUnknown: true })],
		['filters of another operation', get, filters('={{ 1 }}')],
		['a filter', list, filters({ token: { __rl: true, mode: 'address', value: '' } })],
		['a fixed collection', read, until({ until: { condition: 'isNot', conditionValue: '1' } })],
		['without its defaults', read, until({ until: { conditionValue: '0', waitUpTo: 0 } })],
	];
	test.each(fine)('%s passes', async (_name, operation, change) => {
		const parameters = { ...operation(), ...change };
		for (const engine of ways) {
			const { error } = await engine.run({ parameters, credential: service.credential() });
			expect(error).toBeUndefined();
		}
		const type = 'n8n-nodes-wallet-service.walletServiceTool';
		await expect(calls.call(type, parameters, service.credential(), {})).resolves.toBeDefined();
	});

	test('an option that the form does not show is not used', async () => {
		const amount = { ...options({ nativeCoin: '1' }), functionSource: 'commonFunction' };
		const transfer = { writeFunction: 'ERC-20 transfer(address,uint256)', preview: true };
		const args = JSON.stringify([service.user('Rahul Sen').address, '1']);
		const parameters = { ...write(), ...amount, ...transfer, args };
		const { items, error } = (await ways[0]?.run({
			parameters,
			credential: service.credential(),
		})) ?? { items: [] };
		expect(error).toBeUndefined();
		expect(items[0]?.json.body).not.toHaveProperty('value');
	});

	test('an expression that is left of another operation is not asked', async () => {
		const left = options({ nativeCoin: '={{ $("Gone").item.json }}' });
		const given = { parameters: { ...get(), ...left }, credential: service.credential() };
		expect((await ways[0]?.run(given))?.error).toBeUndefined();
	});

	test('a trigger takes its own options, and leaves those of another event alone', async () => {
		const given = options({ emitExisting: true, maxTries: '={{ 1 }}', decimals: '={{ $gone }}' });
		const poller = createPoller(nodeTypes, service, given);
		expect(await poller.poll()).toEqual(expect.arrayContaining([expect.any(Object)]));
	});
});
