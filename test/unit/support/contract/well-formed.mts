/** Signatures as people paste them, each with the declaration that ethers reads, and arguments for a call. */
import type { JsonFragment } from 'ethers';
import { FunctionFragment } from 'ethers';

import { list, OTHER, WALLET, WORD } from './samples.mts';

type Row = readonly [signature: string, args: unknown[], declared?: string | JsonFragment];

const MAX_UINT = String(2n ** 256n - 1n);
const TRANSFER = 'transfer(address to, uint256 amount) returns (bool)';
const call = [WALLET, '1500000'];
const nfts = [WALLET, OTHER, '1'];

const [ONE, TWO] = [list('1', '2'), list('3', '4')];

/** Every type family of the ABI, alone and in arrays. */
const TYPES: readonly Row[] = [
	['f(uint256)', [MAX_UINT]],
	['f(uint)', ['0'], 'f(uint256)'],
	['f(uint8 level)', ['255']],
	['f(uint16)', ['65535']],
	['f(uint32)', ['4294967295']],
	['f(uint64)', ['18446744073709551615']],
	['f(uint96)', ['79228162514264337593543950335']],
	['f(uint128)', [String(2n ** 128n - 1n)]],
	['f(uint248)', [String(2n ** 248n - 1n)]],
	['f(int256)', [String(-(2n ** 255n))]],
	['f(int)', ['-1'], 'f(int256)'],
	['f(int8)', ['-128']],
	['f(int24 tick)', ['-887272']],
	['f(int128)', [String(2n ** 127n - 1n)]],
	['f(bool)', [true]],
	['f(bool approved)', [false]],
	['f(address)', [WALLET]],
	['f(address payable to)', [OTHER], 'f(address to)'],
	['f(bytes1)', ['0xff']],
	['f(bytes4 interfaceId)', ['0x80ac58cd']],
	['f(bytes20)', [WALLET.toLowerCase()]],
	['f(bytes32 role)', [WORD]],
	['f(bytes)', ['0x']],
	['f(bytes calldata data)', [`${WORD}ab`], 'f(bytes data)'],
	['f(string)', ['']],
	['f(string memory text)', ['Grüße, 世界 \u{1F30D} "quoted"'], 'f(string text)'],
	['f(uint[])', [['1', '2', MAX_UINT]], 'f(uint256[])'],
	['f(uint256[] memory)', [[]], 'f(uint256[])'],
	['f(uint[3])', [['1', '2', '3']], 'f(uint256[3])'],
	['f(int[2][])', [list(['-1', '2'], ['3', '-4'])], 'f(int256[2][])'],
	['f(uint8[][3])', [[['1'], [], ['2', '3']]]],
	['f(bool[])', [[true, false, true]]],
	['f(address[] calldata)', [[WALLET, OTHER]], 'f(address[])'],
	['f(address payable[] memory)', [[WALLET]], 'f(address[])'],
	['f(bytes32[])', [[WORD, WORD]]],
	['f(bytes[])', [['0x', '0x00ff']]],
	['f(string[2])', [['a', '']]],
	['f(uint256[2][2][2])', [list(list(ONE, TWO), list(['5', '6'], ['7', '8']))]],
	['f((uint256,bool))', [['7', true]]],
	['f(tuple(uint256,bool))', [['7', false]], 'f((uint256, bool))'],
	['f((address to, uint96 amount)[] payments)', [list([WALLET, '5'], [OTHER, '6'])]],
	['f(tuple(address,bytes)[2])', [list([WALLET, '0x01'], [OTHER, '0x'])]],
	['f(((uint8,(string,bool)),int8[]) nested)', [list(['1', ['deep', true]], ['-1', '2'])]],
	['f(((((uint256)))))', [[[[['9']]]]]],
	['f(tuple(tuple(uint256[] a)[] b, bytes4) c)', [[[[['1', '2']], [[]]], '0xdeadbeef']]],
];

