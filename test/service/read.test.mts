import { MaxUint256, MinInt256 } from 'ethers';
import { useService } from '../support/sandbox/service.mts';

const sandbox = useService();

const read = async (abi: string, args?: string[], contract: 'shapes' | 'usd' = 'shapes') =>
	(await sandbox().read('Nelly', contract, abi, args)).data;

const big = (hex: string) => ({ type: 'BigNumber', hex });
const bigs = (...digits: string[]) => digits.map((two) => big(two.replace(/\w+/, '0x$&')));
const MAX = `0x${'ff'.repeat(32)}`;
const ODD_TEXT = '["not", "JSON"] é 🦄\n';
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

test('a success has exactly the fields of the interface', async () => {
	const { contracts, user } = sandbox();
	const address = user('newcomer').address;
	expect(await read('balanceOf(address) public view returns (uint256)', [address], 'usd')).toEqual({
		status: 'SUCCESS',
		explorerUrl: expect.stringContaining(`/explorer/address/${contracts.usd}`),
		response: big('0x00'),
	});
});

test.each<[abi: string, args: string[] | undefined, response: unknown]>([
	// Integers of every width.
	[
		'unsigned() view returns (uint8 a, uint48 b, uint64 c, uint256 d)',
		undefined,
		bigs('ff', 'f'.repeat(12), 'f'.repeat(16), 'f'.repeat(64)),
	],
	['signed() view returns (int8, int64, int256)', [], bigs('-80', '-01', `-80${'00'.repeat(31)}`)],
	['negative() view returns (int256)', [], big('-0x01')],
	['echoUint(uint256) view returns (uint256)', ['0x0642f8'], big('0x0642f8')],
	['echoUint(uint256) view returns (uint256)', [MaxUint256.toString()], big(MAX)],
	['echoInt(int256) view returns (int256)', [MinInt256.toString()], big(`-0x80${'00'.repeat(31)}`)],
	['echoInt(int256) view returns (int256)', ['-0x10'], big('-0x10')],
	// Other types.
	['echoBool(bool) view returns (bool)', ['true'], true],
	['echoAddress(address) view returns (address)', [ADDRESS.toLowerCase()], ADDRESS],
	['echoString(string) view returns (string)', [ODD_TEXT], ODD_TEXT],
	['echoString(string) view returns (string)', [''], ''],
	['echoBytes(bytes) view returns (bytes)', ['0x00ff'], '0x00ff'],
	['echoBytes(bytes) view returns (bytes)', ['0x'], '0x'],
	['echoBytes4(bytes4) view returns (bytes4)', ['0xDEADBEEF'], '0xdeadbeef'],
	['echoLevel(uint8) view returns (uint8)', ['2'], big('0x02')],
	// Arrays and tuples; `any-type.test.mts` covers all others.
	['echoList(uint256[]) view returns (uint256[])', ['[]'], []],
	[
		'echoList(uint256[]) view returns (uint256[])',
		['[1, "2", "0x03", 9007199254740993]'],
		bigs('01', '02', '03', '20000000000001'),
	],
	['echoTriple(int64[3]) view returns (int64[3])', ['[-1,0,"1"]'], bigs('-01', '00', '01')],
	['echoTexts(string[]) view returns (string[])', ['["a","[1]",""]'], ['a', '[1]', '']],
	[
		'echoPoint((int256 x, int256 y)) view returns ((int256 x, int256 y))',
		['{"y": 2, "x": -1}'],
		bigs('-01', '02'),
	],
	[
		'echoPoint(tuple(int256,int256)) returns (tuple(int256,int256))',
		['["-1", 2]'],
		bigs('-01', '02'),
	],
	[
		'echoRoute((uint256 id, string label, (int256 x, int256 y)[] path) route) view returns ((uint256 id, string label, (int256 x, int256 y)[] path))',
		['{"id":"7","label":"home","path":[{"x":1,"y":-1},[2,-2]]}'],
		[big('0x07'), 'home', [bigs('01', '-01'), bigs('02', '-02')]],
	],
	// Several return values, and none.
	[
		'summary() view returns (uint256 count, string name, bool open, address self)',
		[],
		[big('0x03'), 'Shapes', true, expect.stringMatching(/^0x/)],
	],
	['nothing() view', [], []],
	// Overloads differ by their types.
	['pick(uint256) view returns (string)', ['1'], 'pick(uint256)'],
	['pick(address) view returns (string)', [ADDRESS], 'pick(address)'],
	['pick(uint256[]) view returns (string)', ['[1]'], 'pick(uint256[])'],
])('%s with %j', async (abi, args, response) => {
	expect(await read(abi, args)).toMatchObject({ status: 'SUCCESS', response });
});

test.each([
	'echoUint(uint256) public view returns (uint256)',
	'function echoUint(uint256) public view returns (uint256)',
	'  function   echoUint( uint256   value )  external   pure  returns ( uint256 )  ',
	'echoUint(uint value) returns (uint256 sameValue)',
	'function echoUint(uint256 value) payable returns (uint256)',
])('the signature "%s" is accepted', async (abi) => {
	expect(await read(abi, ['5'])).toMatchObject({ status: 'SUCCESS', response: big('0x05') });
});

const MISFIT = "The contract's answer does not fit the return types of the signature";

test.each([
	['failWithReason(string)', ['because of a reason'], 'because of a reason'],
	['failWithPanic(uint256)', ['0'], 'Panic due to DIVIDE_BY_ZERO(18)'],
	['failWithError(uint256)', ['42'], `Rejected: code 42, caller ${ADDRESS}`],
	['failSilently()', [], 'The contract reverted without a reason'],
	['echoUint(uint256) view returns (string)', ['5'], MISFIT],
	['echoBytes(bytes) view returns (string)', ['0xff'], MISFIT],
	['echoLevel(uint8) view returns (uint8)', ['3'], 'The contract reverted without a reason'],
])('%s with %j fails with its reason', async (abi, args, error) => {
	expect(await read(abi, args)).toEqual({ status: 'FAILED', error });
});

test('an address without a contract is a failure', async () => {
	const more = { address: ADDRESS };
	const { data } = await sandbox().read(
		'Nelly',
		'shapes',
		'name() view returns (string)',
		[],
		more,
	);
	expect(data).toEqual({ status: 'FAILED', error: `There is no contract at ${ADDRESS}` });
});
