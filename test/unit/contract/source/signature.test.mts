/** Function signatures as people paste them: their meaning, and the wrong parts of malformed ones. */
import { FunctionFragment, Interface } from 'ethers';

import { abbreviatedSignature } from '../../../../nodes/WalletService/contract/function.ts';
import { encodeArguments } from '../../../../nodes/WalletService/contract/arguments.ts';
import { calldata } from '../../../../nodes/WalletService/contract/call.ts';
import { selector } from '../../../../nodes/WalletService/contract/function.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import { refusalOf } from '../../support/refusal.mts';
import { resolveBy } from '../../support/contract/resolve.mts';
import { wellFormed } from '../../support/contract/well-formed.mts';

const full = (parameters: readonly { format: (form: 'full') => string }[]) =>
	parameters.map((parameter) => parameter.format('full'));

it.each(wellFormed)('parseSignature $signature', async ({ signature, declared, args }) => {
	const fn = parseSignature(signature);
	expect(fn.name).toBe(declared.name);
	expect(full(fn.inputs)).toEqual(full(declared.inputs));
	expect(selector(fn)).toBe(declared.selector);
	const encoded = await encodeArguments(fn, args, 'args', resolveBy());
	const byEthers = new Interface([declared]).encodeFunctionData(declared, args);
	expect(calldata(fn, encoded)).toBe(byEthers);

	// The service's parser reserves this name, so that a function with it cannot be sent.
	if (fn.name === 'receive') return;
	for (const operation of ['read', 'write'] as const) {
		const sent = FunctionFragment.from(`function ${abbreviatedSignature(fn, operation)}`);
		expect(sent.selector).toBe(declared.selector);
		expect(full(sent.outputs)).toEqual(full(declared.outputs));
		expect(sent.constant).toBe(operation === 'read');
	}
});

it.each([
	['f()', undefined],
	['f() external', undefined],
	['f() external view', 'view'],
	['f() constant', 'view'],
	['f() pure', 'pure'],
	['f() payable', 'payable'],
	['f() nonpayable', 'nonpayable'],
])('parseSignature %s has the state mutability %s', (signature, expected) => {
	expect(parseSignature(signature).stateMutability).toBe(expected);
});

it.each([
	'"f()"',
	"'f()',",
	'`f()`,\n',
	'“f()”',
	'f(),',
	'\u200bf()\u200b',
	' \ufeff"f\u200b()", \n',
])('parseSignature reads %j as a line of a list or a page', (text) => {
	expect(parseSignature(text).key).toBe('f()');
	expect(parseSignature(text.replace('f', 'function f')).key).toBe('f()');
	expect(() => parseSignature(text.replace('f', '0'))).toThrow('a name cannot start with a digit');
});

it.each(
	'onlyOwner onlyRole whenNotPaused nonReentrant initializer reinitializer onlyInitializing onlyProxy notDelegated ifAdmin lock auth ensure note gated restricted authorized isOwner validRecipient checkDeadline requiresAuth pausable stoppable live cap throttle viaRouter viewOnly publicSale externalGuard _only $only A only2'.split(
		' ',
	),
)('parseSignature takes %s for a modifier of the contract, with or without arguments', (word) => {
	const lists = ['', '()', ' (ADMIN)', '(keccak256("A"), 2 ether, address(this), (a + b))'];
	for (const list of lists) {
		const text = `function f(uint256 a) external ${word}${list} payable returns (bool ok)`;
		const { stateMutability, outputs } = parseSignature(text);
		expect([stateMutability, outputs.length]).toEqual(['payable', 1]);
	}
});

it.each([
	[
		'function balanceOf(address owner) external view returns (uint)',
		'read',
		'balanceOf(address) public view returns (uint256)',
	],
	['add(int a) pure returns (int)', 'read', 'add(int256) public view returns (int256)'],
	['totalSupply()', 'read', 'totalSupply() public view'],
	['f(address)(uint)', 'read', 'f(address) public view returns (uint256)'],
	['f(uint) payable (bool ok)', 'write', 'f(uint256) public payable returns (bool ok)'],
	['mint(uint amount) returns (bool ok)', 'write', 'mint(uint256) public returns (bool ok)'],
	['claim(uint256,bytes) external payable', 'write', 'claim(uint256,bytes) public payable'],
	['mint(address,uint256)', 'write', 'mint(address,uint256) public'],
	[
		'f(tuple(address a, (uint8 b)[2] c)[] d) returns (tuple(uint x, (bool)[] y) z, string memory)',
		'write',
		'f((address,(uint8)[2])[]) public returns ((uint256 x, (bool)[] y) z, string)',
	],
	// Names of return values are omitted if they would make the signature unreadable.
	[
		'f() view returns (uint256 error, (bool event, bool fine) struct, int256 receive)',
		'read',
		'f() public view returns (uint256, (bool, bool fine), int256)',
	],
] as const)('%s sent as a %s', (signature, operation, expected) => {
	const sent = abbreviatedSignature(parseSignature(signature), operation);
	expect(sent).toBe(expected);
	expect(FunctionFragment.from(`function ${sent}`).outputs).toHaveLength(
		parseSignature(signature).outputs.length,
	);
});