/** The ways in which people write a function down: Solidity source, documentation, human-readable ABI. */
const SHAPES: readonly Row[] = [
	['totalSupply()', []],
	['function totalSupply() external view returns (uint256)', [], 'totalSupply() returns (uint256)'],
	['function transfer(address to, uint256 amount) external returns (bool)', call, TRANSFER],
	['transfer(address to,uint256 amount)', call],
	[
		'function transfer(address to, uint amount) public virtual override returns (bool);',
		call,
		TRANSFER,
	],
	[
		'function transfer(address to, uint256 amount) public override(IERC20, ERC20) returns (bool) {',
		call,
		TRANSFER,
	],
	[
		'function transfer(address to, uint256 amount) public onlyOwner whenNotPaused nonReentrant returns (bool ok) { return _t(to, amount); }',
		call,
		'transfer(address to, uint256 amount) returns (bool ok)',
	],
	['function grant(bytes32 role) external onlyRole(ADMIN(1)) ;', [WORD], 'grant(bytes32 role)'],
	[
		'function f(uint256 a) external onlyRole(ADMIN_ROLE) whenNotPaused returns (bool)',
		['1'],
		'f(uint256 a) returns (bool)',
	],
	['function f(uint256 a) public initializer', ['1'], 'f(uint256 a)'],
	['function f(uint256 a) reinitializer(2) external', ['1'], 'f(uint256 a)'],
	['function f(uint256 a) external gated returns (bool)', ['1'], 'f(uint256 a) returns (bool)'],
	[
		'function f(uint256 a) validAddress(to) checked(a > uint256(0), "a)b\\"(", new uint[](2)) external Roles.only() capped(type(uint256).max) view returns (bool) { require(a > 0, "}"); }',
		['1'],
		'f(uint256 a) returns (bool)',
	],
	[
		'  function\n\ttransfer (\n  address   to ,\r\n  uint256 amount\n)\n external\n returns\n(\nbool\n)\n;',
		call,
		TRANSFER,
	],
	[
		'transfer( address , uint256 )public returns( bool )',
		call,
		'transfer(address, uint256) returns (bool)',
	],
	[
		'function transfer(address to /* the payee */, uint256 amount) // moves tokens\n external returns (bool)',
		call,
		TRANSFER,
	],
	['mint(address,uint256)', call],
	['claim(uint256,bytes) external payable', ['1', '0xabcd'], 'claim(uint256, bytes)'],
	['deposit() payable', [], 'deposit()'],
	[
		'function deposit(address receiver) external payable returns (uint256 shares)',
		[OTHER],
		'deposit(address receiver) returns (uint256 shares)',
	],
	['balanceOf(address) public view returns (uint256)', [WALLET]],
	[
		'balanceOf(address owner) constant returns (uint balance)',
		[WALLET],
		'balanceOf(address owner) returns (uint256 balance)',
	],
	['add(int256 a, int256 b) pure returns (int256)', ['-1', '2']],
	['set(uint256) nonpayable', ['3'], 'set(uint256)'],
	[
		'getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
		[],
	],
	['safeTransferFrom(address from, address to, uint256 tokenId)', nfts],
	['safeTransferFrom(address from, address to, uint256 tokenId, bytes data)', [...nfts, '0x']],
	[
		'function slot(uint256) external view returns (tuple(int256 x, int256 y) point, bytes memory)',
		['0'],
		'slot(uint256) returns ((int256 x, int256 y) point, bytes)',
	],
	['page(uint256) view returns ((address who, uint96 amount)[] entries, uint256 next)', ['0']],
	['matrix() view returns (uint256[2][3])', []],
	[
		'names() view returns (string memory, string[] memory all)',
		[],
		'names() returns (string, string[] all)',
	],
	['_$odd9(uint256 $a, uint256 _b)', ['1', '2']],
	[
		'execute((address target, uint256 value, bytes data)[] calldata calls) external payable returns (bytes[] memory results)',
		[list([WALLET, '1', '0x12'], [OTHER, '0', '0x'])],
		'execute((address target, uint256 value, bytes data)[] calls) returns (bytes[] results)',
	],
	['from(address from, uint256 to, bool is, string as)', [WALLET, '1', true, 'x']],
	[
		'function receive(uint256 id) external',
		['1'],
		{ type: 'function', name: 'receive', inputs: [{ type: 'uint256', name: 'id' }] },
	],
	['f(uint256 __proto__)', ['1']],
];

export const wellFormed = [...TYPES, ...SHAPES].map(([signature, args, declared = signature]) => {
	const source = typeof declared === 'string' ? `function ${declared}` : declared;
	return { signature, args, declared: FunctionFragment.from(source) };
});
