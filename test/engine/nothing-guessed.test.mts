/** Unreadable switches and expression values are refused before anything is sent. */
import type { IDataObject } from 'n8n-workflow';

import { storeCall } from './support/contract-calls.mts';
import { sendOf, transferOf } from './support/kinds-of-writes.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const callOf = (changes: IDataObject) =>
	storeCall(CONTRACT, { abi: 'set(bool flag)', args: '["true"]', ...changes });

const run = async (changes: IDataObject) => await node.run(callOf(changes));

const coin = (nativeCoin: string) => ({ options: { nativeCoin } });

const fields = (flag: unknown) => ({
	argumentsMode: 'fields',
	arguments: { mappingMode: 'defineBelow', value: { 'flag (bool)': flag } },
});

describe.each([
	['Contract: Write', {}],
	['Token: Send', sendOf()],
])('switches of %s', (_operation, call) => {
	test.each([
		...[true, 'true', '={{ "true" }}', '={{ true }}'].map((preview) => [preview, 0] as const),
		...[false, 'false', '={{ "false" }}'].map((preview) => [preview, 1] as const),
	])('Try Without Sending as %p sends %i', async (preview, sent) => {
		const { items } = await run({ ...call, preview });
		expect(items[0]?.json.submitted).toBe(sent === 1);
		expect(node.service.writes).toHaveLength(sent);
	});

	// All other values of switches are in test/unit/values/parameters.
	test.each([
		['Try Without Sending', { preview: 'yes' }],
		['Try Without Sending', { preview: '={{ undefined }}' }],
		['Try Without Sending', { preview: '={{ $json.dryRun }}' }],
		['Simplify', { simplify: 'no' }],
		['Simplify', { simplify: '={{ $json.missing }}' }],
		['Send Again', { options: { sendAgain: 'on' } }],
		['Options: Send Again', { options: { sendAgain: '={{ null }}' } }],
	])('%s in %j is refused', async (name, changes) => {
		const { message, code } = await node.refusal(callOf({ ...call, ...changes }));
		expect(message).toMatch(new RegExp(name, 'i'));
		expect(code).toBe('invalid-input');
	});
});

describe('expressions without a result', () => {
	test.each([
		['a bool in its own field', fields('={{ $json.missing }}')],
		['a bool in its own field', fields('={{ null }}')],
		['a bool in its own field', fields('={{ "" }}')],
		['all arguments', { args: '={{ $json.missing }}' }],
		['all arguments', { args: '={{ null }}' }],
		['the coin', { abi: 'pay() payable', args: '[]', ...coin('={{ $json.missing }}') }],
		['the coin', { abi: 'pay() payable', args: '[]', ...coin('={{ "" }}') }],
		['the coin', { abi: 'pay() payable', args: '[]', ...coin('={{ null }}') }],
		['the contract', { contractAddress: '={{ $json.missing }}' }],
		['the signature', { abi: '={{ $json.missing }}' }],
	])('%s: %j is refused', async (_name, changes) => {
		const { message } = await node.refusal(callOf(changes));
		expect(message).toContain('The expression returned nothing');
	});

	test.each<[string, IDataObject]>([
		['JSON without its mode', { args: '[true]', argumentsMode: undefined, arguments: undefined }],
		['one expression', { arguments: '={{ ({ value: { "flag (bool)": true } }) }}' }],
		['arguments without their names', { arguments: { flag: true } }],
		['a misspelt argument', { arguments: { mappingMode: 'defineBelow', value: { flag: true } } }],
	])('%s: a toggle that the form did not show does not count as off', async (_name, given) => {
		const { message } = await node.refusal(callOf({ ...fields(null), ...given }));
		expect(message).toMatch(/The argument is missing/);
	});

	test('a toggle that the form shows is off although no value is stored for it', async () => {
		const schema = [{ id: 'flag (bool)', type: 'boolean' }];
		await run({ ...fields(null), arguments: { mappingMode: 'defineBelow', value: {}, schema } });
		const removed = [{ id: 'flag (bool)', type: 'boolean', removed: true }];
		const gone = { mappingMode: 'defineBelow', value: {}, schema: removed };
		const { error } = await run({ ...fields(null), arguments: gone });
		expect(error?.message).toMatch(/The argument is missing/);
		expect(node.service.writes).toEqual([expect.objectContaining({ args: ['false'] })]);
	});

	const SHOWN = [{ id: 'flag (bool)', type: 'boolean' }];
	const LEFT = { id: 'old (uint256)', type: 'string' };
	const mapped = (value: unknown, more: IDataObject = {}) => ({
		...fields(null),
		arguments: { mappingMode: 'defineBelow', value, schema: SHOWN, ...more } as IDataObject,
	});
	const MISSING = /^flag \(bool\): The argument is missing/;

	test.each<[string, unknown, IDataObject, RegExp]>([
		['an expression without it', '={{ ({}) }}', {}, MISSING],
		['an expression with null', '={{ ({ "flag (bool)": null }) }}', {}, MISSING],
		['text in place of the fields', '{"flag (bool)":true}', {}, MISSING],
		['a list in place of the fields', [true], {}, /Unknown entry "0"/],
		['automatic mapping', null, { mappingMode: 'autoMapInputData' }, MISSING],
		['a misspelt entry', { 'flga (bool)': true }, {}, /Unknown entry "flga \(bool\)"/],
		['an entry too many', '={{ ({ "flag (bool)": true, x: 1 }) }}', {}, /Unknown entry "x"/],
	])('all arguments at once, %s: nothing is guessed or ignored', async (_n, value, more, said) => {
		expect((await node.refusal(callOf(mapped(value, more)))).message).toMatch(said);
		expect(node.service.writes).toEqual([]);
	});

	test.each<[string, unknown, IDataObject]>([
		['one expression for all', '={{ ({ "flag (bool)": "false" }) }}', {}],
		['an untouched toggle', { 'flag (bool)': null }, {}],
		['all fields untouched', null, {}],
		['an entry of another function', { 'old (uint256)': '5' }, { schema: [...SHOWN, LEFT] }],
	])('%s passes', async (_name, value, more) => {
		await run(mapped(value, more));
		expect(node.service.writes).toMatchObject([{ args: ['false'] }]);
	});

	test('inside a list of an expression, empty text is a value', async () => {
		const { error } = await run({ abi: 'name(string,string)', args: '={{ ["", "x"] }}' });
		expect(error).toBeUndefined();
		expect(node.service.writes).toEqual([expect.objectContaining({ args: ['', 'x'] })]);
	});
});