/** Explanations, each with signatures in which «the wrong part» is marked. */
const MALFORMED = String.raw`
no type has this size.*uint8 to uint256 | f(«uint7»)
no type has this size.*int8 to int256 | f(«int12» x)
no type has this size.*bytes1 to bytes32 | f(«bytes33»)
no type has this size | f(«uint0») | f(«uint264») | f(«uint08») | f(«bytes0») | f((«uint9»)[] x)
lower case: address | f(address, «Address» to)
lower case: uint256 | f(«UINT256»)
not an ABI type.*Write address for a contract | f(«IERC20» token)
not an ABI type | f(«number») | f(«mapping»(address => uint256)) | f(«toString»)
not an ABI type | f(«function» (uint256) external cb)
a type is expected | f(uint256,«,» address) | f(uint256,«)» | f(«,»uint256)
a value, not a type | f(«0x12», uint256)
already has a type.*comma | f(address «uint256»)
"," or "\)" is expected | f(uint256 a «b») | f(uint256 a«;» uint256 b) | f(uint256 a«.»b)
"," or "\)" is expected | f((address, uint96«]»)
"," or "\)" is expected.*after the "\(" at character 2 | f(uint256«»
at character 14 | f(uint256 a, (address b«»
cannot be a parameter name | f(uint256 «view»)
only events | f(uint256 «indexed» a)
only an address | f(uint256 «payable» a) | f(uint256[] «payable» a)
at least one member | f((«)»)
an array length | f(uint256[«-»1]) | f(uint256[«0»]) | f(uint256[«n»]) | f(uint256[«03»])
not closed | f(uint256[3«)»
"\(" is expected | f«» | f «uint256» | uint256 «f»() | token«.»transfer(address) | f() returns «uint256»
name of the function is expected | «(»uint256) | function «(»uint256) | «🌍»(uint256)
4-byte selector | «0xa9059cbb»
cannot start with a digit | «1f»(uint256)
JSON.*Contract ABI | «[»{"type":"function"}] | «{»"abi":[]}
not a function | «event» Transfer(address from) | «constructor»(uint256) | «error» Broken(uint256)
not a function | «receive»() external payable
not allowed here.*external, public, view | f() «View»
not allowed here | f() external «viewreturns» (uint256) | f() external «function» g()
not allowed here | f() «uint256» | f() «gives» (uint256)
not allowed here | function f(uint256) «g»(address to) | f() «veiw» | f() «only»(ADMIN)
not allowed here.*returns | function f() «gives» (uint256)
not allowed here.*require "function" | f() external «onlyOwner»
never closed | function f() only«(»ADMIN | f() «{» a; { b; } | f() override«(»A
comment is never closed | f() view «/*» returns (uint256) | «/*»/ f()
name of a modifier is expected | function f() Roles.«(»)
cannot be called from outside | f() «internal»
contradicts "external" | f() external «public»
contradicts "view" | f() view «payable»
appears twice | f() view «view»
"returns" is expected here | f() «return» (uint256)
whole number of gas is expected.*Remove everything from the @ | f() @«» | f() view @«gas» | f() @«2.9e7» gas | f() returns (bool) @«-»1
not allowed here | f() @29000000 gas «per» call
nothing can follow | f() returns (bool) @1 gas «per» call
nothing can follow | f() returns (uint256) «view» | f() «-»> uint256 | f()«)»
only one function | f(); «g»() | f() { a; } «function» g() {}
`
	.trim()
	.split('\n')
	.flatMap((line): [marked: string, explanation: RegExp][] => {
		const [explanation = '', ...signatures] = line.split(' | ');
		return signatures.map((marked) => [marked, new RegExp(explanation)]);
	});

const refusal = (signature: string) => refusalOf(() => parseSignature(signature, 'signature'));

it.each(MALFORMED)('parseSignature refuses %s', (marked, explanation) => {
	const start = marked.indexOf('«');
	const part = marked.slice(start + 1, marked.indexOf('»'));
	const signature = marked.replace(/[«»]/g, '');
	const { message, hint, parameter } = refusal(signature);
	const place = part === '' ? 'At the end: ' : `At character ${start + 1}, "${part}": `;
	expect(message.slice(0, place.length)).toBe(place);
	expect(`${message} ${hint}`).toMatch(explanation);
	expect(hint).not.toBe('');
	expect(parameter).toBe('signature');
});

it.each([
	['', 'The function signature is empty'],
	[undefined, 'The function signature is empty'],
	['  ', '" " is not a function signature'],
	[null, 'null is not a function signature'],
	[12, '12 is not a function signature'],
	[{ type: 'function' }, '{"type":"function"} is not a function signature'],
])('parseSignature refuses %j', (value, message) => {
	expect(refusalOf(() => parseSignature(value)).message).toBe(message);
});

it('parseSignature refuses nesting without end, without running out of stack', () => {
	expect(() => parseSignature(`f(${'('.repeat(19_000)}`)).toThrow(/nested too deep/);
	expect(() => parseSignature(`f(uint256${'[]'.repeat(9_000)})`)).toThrow(/nested too deep/);
	expect(() => parseSignature(`function f() only${'('.repeat(19_000)}`)).toThrow(/never closed/);
});

it('parseSignature refuses a long text, of which it quotes only a part', () => {
	const { message } = refusal(`f(${'uint256,'.repeat(2000)}uint7)`);
	expect(message).toContain('At character 16003, "uint7"');
	expect(message.length).toBeLessThan(300);
});
