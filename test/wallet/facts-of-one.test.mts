/** What the service keeps: no endpoint decides it alone, also while the other one is silent. */
import { id, toBeHex, toQuantity } from 'ethers';
import { LEDGER } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { payloadOf } from './support/payment.mts';
import { installScripted, TOKEN } from './support/scripted-service.mts';

const DECIMALS = id('decimals()').slice(0, 10);
const LONG_AGO = 1_000_000_000;
const isDecimals = (params: unknown[]) => JSON.stringify(params).includes(DECIMALS);

test('decimals that one endpoint says while the other one is silent are asked for again', async () => {
	await using resources = new Resources();
	const { endpoints, payers, get, start } = await installScripted(resources);
	await start();
	const balance = async () => (await get(`/users/${payers[0]?.id}/balance/${TOKEN}`)).data;
	const [liar, silent] = endpoints;
	if (silent) silent.isDead = true;
	liar?.lie('eth_call', ({ params }, honest) =>
		isDecimals(params) ? { result: toBeHex(0, 32) } : honest(),
	);
	expect(await balance()).toMatchObject({ [TOKEN]: { decimals: '0' } });
	liar?.becomeHonest();
	if (silent) silent.isDead = false;
	await until(async () => Object(await balance())[TOKEN]?.formatted === '1000.0');
});

test('a limit is not set with decimals that one endpoint says while the other one is silent', async () => {
	await using resources = new Resources();
	const { endpoints, payers, command, db } = await installScripted(resources);
	const [liar, silent] = endpoints;
	const create = async () =>
		await command('token', 'create', payers[0]?.id ?? '', '--per-day', `10 ${TOKEN}`);
	await create();
	if (silent) silent.isDead = true;
	liar?.lie('eth_call', ({ params }, honest) =>
		isDecimals(params) ? { result: toBeHex(24, 32) } : honest(),
	);
	await expect(create()).rejects.toThrow('Too few endpoints');
	const tokens = await db.selectFrom('tokens').select('limits').execute();
	expect(JSON.stringify(tokens)).not.toContain(String(10n ** 25n));
});

test('the time of a block that one endpoint says while the other one is silent is not told', async () => {
	await using resources = new Resources();
	const { chain, endpoints, get, put, start } = await installScripted(resources);
	await start();
	const pay = { address: LEDGER, abi: 'pay(bytes32)', args: [payloadOf(1)] };
	const { hash } = Object((await put('order', pay)).data);
	const look = async () => Object((await get(`/transactions/${hash}`)).data);
	const [liar, silent] = endpoints;
	silent?.lie('eth_getBlockByHash', () => undefined);
	liar?.lie('eth_getBlockByHash', ({ params: [block] }) => {
		return {
			result: { number: toQuantity(chain.head), hash: block, timestamp: toQuantity(LONG_AGO) },
		};
	});
	chain.mine(2);
	await until(async () => (await look()).minedHash === hash);
	expect((await look()).minedAt).toBeUndefined();
	for (const endpoint of endpoints) endpoint.becomeHonest();
	await until(async () => Date.parse((await look()).minedAt) > LONG_AGO * 1_000);
});

test('a contract that one endpoint shows while the other one is silent is looked for again', async () => {
	await using resources = new Resources();
	const { chain, endpoints, payers, put, start } = await installScripted(resources);
	await start();
	const pay = async (key: string) => {
		const call = { address: payers[0]?.address, abi: 'pay(bytes32)', args: [payloadOf(1)] };
		return (await put(key, call)).data;
	};
	const [liar, silent] = endpoints;
	silent?.lie('eth_getCode', () => undefined);
	liar?.lie('eth_getCode', () => ({ result: '0x60' }));
	expect(await pay('first')).toMatchObject({ status: 'SUCCESS' });
	chain.mine();
	for (const endpoint of endpoints) endpoint.becomeHonest();
	const error = expect.stringContaining('There is no contract');
	expect(await pay('second')).toMatchObject({ status: 'FAILED', error });
});