describe('an amount whose unit is missing', () => {
	const read = { operation: 'read', abi: 'f() view returns (uint256)', args: '[]' };
	const until = (conditionValue: string) => ({ waitUntil: { until: { conditionValue } } });
	const AMOUNT = '={{ "1000 " + ($json.unit ?? "") }}';

	test.each<[string, IDataObject]>([
		['the native coin', { abi: 'pay() payable', args: '[]', ...coin(AMOUNT) }],
		['an argument of a field', { ...transferOf(AMOUNT), argumentsMode: 'fields' }],
		['an argument in JSON', { abi: 'f(uint256)', args: '={{ ["1000 "] }}' }],
		['one deep inside', { abi: 'f((uint256)[])', args: '[[["1000 "]]]' }],
		['a condition', { ...read, options: until(AMOUNT) }],
		['a scaled condition', { ...read, options: { ...until(AMOUNT), decimals: 6 } }],
	])('is refused: %s', async (_name, changes) => {
		const { error } = await run(changes);
		expect(error?.message).toMatch(/"1000 " ends with white space; its unit may be missing$/);
		expect(error).toMatchObject({ context: { details: { code: 'invalid-input' } } });
		expect(node.service.writes).toEqual([]);
	});
});

// `stored-collections` tests a run that stops.
test.each([
	['continueRegularOutput', 3],
	['continueErrorOutput', 0],
] as const)('Options that cannot be read refuse all items; %s', async (onError, regular) => {
	const inputs = [{ amount: 1 }, { amount: 2 }, { amount: 3 }];
	const broken = { options: { timeout: '={{ $json.no.such.thing }}' } };
	const settings = { node: { onError }, items: inputs };
	const { items, errorItems } = await node.run(callOf(broken), settings);
	expect(items).toHaveLength(regular);
	const error: unknown = expect.any(String);
	// No input is output as a result.
	expect([...items, ...errorItems].map(({ json }) => json)).toMatchObject(
		inputs.map((_, itemIndex) => ({ error, details: { outcome: 'refused', itemIndex } })),
	);
	expect(node.service.writes).toEqual([]);
});

describe('a resource or an operation that the node does not have', () => {
	const RESOURCES = 'Choose one of balance, token, history, transaction, user, contract';
	const BALANCES = 'Choose one of native, token';

	test.each<[resource: unknown, operation: unknown, message: string, hint: string]>([
		['balance', 'burn', 'Operation: "burn" is not one of the choices', BALANCES],
		['balance', 'write', 'Operation: "write" is not one of the choices', BALANCES],
		['balance', 'Token', 'Operation: "Token" is not one of the choices', BALANCES],
		['balance', 7, 'Operation: 7 is not one of the choices', BALANCES],
		['balance', '={{ 7 }}', 'Operation: "{{ 7 }}" is not one of the choices', BALANCES],
		['balance', 'toString', 'Operation: "toString" is not one of the choices', BALANCES],
		['contract', '', 'Operation: "" is not one of the choices', 'Choose one of read, write'],
		['nft', 'send', 'Resource: "nft" is not one of the choices', RESOURCES],
		['constructor', 'name', 'Resource: "constructor" is not one of the choices', RESOURCES],
	])('%j: %j is refused, and those that exist are listed', async (resource, operation, ...row) => {
		const [message, hint] = row;
		for (const authentication of ['accessToken', 'oAuth2']) {
			const parameters = { resource, operation, authentication, simplify: false } as IDataObject;
			for (const { items, error } of await node.both(parameters, { items: [{}, {}] })) {
				expect(items).toEqual([]);
				expect(error?.message).toBe(message);
				expect(error?.context).toMatchObject({ details: { code: 'invalid-input', hint } });
			}
		}
		expect(node.service.requests).toEqual([]);
	});
});
