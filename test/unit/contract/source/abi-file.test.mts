/** ABIs in the files of compilers, explorers and Sourcify, also as JSON in JSON. */
import { parseAbi } from '../../../../nodes/WalletService/contract/source/abi.ts';
import { functionKey } from '../../../../nodes/WalletService/contract/function.ts';
import { fn } from '../../support/contract/samples.mts';
import { refusalOf } from '../../support/refusal.mts';

const LIST = [fn('a', [], 'uint256', 'view')];
const EMPTY = [{ type: 'error', name: 'Bad', inputs: [] }];
const TEXT = JSON.stringify(LIST);
const METADATA = {
	...{ compiler: { version: '0.8.24' }, language: 'Solidity', output: { abi: LIST, devdoc: {} } },
	settings: { compilationTarget: { 'a.sol': 'A' }, outputSelection: { '*': { '*': ['abi'] } } },
};
const FILES = [
	{ name: 'A.sol', path: 'sources/A.sol', content: 'contract A { function b() external {} }' },
	{ name: 'metadata.json', path: 'metadata.json', content: JSON.stringify(METADATA) },
];
const SOLC = { contracts: { 'a.sol': { A: { abi: LIST }, Errors: { abi: EMPTY } } }, sources: {} };

it.each<[string, unknown]>([
	['an explorer', { status: '1', message: 'OK', result: TEXT }],
	['an explorer, with its source', { status: '1', result: [{ SourceCode: '{', ABI: TEXT }] }],
	['an artifact with the ABI as text', { contractName: 'A', abi: TEXT }],
	['a single function', LIST[0]],
	['the output of a compiler', SOLC],
	['the combined output of a compiler', { contracts: { 'a.sol:A': { abi: TEXT } }, version: '1' }],
	['a build of Hardhat', { input: { sources: { a: { content: 'x' } } }, output: SOLC }],
	['the deployments of Hardhat', { 1: [{ name: 'mainnet', contracts: { A: { abi: LIST } } }] }],
	['the metadata of a compiler', METADATA],
	['Sourcify', { status: 'full', files: FILES }],
	['a list of files of Sourcify', FILES],
])('parseAbi finds the ABI in %s', (_what, file) => {
	const json = JSON.stringify(file);
	const inJson = JSON.stringify(json);
	for (const source of [file, json, ` ${json}\n`, inJson, inJson.slice(1, -1)])
		expect(parseAbi(source).functions.map(functionKey)).toEqual(['a()']);
});

it.each<[string, unknown, RegExp, RegExp]>([
	[
		'the ABIs of several contracts',
		{ contracts: { 'a.sol': { A: { abi: LIST }, B: { abi: LIST }, C: { abi: EMPTY } } } },
		/contains the ABIs of 2 contracts: "A, B"$/,
		/^Which one .*Paste only its ABI$/,
	],
	[
		'the sentence of an explorer',
		{ status: '0', message: 'NOTOK', result: 'Contract source code not verified' },
		/^There is "Contract source code not verified" in place of an ABI$/,
		/paste the ABI itself$/,
	],
	[
		'the ABIs of several artifacts',
		['A', 'B'].map((contractName) => ({ contractName, abi: LIST })),
		/contains the ABIs of 2 contracts: "A, B"$/,
		/^Which one/,
	],
	['no ABI', { sources: { a: { content: '[]' } } }, /neither a list nor an object/, /JSON ABI/],
])('parseAbi refuses a file with %s', (_what, file, message, hint) => {
	const refusal = refusalOf(() => parseAbi(JSON.stringify(file), 'contractAbi'));
	expect(refusal.parameter).toBe('contractAbi');
	expect(refusal.message).toMatch(message);
	expect(refusal.hint).toMatch(hint);
});

const LINE = 'function a() view returns (uint256)';
const ENTRY =
	"{\n  // The only one.\n  inputs: [],\n  name: 'a', type: 'function', stateMutability: 'view',\n}";

