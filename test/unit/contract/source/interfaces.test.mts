/** Interfaces, contracts and libraries as Solidity source: their functions, and the types that they declare. */
import { parseAbi } from '../../support/steps.mts';

const keysOf = (text: string) => parseAbi(text).functions.map(({ key }) => key);
const problemOf = (text: string) => parseAbi(text).unreadable?.message;

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import { IERC20 } from "./IERC20.sol";
import "./Other.sol";
uint256 constant LIMIT = 0;
function free(uint256 x) pure returns (uint256) { return x; }

/** @dev { not a block; */
interface IVault is IBase, IOther(1) {
	/// function gone() external;
	event Paid(address indexed to, uint256 amount);
	error Refused(uint256 code);
	function a(address to, uint256 amount) external returns (bool);
	function b() external view returns (uint256);
}

abstract contract Vault is IVault {
	using { add } for Id global;
	using Math for uint256;
	uint256 public constant FEE = 1;
	mapping(address => uint256) public paid;
	modifier only() { require(true, "}"); _; }
	constructor(address owner) { paid[owner] = 1; }
	receive() external payable {}
	fallback() external payable {}
	function () payable {}
	function c() public payable virtual override(IVault, IBase) only { if (FEE > 0) { a(b, 1); } }
	function hidden() internal {}
}
library Math { function d(int x) public pure returns (int) { return x; } function e() private {} }
`;

it('the functions of all blocks are read, except those that nobody can call', () => {
	const { functions, unreadable } = parseAbi(SOURCE);
	expect(unreadable).toBeUndefined();
	expect(functions.map((fn) => [fn.key, fn.stateMutability])).toEqual([
		['a(address,uint256)', 'nonpayable'],
		['b()', 'view'],
		['c()', 'payable'],
		['d(int256)', 'pure'],
	]);
});

it('types that the source declares are replaced, also in each other and in returns', () => {
	const source = `interface I {
		enum Side { Buy, Sell }
		type Id is uint128;
		struct Order { Id id; Leg[2] legs; I market; }
		function f(I.Order calldata order, Side, I) external returns (Leg[] memory legs);
		struct Leg { address token; Side side; }
	}`;
	const [f] = parseAbi(source).functions;
	expect(f?.key).toBe('f((uint128,(address,uint8)[2],address),uint8,address)');
	expect(f?.inputs[0]?.components?.map(({ name }) => name)).toEqual(['id', 'legs', 'market']);
	expect(f?.outputs[0]?.format('full')).toBe('(address token, uint8 side)[] legs');
	expect(keysOf(JSON.stringify(['struct P { int x; }', 'function f(P p)']))).toEqual([
		'f((int256))',
	]);
});

it.each([
	['of another file', 'IERC20', ''],
	['of another block', 'Other.S', 'struct S { uint a; }'],
	['with two meanings', 'S', 'struct S { uint a; } } interface B { struct S { bool a; }'],
	['with a mapping', 'S', 'struct S { mapping(address => uint) a; }'],
	['within itself', 'S', 'struct S { S[] a; }'],
])('a type %s is never guessed', (_what, type, declared) => {
	const source = `interface A { function good() external; function bad(${type} x) external; ${declared} }`;
	expect(keysOf(source)).toEqual(['good()']);
	expect(problemOf(source)).toMatch(/^One entry of the ABI cannot be read: On line 1: .*bad/);
});

it('a comment that is never closed does not hide what follows it', () => {
	expect(problemOf('interface A { function a() external; /* function b() external; }')).toMatch(
		/comment is never closed/,
	);
});

const PART = 'struct S { S a; S b; } function f(S s);';
const CHAIN = Array.from(
	{ length: 9000 },
	(_, at) => `struct S${at} { S${at + 1} a; S${at + 1} b; }`,
);

it.each([
	['structs in themselves', PART.repeat(9000)],
	['a chain of structs', `${CHAIN.join('')} ${'function f(S0 a, S0 b);'.repeat(9000)}`],
	['imports', `import ${'{}'.repeat(240_000)} function f();`],
])('the work for %s is bounded', (_what, text) => {
	const before = process.cpuUsage();
	try {
		parseAbi(`interface A { ${text} }`);
	} catch {
		// Nothing is readable.
	}
	// Without a bound, it takes hours or all memory.
	expect(process.cpuUsage(before).user).toBeLessThan(30_000_000);
});
