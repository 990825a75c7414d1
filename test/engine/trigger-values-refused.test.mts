/** Contract Value: what is refused, what fails, and its form. */
import type { INodeParameters } from 'n8n-workflow';

import { Form } from './support/form.mts';
import {
	failureOf,
	NELLY,
	UNUSABLE_ANSWERS,
	useTriggerService,
	write,
} from './support/trigger-service.mts';

const { poller, service } = useTriggerService();

const shapes = (): string => service().contracts.shapes;
const abi = 'stored() view returns (uint256)';

const watch = (parameters: INodeParameters = {}): INodeParameters => ({
	...{ event: 'contractValue', contractAddress: shapes(), functionSource: 'signature' },
	...{ abi, ...parameters },
});

test.each(UNUSABLE_ANSWERS)('an answer of kind %s is an error and moves nothing', async (kind) => {
	const trigger = poller(watch());
	await trigger.poll();
	const { staticData } = trigger;
	await service().faults.add({ kind, match: { path: '/v1/contracts/method/read' } });
	const { message, description } = await failureOf(trigger.poll());
	expect([message, description]).toEqual([
		expect.stringMatching(/\w/),
		expect.stringMatching(/\w/),
	]);
	expect(trigger.staticData).toEqual(staticData);
	await service().faults.reset();
	const number = String(Date.now());
	await write(service(), NELLY, { address: shapes(), abi: 'store(uint256)', args: [number] });
	expect(await trigger.poll()).toMatchObject([{ value: number }]);
});

test('a function that reverts fails the poll, and the trigger goes on when it no longer does', async () => {
	const trigger = poller(watch());
	await trigger.poll();
	const failing = poller(
		watch({
			abi: 'failWithReason(string) view returns (bool)',
			argumentsMode: 'json',
			args: '["no"]',
		}),
	);
	expect((await failureOf(failing.poll())).message).toMatch(/no/);
	expect(await trigger.poll()).toBeUndefined();
});

test.each<[string, INodeParameters, RegExp]>([
	['no contract', { contractAddress: '' }, /^Contract Address: /],
	['no function', { abi: '' }, /^Function Signature: /],
	['a function that writes', { abi: 'store(uint256) nonpayable' }, /is declared nonpayable/],
	[
		'no declared types',
		{ abi: 'stored() view' },
		/^Start When the Value: .*declares no return types/,
	],
	[
		'no types to scale',
		{ abi: 'stored() view', options: { decimals: 6 } },
		/Scale by Decimals: The/,
	],
	[
		'an argument that is missing',
		{ abi: 'echoInt(int256 a) view returns (int256)' },
		/a \(int256\)/,
	],
	['an unknown condition', { valueCondition: 'above' }, /^Start When the Value: "above" is none/],
	['no value', { valueCondition: 'atLeast' }, /^Value: Nothing is given to compare with/],
	[
		'a value that is no number',
		{ valueCondition: 'atLeast', conditionValue: 'many' },
		/^Value \(uint256\): "many" is not an amount/,
	],
	[
		'an order of what has none',
		{ abi: 'label() view returns (string)', valueCondition: 'atMost', conditionValue: 'a' },
		/^Start When the Value: The function returns string, which is no number/,
	],
	[
		'one of several values',
		{ abi: 'f() view returns (uint256, bool)', valueCondition: 'is', conditionValue: '5' },
		/^Start When the Value: f\(\) returns 2 values/,
	],
	['a wrong option', { options: { decimals: 300 } }, /Scale by Decimals/],
])('%s is refused', async (_name, parameters, message) => {
	const trigger = poller(watch(parameters));
	const failure = await failureOf(trigger.poll());
	expect(failure.message).toMatch(message);
	expect(failure.description).toMatch(/\w/);
	expect(trigger.staticData['node:Trigger'] ?? {}).toEqual({});
	expect(await service().faults.requests()).toEqual([]);
});

test('the form lists the functions that can be read, and has a field for each argument', async () => {
	const form = await Form.create();
	const trigger = 'walletServiceTrigger';
	const contractAbi =
		'function transfer(address to)\nfunction balanceOf(address owner) view returns (uint)';
	const parameters = { event: 'contractValue', functionSource: 'contractAbi', contractAbi };
	const functions = await form.options('getContractFunctions', parameters, trigger);
	expect(functions.map(({ value }) => value)).toEqual(['', 'balanceOf(address)']);
	const chosen = { ...parameters, contractFunction: 'balanceOf(address)' };
	const { fields } = await form.fields('getArgumentFields', chosen, trigger);
	expect(fields.map(({ id }) => id)).toEqual(['owner (address)']);
});
