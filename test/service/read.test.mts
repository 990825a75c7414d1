/** Reads of contracts: every type of argument and answer, and refused calls, whose errors name the invalid field. */
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
	// `any-type.test.mts` covers values of all other types and forms.
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
	['echoString(string) view returns (string)', [ODD_TEXT], ODD_TEXT],
	['echoString(string) view returns (string)', [''], ''],
	['echoBytes4(bytes4) view returns (bytes4)', ['0xDEADBEEF'], '0xdeadbeef'],
	['echoLevel(uint8) view returns (uint8)', ['2'], big('0x02')],
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
	// Several return values, or none.
	[
		'summary() view returns (uint256 count, string name, bool open, address self)',
		[],
		[big('0x03'), 'Shapes', true, expect.stringMatching(/^0x/)],
	],
	['nothing() view', [], []],
	// Overloads are distinguished by their parameter types.
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
	const { data } = await sandbox().read('Nelly', 'shapes', 'a()', [], { address: ADDRESS });
	expect(data).toEqual({ status: 'FAILED', error: `There is no contract at ${ADDRESS}` });
});

test.each<[field: string, abi: string, args: unknown]>([
	['abi', '', []],
	['abi', 'echoUint', ['1']],
	['abi', 'echoUint(uint257)', ['1']],
	['abi', 'echoUint(uint256) view returns', ['1']],
	['abi', 'event Transfer(address)', []],
	['abi', 'echoUint(fixed128x18)', ['1']],
	// Such signatures would occupy the service for seconds.
	['abi', 'echoUint(uint256) view returns (uint256[5000000])', ['1']],
	['abi', 'echoUint(uint256) view returns ((uint8[200],uint8)[200][])', ['1']],
	['abi', `echoUint(uint256) view returns (${'('.repeat(900)}uint8${')'.repeat(900)})`, ['1']],
	['abi', `echoUint(uint256) view returns (uint8${'[1]'.repeat(4000)})`, ['1']],
	['abi', 'echoUint(uint256) view returns (()[1000][])', ['1']],
	['abi', 'echoUint(uint256) view returns ((uint8,uint8[0])[])', ['1']],
	['args', 'echoUint(uint256)', []],
	['args', 'echoUint(uint256)', ['1', '2']],
	['args', 'echoUint(uint256)', 'x'],
	['args[0]', 'echoUint(uint256)', [1]],
	['args[0]', 'echoUint(uint256)', ['']],
	['args[0]', 'echoUint(uint256)', ['1.5']],
	['args[0]', 'echoUint(uint256)', ['1e3']],
	['args[0]', 'echoUint(uint256)', ['-1']],
	['args[0]', 'echoUint(uint256)', [(MaxUint256 + 1n).toString()]],
	['args[0]', 'echoBool(bool)', ['yes']],
	['args[0]', 'echoAddress(address)', ['0x12']],
	['args[0]', 'echoAddress(address)', [ADDRESS.replace('C51812dc', 'c51812dc')]],
	['args[0]', 'echoBytes(bytes)', ['0x123']],
	['args[0]', 'echoBytes(bytes)', ['text']],
	['args[0]', 'echoBytes4(bytes4)', ['0x00']],
	['args[0]', 'echoList(uint256[])', ['1']],
	['args[0]', 'echoList(uint256[])', ['[1']],
	['args[0]', 'echoList(uint256[])', ['{"0":1}']],
	['args[0][1]', 'echoList(uint256[])', ['[1,1.5]']],
	['args[0]', 'echoTriple(int64[3])', ['[1,2]']],
	['args[0][0]', 'echoTexts(string[])', ['[1]']],
	['args[0]', 'echoPoint((int256 x,int256 y))', ['[1]']],
	['args[0]', 'echoPoint((int256 x,int256 y))', ['{"x":1}']],
	['args[0]', 'echoPoint((int256 x,int256 y))', ['{"x":1,"y":2,"z":3}']],
	['args[0].y', 'echoPoint((int256 x,int256 y))', ['{"x":1,"y":true}']],
	['args[1][0].a', 'anything(bool,(uint8 a)[])', ['true', '[{"a":"x"}]']],
])('%s is named when wrong: %s with %j', async (field, abi, args) => {
	const { status, data } = await sandbox().read('Nelly', 'shapes', abi, args);
	expect(status).toBe(400);
	const error = expect.any(String);
	expect(data).toEqual({ status: 'FAILED', error, code: 'invalid_request', field });
});

async function post(body: unknown, contentType: string) {
	const options = { headers: { 'Content-Type': contentType } };
	return await sandbox().as('Nelly').post('/v1/contracts/method/read', body, options);
}

test.each<[field: string, body: unknown]>([
	['address', { abi: 'a()' }],
	['abi', { address: ADDRESS }],
	['address', { address: 1, abi: 'a()' }],
	['address', { address: '0x', abi: 'a()' }],
	['network', { address: ADDRESS, abi: 'a()', network: 'sandbox' }],
	['body', []],
	['body', '{"broken'],
	['body', undefined],
])('%s is named when the body is %j', async (field, body) => {
	const data = { code: 'invalid_request', field };
	expect(await post(body, 'application/json')).toMatchObject({ status: 400, data });
});

test('a body of another content type is refused in the same shape', async () => {
	const { status, data } = await post('<x/>', 'application/xml');
	expect(status).toBe(415);
	expect(data).toEqual({ status: 'FAILED', error: expect.any(String), code: 'request_refused' });
});
