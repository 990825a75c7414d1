/** Arguments as JSON, under Options: it takes the place of the fields, and of what earlier versions of the node saved. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { storeCall } from './support/contract-calls.mts';
import { BOB, CONTRACT } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);

const TRANSFER = 'transfer(address to, uint256 amount)';

/** A call as a new form stores it. */
const asJson = (abi: string, args: unknown, more: IDataObject = {}): IDataObject => ({
	...storeCall(CONTRACT, { abi, argumentsMode: undefined, args: undefined, ...more }),
	options: { args },
});

const sent = () => node.service.writes.map(({ args }) => args);

test.each<[name: string, args: unknown, items?: IDataObject[]]>([
	['a list', `["${BOB.address}", "5"]`],
	['an object by name', `{ "amount": "5", "to": "${BOB.address}" }`],
	['an expression', '={{ [$json.to, $json.amount] }}', [{ to: BOB.address, amount: '5' }]],
	['text with expressions', '=["{{ $json.to }}", "5"]', [{ to: BOB.address }]],
	['a list in the JSON of the node', [BOB.address, '={{ "5" }}']],
])('%s is sent, by the node itself and by n8n', async (_name, args, items = [{}]) => {
	for (const { error } of await node.both(asJson(TRANSFER, args), { items }))
		expect(error).toBeUndefined();
	const wanted = [BOB.address, '5'];
	expect(sent()).toEqual([wanted, wanted]);
});

test('a model fills it in', async () => {
	const call = asJson(TRANSFER, "={{ [$fromAI('to'), $fromAI('amount')] }}");
	await node.tool(call, { to: BOB.address, amount: '5' });
	expect(sent()).toEqual([[BOB.address, '5']]);
});

test.each<[saved: string, IDataObject]>([
	['fields', { arguments: { mappingMode: 'defineBelow', value: { 'value (uint256)': '1' } } }],
	['JSON', { argumentsMode: 'json', args: '["1"]' }],
	['a mode that there is not', { argumentsMode: 'x' }],
])('it replaces saved %s, which the form then does not show', async (_saved, more) => {
	await node.items(asJson('store(uint256 value)', '["2"]', more));
	expect(sent()).toEqual([['2']]);
});

test('what an earlier version saved is still sent', async () => {
	await node.items(storeCall(CONTRACT, { args: '["7"]' }));
	expect(sent()).toEqual([['7']]);
});

test.each<[args: unknown, message: RegExp]>([
	['', /takes 1 value, but got 0/],
	['[1, 2]', /^Options: Arguments as JSON: .* takes 1 value, but got 2/],
	['[1', /^Options: Arguments as JSON: .*JSON/],
	['={{ $json.missing }}', /^Options: Arguments as JSON: The expression returned nothing/],
	['["x"]', /^value \(uint256\): "x"/],
])('%j is refused by the name that the form shows', async (args, message) => {
	expect((await node.refusal(asJson('store(uint256 value)', args))).message).toMatch(message);
});

test('a long list is read in full, other options are not', async () => {
	const numbers = Array.from({ length: 4000 }, () => '123456789');
	const sender = 'X'.repeat(20_001);
	const { message } = await node.refusal({ ...asJson('pay()', '[]'), options: { sender } });
	expect(message).toBe('Options: Sender: The value has 20001 characters');
	await node.items(asJson('store(uint256[])', JSON.stringify([numbers])));
	expect(sent()).toEqual([[JSON.stringify(numbers)]]);
});

test.each([`["${BOB.address}", "unlimited"]`, `={{ ["${BOB.address}", "unlimited"] }}`])(
	'the word for everything counts in %s',
	async (args) => {
		await node.items(asJson('approve(address spender, uint256 amount)', args));
		expect(sent()).toEqual([[BOB.address, (2n ** 256n - 1n).toString()]]);
	},
);

test('the word for everything does not count in data', async () => {
	const call = asJson('approve(address spender, uint256 amount)', '={{ [$json.to, $json.word] }}');
	const items = [{ to: BOB.address, word: 'unlimited' }];
	expect((await node.refusal(call, { items })).message).toContain('unlimited');
});

test('Read and the trigger take it', async () => {
	node.service.values = { [BOB.address]: ['5'] };
	const abi = 'balanceOf(address owner) view returns (uint256)';
	const read = asJson(abi, `["${BOB.address}"]`, { operation: 'read' });
	expect(await node.items(read)).toMatchObject([{ value: '5' }]);
	const watched = { ...read, event: 'contractValue', valueCondition: 'changed' };
	const options = { args: `["${BOB.address}"]`, emitExisting: true };
	const trigger = poller({ ...watched, options } as INodeParameters);
	expect(await trigger.poll()).toMatchObject([{ value: '5', args: [BOB.address] }]);
});
