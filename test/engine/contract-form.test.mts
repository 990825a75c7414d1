/** Lists that the editor loads for a contract call: the functions of an ABI, and a field per argument. */
import { useForm } from './support/form.mts';

const ENTRIES = [
	'function transfer(address to, uint256 amount) nonpayable returns (bool)',
	'function paused() view returns (bool)',
	'function pick(uint256) pure returns (bool)',
	'function pick(address) pure returns (bool)',
	'event Paused()',
];
const ABI = JSON.stringify(ENTRIES);
const SWAP = { type: 'function', name: 'swap', inputs: [{ type: 'fixed128x18' }], outputs: [] };

const form = useForm();

const functionsOf = async (contractAbi: string, operation: string) =>
	await form.options('getContractFunctions', { operation, contractAbi });

test('Read lists view and pure functions with their full types, Write the rest', async () => {
	expect((await functionsOf(ABI, 'read')).map(({ name, value }) => [name, value])).toEqual([
		['Choose a Function', ''],
		['paused()', 'paused()'],
		['pick(uint256)', 'pick(uint256)'],
		['pick(address)', 'pick(address)'],
	]);
	expect(await functionsOf(ABI, 'write')).toEqual([
		{ name: 'Choose a Function', value: '' },
		{
			name: 'transfer(address,uint256)',
			value: 'transfer(address,uint256)',
			description: 'transfer(address,uint256) public returns (bool)',
		},
	]);
});

test.each(['read', 'write'])(
	'%s lists functions that declare no mutability, too',
	async (operation) => {
		const entries = [{ type: 'function', name: 'mint', inputs: [], stateMutability: '' }, 'burn()'];
		const [, ...functions] = await functionsOf(JSON.stringify(entries), operation);
		expect(functions.map(({ value }) => value)).toEqual(['mint()', 'burn()']);
		for (const { description } of functions)
			expect(description).toMatch(/^\w+\(\) public.*, not declared whether it only reads$/);
	},
);

test.each(['read', 'write'])(
	'%s lists a function declared as view and as nonpayable',
	async (operation) => {
		const [, ...functions] = await functionsOf('admin() view\nadmin() nonpayable', operation);
		const description = `admin() public${operation === 'read' ? ' view' : ''}`;
		expect(functions).toEqual([{ name: 'admin()', value: 'admin()', description }]);
	},
);

const UNREADABLE = /^The contract ABI is not JSON: [^\\]+$/;

test.each([
	['no text', '', 'read', 'Paste the ABI First', /^$/],
	['broken JSON', '[{', 'read', 'The ABI Cannot Be Read', UNREADABLE],
	['reads', 'function f() view', 'write', 'The ABI Has No Write Functions', /^Use .* Read/],
	['writes', 'function f() payable', 'read', 'The ABI Has No Read Functions', /write view: name/],
	[
		'a proxy',
		'fallback()\nadmin() view',
		'read',
		'Choose a Function',
		/may be a proxy: paste .* it\.$/,
	],
])('an ABI of %s is neither an error nor an empty list', async (_name, abi, ...row) => {
	const [operation, name, description] = row;
	const listed = await functionsOf(abi, operation);
	expect(listed[0]).toMatchObject({ name, value: '' });
	expect(listed).toHaveLength(name === 'Choose a Function' ? 2 : 1);
	expect(listed[0]?.description ?? '').toMatch(description);
});

test('a function that cannot be read hides no other, and the list states the problem', async () => {
	const [choose, ...rest] = await functionsOf(JSON.stringify([SWAP, ...ENTRIES]), 'write');
	expect(rest).toEqual((await functionsOf(ABI, 'write')).slice(1));
	expect(choose).toMatchObject({ name: 'Choose a Function', value: '' });
	expect(choose?.description).toMatch(
		/^One entry of the ABI cannot be read: At abi\[0\] \("swap"\), "fixed128x18": .*Use uint256, .*\.$/,
	);
	const none = await functionsOf(JSON.stringify([SWAP, SWAP]), 'write');
	const description = expect.stringMatching(/^2 entries of the ABI cannot be read: At abi\[0\] /);
	expect(none).toEqual([{ name: 'The ABI Has No Write Functions', value: '', description }]);
});

test('the trigger lists the functions that can be read, and has a field for each argument', async () => {
	const parameters = { event: 'contractValue', functionSource: 'contractAbi', contractAbi: ABI };
	const type = 'walletServiceTrigger';
	const listed = await form.options('getContractFunctions', parameters, type);
	expect(listed).toEqual(await functionsOf(ABI, 'read'));
	const chosen = { ...parameters, contractFunction: 'pick(address)' };
	const { fields } = await form.fields('getArgumentFields', chosen, type);
	expect(fields.map(({ id }) => id)).toEqual(['argument 1 (address)']);
});

test('a new form has the fields of the first common function of each operation', async () => {
	const labels = async (operation: string) =>
		(await form.fields('getArgumentFields', { operation })).fields.map(({ id }) => id);
	expect(await labels('read')).toEqual(['owner (address)']);
	expect(await labels('write')).toEqual(['to (address)', 'amount (uint256)']);
});

const fieldsOf = async (parameters: Record<string, string>) =>
	await form.fields('getArgumentFields', { operation: 'write', ...parameters });
const ofSignature = (abi: string) => ({ functionSource: 'signature', abi });
const ofAbi = (contractAbi: string, contractFunction: string) => ({
	functionSource: 'contractAbi',
	contractAbi,
	contractFunction,
});

const TRANSFER = 'ERC-20 transfer(address,uint256)';

test.each<[source: string, parameters: Record<string, string>]>([
	['a signature', ofSignature('transfer(address to, uint256 amount)')],
	['an ABI', ofAbi(ABI, 'transfer(address,uint256)')],
	['a common function', { functionSource: 'commonFunction', writeFunction: TRANSFER }],
])('%s becomes a labelled field per argument, none of them red', async (_source, parameters) => {
	const { fields } = await fieldsOf(parameters);
	expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
		['to (address)', 'to: address or user ID', 'string'],
		['amount (uint256)', 'amount, e.g. 12.5 token', 'string'],
	]);
	// A required field would be red from the start.
	expect(fields.every(({ required, display }) => !required && display)).toBe(true);
});

const LOOKALIKE = /has the selector 0xa9059cbb of transfer\(address,uint256\)/;
const UNKNOWN = /no function "burn\(uint256\)"\. Choose one of: transfer\(address,uint256\)\.$/;
const FIRST = /^Choose a function first: its arguments appear here\.$/;

test.each<[string, Record<string, string>, RegExp]>([
	['no signature yet', ofSignature(''), FIRST],
	['no ABI yet', ofAbi('', ''), FIRST],
	['no function yet', ofAbi(ABI, ''), FIRST],
	['no arguments', ofSignature('pause()'), /takes no arguments/],
	['the selector of another function', ofSignature('many_msg_babbage(bytes1)'), LOOKALIKE],
	['a wrong type', ofSignature('f(uint7)'), /"uint7".*steps of 8/],
	['an unknown function', ofAbi(ABI, 'burn(uint256)'), UNKNOWN],
])('with %s the form has a notice', async (_name, parameters, notice) => {
	const { fields, emptyFieldsNotice } = await fieldsOf(parameters);
	expect(fields).toEqual([]);
	expect(emptyFieldsNotice).toMatch(notice);
});
