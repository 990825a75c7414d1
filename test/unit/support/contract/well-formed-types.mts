import { OTHER, row, tuple, WALLET, WORD } from './well-formed.mts';

const MAX_UINT = (2n ** 256n - 1n).toString();
const MIN_INT = (-(2n ** 255n)).toString();

/** Every type family of the ABI, alone and in arrays. */
export const typeRows = [
	row('f(uint256)', 'f', 'uint256', '', [MAX_UINT]),
	row('f(uint)', 'f', 'uint256', '', ['0']),
	row('f(uint8 level)', 'f', 'uint8 level', '', ['255']),
	row('f(uint16)', 'f', 'uint16', '', ['65535']),
	row('f(uint32)', 'f', 'uint32', '', ['4294967295']),
	row('f(uint64)', 'f', 'uint64', '', ['18446744073709551615']),
	row('f(uint96)', 'f', 'uint96', '', ['79228162514264337593543950335']),
	row('f(uint128)', 'f', 'uint128', '', [(2n ** 128n - 1n).toString()]),
	row('f(uint248)', 'f', 'uint248', '', [(2n ** 248n - 1n).toString()]),
	row('f(int256)', 'f', 'int256', '', [MIN_INT]),
	row('f(int)', 'f', 'int256', '', ['-1']),
	row('f(int8)', 'f', 'int8', '', ['-128']),
	row('f(int24 tick)', 'f', 'int24 tick', '', ['-887272']),
	row('f(int128)', 'f', 'int128', '', [(2n ** 127n - 1n).toString()]),
	row('f(bool)', 'f', 'bool', '', [true]),
	row('f(bool approved)', 'f', 'bool approved', '', [false]),
	row('f(address)', 'f', 'address', '', [WALLET]),
	row('f(address payable to)', 'f', 'address to', '', [OTHER]),
	row('f(bytes1)', 'f', 'bytes1', '', ['0xff']),
	row('f(bytes4 interfaceId)', 'f', 'bytes4 interfaceId', '', ['0x80ac58cd']),
	row('f(bytes20)', 'f', 'bytes20', '', [WALLET.toLowerCase()]),
	row('f(bytes32 role)', 'f', 'bytes32 role', '', [WORD]),
	row('f(bytes)', 'f', 'bytes', '', ['0x']),
	row('f(bytes calldata data)', 'f', 'bytes data', '', [`${WORD}ab`]),
	row('f(string)', 'f', 'string', '', ['']),
	row('f(string memory text)', 'f', 'string text', '', ['Grüße, 世界 \u{1F30D} "quoted"']),
	row('f(uint[])', 'f', 'uint256[]', '', [['1', '2', MAX_UINT]]),
	row('f(uint256[] memory)', 'f', 'uint256[]', '', [[]]),
	row('f(uint[3])', 'f', 'uint256[3]', '', [['1', '2', '3']]),
	row('f(int[2][])', 'f', 'int256[2][]', '', [
		[
			['-1', '2'],
			['3', '-4'],
		],
	]),
	row('f(uint8[][3])', 'f', 'uint8[][3]', '', [[['1'], [], ['2', '3']]]),
	row('f(bool[])', 'f', 'bool[]', '', [[true, false, true]]),
	row('f(address[] calldata)', 'f', 'address[]', '', [[WALLET, OTHER]]),
	row('f(address payable[] memory)', 'f', 'address[]', '', [[WALLET]]),
	row('f(bytes32[])', 'f', 'bytes32[]', '', [[WORD, WORD]]),
	row('f(bytes[])', 'f', 'bytes[]', '', [['0x', '0x00ff']]),
	row('f(string[2])', 'f', 'string[2]', '', [['a', '']]),
	row('f(uint256[2][2][2])', 'f', 'uint256[2][2][2]', '', [
		[
			[
				['1', '2'],
				['3', '4'],
			],
			[
				['5', '6'],
				['7', '8'],
			],
		],
	]),
	row('f((uint256,bool))', 'f', [tuple('uint256, bool')], '', [['7', true]]),
	row('f(tuple(uint256,bool))', 'f', [tuple('uint256, bool')], '', [['7', false]]),
	row(
		'f((address to, uint96 amount)[] payments)',
		'f',
		[tuple('address to, uint96 amount', 'payments', '[]')],
		'',
		[
			[
				[WALLET, '5'],
				[OTHER, '6'],
			],
		],
	),
	row('f(tuple(address,bytes)[2])', 'f', [tuple('address, bytes', '', '[2]')], '', [
		[
			[WALLET, '0x01'],
			[OTHER, '0x'],
		],
	]),
	row(
		'f(((uint8,(string,bool)),int8[]) nested)',
		'f',
		[tuple([tuple([{ type: 'uint8' }, tuple('string, bool')]), { type: 'int8[]' }], 'nested')],
		'',
		[
			[
				['1', ['deep', true]],
				['-1', '2'],
			],
		],
	),
	row('f(((((uint256)))))', 'f', [tuple([tuple([tuple([tuple('uint256')])])])], '', [[[[['9']]]]]),
	row(
		'f(tuple(tuple(uint256[] a)[] b, bytes4) c)',
		'f',
		[tuple([tuple('uint256[] a', 'b', '[]'), { type: 'bytes4' }], 'c')],
		'',
		[[[[['1', '2']], [[]]], '0xdeadbeef']],
	),
];
