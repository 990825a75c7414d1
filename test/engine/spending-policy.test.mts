/** What the owner of a credential forbids is refused before anything is sent. */
import type { IDataObject } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

async function write(
	policy: IDataObject,
	items: IDataObject[] = [{}],
	parameters: IDataObject = {},
) {
	return await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			argumentsMode: 'json',
			contractAddress: service.contracts.shapes,
			abi: 'pay() payable',
			options: { nativeCoin: '={{ $json.value ?? 0 }} wei' },
			...parameters,
		} as never,
		credential: { ...service.credential(), ...policy } as never,
		items,
	});
}

const OTHER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

test.each([
	['writes off altogether', { allowWrites: false }, /rule "Allow Writes"/],
	['another contract', { allowedContracts: OTHER }, /rule "Allowed Contracts"/],
	[
		'another function',
		{ allowedFunctions: 'transfer(address,uint256)' },
		/rule "Allowed Functions": pay\(\) \(0x1b9265b8\)/,
	],
	['too much in one call', { maxValuePerCall: '99 wei' }, /rule "Max Native Coin per Call"/],
	[
		'too much in one execution',
		{ maxValuePerExecution: '99 wei' },
		/rule "Max Native Coin per Execution"/,
	],
	[
		'a limit that nobody understands',
		{ maxValuePerCall: 'a little' },
		/Credential: Max Native Coin per Call/,
	],
	[
		'a contract list that nobody understands',
		{ allowedContracts: 'my token' },
		/Credential: Allowed Contracts/,
	],
])('%s', async (_name, policy, message) => {
	const { error } = await write(policy, [{ value: '100' }]);
	expect(error?.message).toMatch(message);
	expect(await service.faults.requests()).toEqual([]);
});

describe('a policy that cannot be read forbids all writes and says which field', () => {
	const variable = '={{ $vars.missing }}';

	test.each([
		['Allow Writes', { allowWrites: 'false' }],
		['Allow Writes', { allowWrites: 'true' }],
		['Allow Writes', { allowWrites: 0 }],
		['Allow Writes', { allowWrites: 1 }],
		['Allow Writes', { allowWrites: variable }],
		['Allowed Contracts', { allowedContracts: 7 }],
		['Allowed Contracts', { allowedContracts: variable }],
		['Allowed Contracts', { allowedContracts: ['SUSD'] }],
		['Allowed Contracts', { allowedContracts: [7] }],
		['Allowed Contracts', { allowedContracts: { 0: OTHER } }],
		['Allowed Contracts', { allowedContracts: `${variable}\n{{ $vars.other }}` }],
		['Allowed Functions', { allowedFunctions: true }],
		['Allowed Functions', { allowedFunctions: variable }],
		['Allowed Functions', { allowedFunctions: 'send money' }],
		['Allowed Recipients', { allowedRecipients: true }],
		['Allowed Recipients', { allowedRecipients: ` ${variable} ,` }],
		['Allowed Recipients', { allowedRecipients: [OTHER, null] }],
		['Token Limits', { amountLimits: 250 }],
		['Token Limits', { amountLimits: variable }],
		['Token Limits', { amountLimits: [`1 ${OTHER}`, `2 ${OTHER}`] }],
		['Max Native Coin per Call', { maxValuePerCall: 5 }],
		['Max Native Coin per Call', { maxValuePerCall: '5' }],
		['Max Native Coin per Call', { maxValuePerCall: variable }],
		['Max Native Coin per Execution', { maxValuePerExecution: ['1 ether'] }],
		['Max Native Coin per Call', { maxValuePerCall: `${variable} {{ $vars.unit }}` }],
		['Max Native Coin per Execution', { maxValuePerExecution: variable }],
		['Max Native Coin per Execution', { maxValuePerExecution: `${variable} ` }],
	])('%s: %j', async (field, policy) => {
		const { error } = await write(policy as IDataObject, [{ value: '1' }]);
		expect(error?.message).toContain(`Credential: ${field}: `);
		expect(error).toMatchObject({
			context: { details: { outcome: 'refused', code: 'policy-unreadable' } },
		});
		expect(await service.faults.requests()).toEqual([]);
	});

	test('the limits stay whatever Allow Writes is stored as', async () => {
		for (const allowWrites of ['true', 1, null]) {
			const { error } = await write({ allowWrites, allowedContracts: OTHER } as never, [
				{ value: '1' },
			]);
			expect(error?.message).toMatch(/Allow(ed Contracts| Writes)/);
		}
		expect(await service.faults.requests()).toEqual([]);
	});
});

test('a list may be a list of texts, and an empty one sets no rule', async () => {
	const { shapes } = service.contracts;
	const allowed = { allowedContracts: [OTHER, shapes], allowedFunctions: ['', 'pay()\nf(bool)'] };
	expect((await write(allowed as never, [{ value: '1' }])).error).toBeUndefined();
	const refused = await write({ allowedContracts: [OTHER] } as never, [{ value: '1' }]);
	expect(refused.error?.message).toContain('rule "Allowed Contracts"');
	const open = { allowedContracts: [], allowedFunctions: '', maxValuePerCall: '' };
	expect((await write(open as never, [{ value: '1' }])).error).toBeUndefined();
});

test('what the policy allows is sent', async () => {
	const { error, items } = await write(
		{
			allowWrites: true,
			allowedContracts: `${OTHER},\n${service.contracts.shapes.toLowerCase()}`,
			allowedFunctions: 'f((uint256,(bool,address)[]),bytes); 0x1B9265B8',
			maxValuePerCall: '100 wei',
			maxValuePerExecution: '0.0000000000000001 ether',
		},
		[{ value: '100' }],
	);
	expect(error).toBeUndefined();
	expect(items[0]?.json.submitted).toBe(true);
});

test('the limit of an execution counts what was sent, and not what was refused', async () => {
	await service.faults.add({ kind: 'failed', times: 1 });
	const { items } = await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			argumentsMode: 'json',
			contractAddress: service.contracts.shapes,
			abi: 'pay() payable',
			options: { nativeCoin: '={{ $json.value ?? 0 }} wei' },
		},
		credential: { ...service.credential(), maxValuePerExecution: '100 wei' },
		items: ['60', '60', '50', '40', '1'].map((value) => ({ value })),
		node: { onError: 'continueRegularOutput' },
	});
	// The service refuses the first; the second goes through; 50 more are too many; 40 more are just right.
	expect(items.map(({ json }) => json.submitted)).toEqual([
		undefined,
		true,
		undefined,
		true,
		undefined,
	]);
	expect(items[2]?.json.error).toContain('60 wei');
	expect(await service.faults.requests()).toHaveLength(3);
});

test('reads are open whatever the policy of writes says', async () => {
	const { error } = await write({ allowWrites: false }, [{}], {
		operation: 'read',
		abi: 'unsigned() view returns (uint8, uint48, uint64, uint256)',
	});
	expect(error).toBeUndefined();
});

test('a limit of nothing lets writes without value through, however many', async () => {
	const limits = { maxValuePerCall: '0', maxValuePerExecution: '0' };
	const { error, items } = await write(limits, [{}, {}, {}], { options: {} });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.submitted)).toEqual([true, true, true]);
});
