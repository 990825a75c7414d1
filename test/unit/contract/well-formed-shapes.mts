import { OTHER, row, tuple, WALLET, WORD } from './well-formed.mts';

const transfer = 'address to, uint256 amount';
const call = [WALLET, '1500000'];

/** The ways in which people write a function down: Solidity source, documentation, human-readable ABI. */
export const shapeRows = [
	row('totalSupply()', 'totalSupply', '', '', []),
	row('function totalSupply() external view returns (uint256)', 'totalSupply', '', 'uint256', []),
	row(
		'function transfer(address to, uint256 amount) external returns (bool)',
		'transfer',
		transfer,
		'bool',
		call,
	),
	row('transfer(address to,uint256 amount)', 'transfer', transfer, '', call),
	row(
		'function transfer(address to, uint amount) public virtual override returns (bool);',
		'transfer',
		transfer,
		'bool',
		call,
	),
	row(
		'function transfer(address to, uint256 amount) public override(IERC20, ERC20) returns (bool) {',
		'transfer',
		transfer,
		'bool',
		call,
	),
	row(
		'function transfer(address to, uint256 amount) public onlyOwner whenNotPaused nonReentrant returns (bool ok) { return _t(to, amount); }',
		'transfer',
		transfer,
		'bool ok',
		call,
	),
	row('function grant(bytes32 role) external onlyRole(ADMIN(1)) ;', 'grant', 'bytes32 role', '', [
		WORD,
	]),
	row(
		'  function\n\ttransfer (\n  address   to ,\r\n  uint256 amount\n)\n external\n returns\n(\nbool\n)\n;',
		'transfer',
		transfer,
		'bool',
		call,
	),
	row(
		'transfer( address , uint256 )public returns( bool )',
		'transfer',
		'address, uint256',
		'bool',
		call,
	),
	row(
		'function transfer(address to /* the payee */, uint256 amount) // moves tokens\n external returns (bool)',
		'transfer',
		transfer,
		'bool',
		call,
	),
	row('mint(address,uint256)', 'mint', 'address, uint256', '', call),
	row('claim(uint256,bytes) external payable', 'claim', 'uint256, bytes', '', ['1', '0xabcd']),
	row('deposit() payable', 'deposit', '', '', []),
	row(
		'function deposit(address receiver) external payable returns (uint256 shares)',
		'deposit',
		'address receiver',
		'uint256 shares',
		[OTHER],
	),
	row('balanceOf(address) public view returns (uint256)', 'balanceOf', 'address', 'uint256', [
		WALLET,
	]),
	row(
		'balanceOf(address owner) constant returns (uint balance)',
		'balanceOf',
		'address owner',
		'uint256 balance',
		[WALLET],
	),
	row('add(int256 a, int256 b) pure returns (int256)', 'add', 'int256 a, int256 b', 'int256', [
		'-1',
		'2',
	]),
	row('set(uint256) nonpayable', 'set', 'uint256', '', ['3']),
	row(
		'getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
		'getReserves',
		'',
		'uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast',
		[],
	),
	row(
		'safeTransferFrom(address from, address to, uint256 tokenId)',
		'safeTransferFrom',
		'address from, address to, uint256 tokenId',
		'',
		[WALLET, OTHER, '1'],
	),
	row(
		'safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
		'safeTransferFrom',
		'address from, address to, uint256 tokenId, bytes data',
		'',
		[WALLET, OTHER, '1', '0x'],
	),
	row(
		'function slot(uint256) external view returns (tuple(int256 x, int256 y) point, bytes memory)',
		'slot',
		'uint256',
		[tuple('int256 x, int256 y', 'point'), { type: 'bytes' }],
		['0'],
	),
	row(
		'page(uint256) view returns ((address who, uint96 amount)[] entries, uint256 next)',
		'page',
		'uint256',
		[tuple('address who, uint96 amount', 'entries', '[]'), { type: 'uint256', name: 'next' }],
		['0'],
	),
	row('matrix() view returns (uint256[2][3])', 'matrix', '', 'uint256[2][3]', []),
	row(
		'names() view returns (string memory, string[] memory all)',
		'names',
		'',
		'string, string[] all',
		[],
	),
	row('_$odd9(uint256 $a, uint256 _b)', '_$odd9', 'uint256 $a, uint256 _b', '', ['1', '2']),
	row(
		'execute((address target, uint256 value, bytes data)[] calldata calls) external payable returns (bytes[] memory results)',
		'execute',
		[tuple('address target, uint256 value, bytes data', 'calls', '[]')],
		'bytes[] results',
		[
			[
				[WALLET, '1', '0x12'],
				[OTHER, '0', '0x'],
			],
		],
	),
	row(
		'from(address from, uint256 to, bool is, string as)',
		'from',
		'address from, uint256 to, bool is, string as',
		'',
		[WALLET, '1', true, 'x'],
	),
	row('function receive(uint256 id) external', 'receive', 'uint256 id', '', ['1']),
	row('f(uint256 __proto__)', 'f', 'uint256 __proto__', '', ['1']),
];