it.each<[string, string]>([
	['of TypeChain', `const _abi = [${ENTRY},\n] as const;\n`],
	['of wagmi', `export const erc20Abi = [${ENTRY}] as const`],
	['of viem', `const abi = parseAbi([\n\t'${LINE}',\n])`],
	['of a module', `module.exports = { abi: ${TEXT} };`],
	['with its type', `export const abi: readonly string[] = ["${LINE}",];`],
	['without a name', `[\n  \`${LINE}\`,\n  // 'function b()',\n]`],
	['as lines of a list', `"${LINE}",\n`],
	['as a member', `"abi": ${TEXT},`],
	['in an answer of a model', `\`\`\`json\n${TEXT}\n\`\`\``],
	['with wide spaces', TEXT.replaceAll(',', ',\u00a0')],
])('parseAbi reads the ABI in a script %s', (_what, source) => {
	const { functions, unreadable } = parseAbi(source);
	expect(functions.map(functionKey)).toEqual(['a()']);
	expect(functions[0]?.stateMutability).toBe('view');
	expect(unreadable).toBeUndefined();
});

it('a script is not read far beyond its ABI', () => {
	const source = `const abi = [${'\n \t,{a'.repeat(200_000)}`;
	const before = process.cpuUsage();
	expect(() => parseAbi(source)).toThrow(/is not JSON/);
	expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
});

it('JSON in JSON has an end', () => {
	let source = TEXT;
	for (let depth = 0; depth < 12; depth += 1) source = JSON.stringify(source);
	expect(() => parseAbi(source)).toThrow(/neither a list/);
	let deep: unknown = { abi: LIST };
	for (let depth = 0; depth < 5000; depth += 1) deep = { deep };
	expect(() => parseAbi(deep)).toThrow(/neither a list/);
});

it('a file may nest anything in place of a name', () => {
	let deep: unknown = [];
	for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
	for (const member of ['contractName', 'name', 'type'])
		expect(parseAbi({ abi: LIST, [member]: deep }).functions).toHaveLength(1);
	expect(parseAbi([...LIST, { type: deep }, deep]).functions).toHaveLength(1);
});

it.each(['inputs', 'outputs', 'stateMutability', 'type'])('%s may be null', (member) => {
	const [one] = parseAbi([{ ...fn('a', [], []), [member]: null }]).functions;
	expect(one).toMatchObject({ name: 'a', inputs: [], outputs: [], stateMutability: undefined });
});

it.each([
	[{ stateMutability: '', constant: true }, 'view'],
	[{ stateMutability: null, payable: true }, 'payable'],
	[{ stateMutability: '' }, undefined],
])('older members declare the mutability of %j', (members, expected) => {
	expect(parseAbi([{ name: 'f', ...members }]).functions[0]?.stateMutability).toBe(expected);
});

it('the type of an address may be "address payable"', () => {
	const types = ['address payable', 'address payable[2][]'].map((type) => ({ type }));
	expect(parseAbi([fn('f', types, [])]).functions.map(functionKey)).toEqual([
		'f(address,address[2][])',
	]);
	expect(parseAbi([fn('f', [{ type: 'uint256 payable' }], [])]).functions).toEqual([]);
});

const PROXY = 'This may be a proxy: paste the ABI of the contract behind it';

it.each<[string, string[], boolean]>([
	['of a proxy', ['upgradeTo', 'implementation', 'admin', 'fallback'], true],
	['with a function besides', ['upgradeTo', 'implementation', 'transfer', 'fallback'], false],
	['without a fallback', ['upgradeTo', 'owner'], false],
])('an ABI %s', (_what, names, mayBeProxy) => {
	const json = names.map((name) => (name === 'fallback' ? { type: name } : fn(name, [], [])));
	const lines = names.map((name) => `${name === 'fallback' ? '' : 'function '}${name}() external;`);
	for (const source of [json, lines, lines.join('\n'), `interface A { ${lines.join(' ')} }`])
		expect(parseAbi(source).advice).toBe(mayBeProxy ? PROXY : undefined);
});

it('a proxy may have no function', () => {
	for (const source of [[{ type: 'fallback' }], 'fallback() external payable'])
		expect(refusalOf(() => parseAbi(source)).hint).toBe(PROXY);
});
