import { MaxUint256 } from 'ethers';
import { useService } from '../support/sandbox/service.mts';

const sandbox = useService();

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

test.each<[field: string, abi: string, args: unknown]>([
	['abi', '', []],
	['abi', 'echoUint', ['1']],
	['abi', 'echoUint(uint257)', ['1']],
	['abi', 'echoUint(uint256) view returns', ['1']],
	['abi', 'event Transfer(address)', []],
	['abi', 'echoUint(fixed128x18)', ['1']],
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
	const { status, data } = await post(body, 'application/json');
	expect(status).toBe(400);
	expect(data).toMatchObject({ code: 'invalid_request', field });
});

test('a body of another content type is refused in the same shape', async () => {
	const { status, data } = await post('<x/>', 'application/xml');
	expect(status).toBe(415);
	expect(data).toEqual({ status: 'FAILED', error: expect.any(String), code: 'request_refused' });
});
