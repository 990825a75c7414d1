/** Signatures as people paste them, with arguments and the declaration for ethers. */
import type { ParamType } from 'ethers';
import { FunctionFragment } from 'ethers';

import { fn, list, OTHER, WALLET, WORD } from './samples.mts';

type Row = readonly [signature: string, args: unknown[], declared?: string];

const MAX_UINT = String(2n ** 256n - 1n);

/** Types that people may write in another way; plain ones are in `round-trip.test.mts`. */
const TYPES: readonly Row[] = [
	['f(uint)', ['0'], 'f(uint256)'],
	['f(int)', ['-1'], 'f(int256)'],
	['f(address payable to)', [OTHER], 'f(address to)'],
	['f(bytes calldata data)', [`${WORD}ab`], 'f(bytes data)'],
	['f(string memory text)', ['Grüße, 世界 \u{1F30D} "quoted"'], 'f(string text)'],
	['f(uint[])', [['1', '2', MAX_UINT]], 'f(uint256[])'],
	['f(uint256[] memory)', [[]], 'f(uint256[])'],
	['f(uint[3])', [['1', '2', '3']], 'f(uint256[3])'],
	['f(int[2][])', [list(['-1', '2'], ['3', '-4'])], 'f(int256[2][])'],
	['f(address[] calldata)', [[WALLET, OTHER]], 'f(address[])'],
	['f(address payable[] memory)', [[WALLET]], 'f(address[])'],
	['f(tuple(uint256,bool))', [['7', false]], 'f((uint256, bool))'],
	['f(tuple(address,bytes)[2])', [list([WALLET, '0x01'], [OTHER, '0x'])]],
	['f(((((uint256)))))', [[[[['9']]]]]],
	['f(tuple(tuple(uint256[] a)[] b, bytes4) c)', [[[[['1', '2']], [[]]], '0xdeadbeef']]],
];

/** Functions from Solidity sources, documentation and human-readable ABIs; ¶ is a line break. */
const SHAPES = `
totalSupply()
function totalSupply() external view returns (uint256) => totalSupply() returns (uint256)
function transfer(address to, uint256 amount) external returns (bool) => transfer(address to, uint256 amount) returns (bool)
transfer(address to,uint256 amount)
function transfer(address to, uint amount) public virtual override returns (bool); => transfer(address to, uint256 amount) returns (bool)
function transfer(address to, uint256 amount) public override(IERC20, ERC20) returns (bool) { => transfer(address to, uint256 amount) returns (bool)
function transfer(address to, uint256 amount) public onlyOwner whenNotPaused nonReentrant returns (bool ok) { return _t(to, amount); } => transfer(address to, uint256 amount) returns (bool ok)
function grant(bytes32 role) external onlyRole(ADMIN(1)) ; => grant(bytes32 role)
function f(uint256 a) external onlyRole(ADMIN_ROLE) whenNotPaused returns (bool) => f(uint256 a) returns (bool)
function f(uint256 a) public initializer => f(uint256 a)
function f(uint256 a) reinitializer(2) external => f(uint256 a)
function f(uint256 a) external gated returns (bool) => f(uint256 a) returns (bool)
function f(uint256 a) validAddress(to) checked(a > uint256(0), "a)b\\"(", new uint[](2)) external Roles.only() capped(type(uint256).max) view returns (bool) { require(a > 0, "}"); } => f(uint256 a) returns (bool)
  function¶\ttransfer (¶  address   to ,\r¶  uint256 amount¶)¶ external¶ returns¶(¶bool¶)¶; => transfer(address to, uint256 amount) returns (bool)
transfer( address , uint256 )public returns( bool ) => transfer(address, uint256) returns (bool)
function transfer(address to /* the payee */, uint256 amount) // moves tokens¶ external returns (bool) => transfer(address to, uint256 amount) returns (bool)
mint(address,uint256)
claim(uint256,bytes) external payable => claim(uint256, bytes)
deposit() payable => deposit()
function deposit(address receiver) external payable returns (uint256 shares) => deposit(address receiver) returns (uint256 shares)
balanceOf(address) public view returns (uint256)
balanceOf(address owner) constant returns (uint balance) => balanceOf(address owner) returns (uint256 balance)
add(int256 a, int256 b) pure returns (int256)
set(uint256) nonpayable => set(uint256)
function slot(uint256) external view returns (tuple(int256 x, int256 y) point, bytes memory) => slot(uint256) returns ((int256 x, int256 y) point, bytes)
names() view returns (string memory, string[] memory all) => names() returns (string, string[] all)
_$odd9(uint256 $a, uint256 _b)
execute((address target, uint256 value, bytes data)[] calldata calls) external payable returns (bytes[] memory results) => execute((address target, uint256 value, bytes data)[] calls) returns (bytes[] results)
from(address from, uint256 to, bool is, string as)
f(uint256 __proto__)
function f(address) view returns (uint256) @29000000 => f(address) returns (uint256)
function f(address) @29000000; => f(address)
function f(address) @29000000 gas => f(address)
f(address) view returns (uint256) @29000000 gas, => f(address) returns (uint256)
f(address) @ 29000000gas => f(address)
function f(address) payable @29000000 Gas returns (bool) { } => f(address) payable returns (bool)
f(uint256) view returns (uint256 a, bool a)
`;

/** A value of a type; the values in a call differ, so that a wrong order is detected. */
function sample(type: ParamType, number: number): unknown {
	if (type.arrayChildren)
		return [sample(type.arrayChildren, number), sample(type.arrayChildren, 0)];
	if (type.components)
		return type.components.map((member, index) => sample(member, index + number));
	if (/^u?int|string/.test(type.type)) return `${number}`;
	const bytes: Record<string, number> = { address: 20, bytes32: 32, bytes: 1 };
	return type.type === 'bool' || `0x${`0${number}`.repeat(bytes[type.type] ?? 0)}`;
}

const shapes = SHAPES.trim()
	.split('\n')
	.map((line) => line.replaceAll('¶', '\n').split(' => '))
	.map(([signature = '', declared = signature]) => {
		const fragment = FunctionFragment.from(`function ${declared}`);
		const args = fragment.inputs.map((input, index) => sample(input, index + 1));
		return { signature, args, declared: fragment };
	});

export const wellFormed = [
	...TYPES.map(([signature, args, declared = signature]) => {
		return { signature, args, declared: FunctionFragment.from(`function ${declared}`) };
	}),
	...shapes,
	{
		signature: 'function receive(uint256 id) external',
		args: ['1'],
		// ethers does not parse text that declares a function with this name.
		declared: FunctionFragment.from(fn('receive', 'uint256 id', [])),
	},
];
