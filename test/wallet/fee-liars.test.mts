/** What endpoints can make a wallet pay for gas: nothing beyond the limits, for any transaction that is signed. */
import axios from 'axios';
import { parseEther, toQuantity, type Transaction } from 'ethers';
import { networkOf } from '../../service/src/rpc/networks.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { ScriptedChain } from './support/scripted-chain.mts';
import type { Lie } from './support/scripted-endpoint.mts';
import { installScripted, TOKEN, type ScriptedOptions } from './support/scripted-service.mts';

const GWEI = 10n ** 9n;
const BERT = `0x${'be'.repeat(20)}`;
const HUGE = toQuantity(10n ** 15n);
const CAPS = { price: undefined, cost: parseEther('0.01') };

const fees: Lie = () => ({ result: { reward: [[HUGE]], baseFeePerGas: [HUGE] } });
const refuses: Lie = () => ({ error: { code: -32000, message: 'the pool is full' } });

async function start(resources: Resources, options: ScriptedOptions = {}) {
	const scripted = await installScripted(resources, options);
	await scripted.start();
	const { chain, endpoints, put, get, run } = scripted;
	const lie = (method: string, how: Lie) => endpoints.forEach((one) => one.lie(method, how));
	return {
		...scripted,
		lie,
		pay: async (key: string): Promise<Record<string, unknown>> => {
			const body = { address: TOKEN, abi: 'transfer(address,uint256)', args: [BERT, '1'] };
			const { status, data } = await put(key, body);
			return { ...Object(data), httpStatus: status };
		},
		look: async (hash: unknown) => Object((await get(`/transactions/${String(hash)}`)).data),
		problems: async () =>
			(await axios.get(`${run().url}/readyz`, { validateStatus: () => true })).data.problems,
		/** What endpoints were sent, in order. */
		sent: (): Transaction[] => [...chain.received.values()],
		becomeHonest: () => endpoints.forEach((one) => one.becomeHonest()),
	};
}

/** A service whose endpoint takes nothing, and whose market changes once a transaction is signed, however late it is given up. */
async function startRefusing(
	resources: Resources,
	change: (at: Awaited<ReturnType<typeof start>>) => void,
	options: ScriptedOptions = {},
) {
	const replaced = {
		...options.replaced,
		ttlMs: 1_000,
		atStep(step: string) {
			if (step === 'signed') change(at);
		},
	};
	const at = await start(resources, { ...options, endpoints: 1, replaced });
	at.lie('eth_sendRawTransaction', refuses);
	return at;
}

/** What a transaction costs at worst, without its value. */
const worstOf = ({ gasLimit, maxFeePerGas, gasPrice }: Transaction): bigint =>
	gasLimit * (maxFeePerGas ?? gasPrice ?? 0n);

test('one endpoint of two that reports a huge price changes no transaction', async () => {
	await using own = new Resources();
	const { endpoints, pay, sent } = await start(own);
	for (const [place, one] of endpoints.entries()) {
		endpoints.forEach((each) => each.becomeHonest());
		one.lie('eth_feeHistory', fees);
		one.lie('eth_gasPrice', () => ({ result: HUGE }));
		one.lie('eth_maxPriorityFeePerGas', () => ({ result: HUGE }));
		expect(await pay(`order ${place}`)).toMatchObject({ status: 'SUCCESS' });
	}
	const prices = sent().map(({ maxFeePerGas, maxPriorityFeePerGas: tip }) => [maxFeePerGas, tip]);
	expect(prices).toEqual(Array(2).fill([3n * GWEI, GWEI]));
});

test('without settings, a huge price is refused with its numbers, and nothing is signed', async () => {
	await using own = new Resources();
	const { db, lie, pay } = await start(own, { endpoints: 1 });
	lie('eth_feeHistory', fees);
	expect(await pay('order')).toMatchObject({
		httpStatus: 424,
		code: 'gas_too_expensive',
		error:
			'A unit of gas costs 1000001.0 gwei; "maxGasCost" allows 333.333333333 gwei for this transaction',
	});
	expect(await db.selectFrom('writes').select('id').execute()).toEqual([]);
});

test('a price ten times as high as in the latest blocks is refused, although the limits allow it', async () => {
	await using own = new Resources();
	const chain = new ScriptedChain();
	const { pay } = await start(own, { chain });
	chain.baseFee = 25n * GWEI;
	chain.mine();
	expect(await pay('order')).toMatchObject({
		httpStatus: 424,
		code: 'gas_too_expensive',
		error: 'A unit of gas costs 26.0 gwei, more than 10 times the 2.0 gwei of the latest blocks',
	});
	chain.mine(20);
	expect(await pay('order')).toMatchObject({ status: 'SUCCESS' });
});

test('giving up waits for the limits for gas, and says so, until the price is true again', async () => {
	await using own = new Resources();
	const raise = ({ lie }: { lie(method: string, how: Lie): void }) => lie('eth_feeHistory', fees);
	const at = await startRefusing(own, raise, { replaced: { gasCaps: CAPS } });
	const { hash } = await at.pay('order');
	await until(async () => (await at.look(hash)).note !== undefined);
	const price = 'A unit of gas costs 1000001.0 gwei; "maxGasCost" allows';
	expect(await at.look(hash)).toMatchObject({
		status: 'PENDING',
		note: expect.stringContaining(`It is to be given up, which waits: ${price}`),
	});
	await until(async () => (await at.problems()).length > 0);
	expect(await at.problems()).toMatchObject([
		{ code: 'giving_up_waits', text: expect.stringContaining(`Giving up waits for 1 write: `) },
	]);
	const stored = at.db.selectFrom('attempts').select('kind');
	expect(await stored.execute()).toEqual([{ kind: 'call' }]);
	at.becomeHonest();
	await until(async () => at.sent().length > 0);
	const [empty] = at.sent();
	expect(empty).toMatchObject({ data: '0x', value: 0n, nonce: 0 });
	expect(worstOf(empty ?? at.chain.send(''))).toBeLessThan(CAPS.cost);
	at.chain.mine();
	await until(async () => (await at.look(hash)).status === 'CANCELLED');
	await until(async () => (await at.problems()).length === 0);
});

const perDay = (amount: string) => ({
	amounts: [
		...[{ asset: 'native', kind: 'native' as const, decimals: 18, symbol: 'ETH', perDay: amount }],
		{ asset: TOKEN, kind: 'erc20' as const, decimals: 6, symbol: 'USDX' },
	],
});

test('giving up waits for the limits of the token, which count the empty transaction', async () => {
	await using own = new Resources();
	const limits = perDay(String(parseEther('0.0002')));
	const raise = ({ chain }: { chain: ScriptedChain }) => {
		chain.baseFee = 10n * GWEI;
		chain.mine(20);
	};
	const at = await startRefusing(own, raise, { limits });
	// 60,000 gas for 3 gwei, of which an empty one for 21 gwei is more than the limit.
	const { hash } = await at.pay('order');
	await until(async () => (await at.look(hash)).note !== undefined);
	expect((await at.look(hash)).note).toMatch(
		/The limits of the access token do not allow its cost$/,
	);
	at.chain.baseFee = GWEI;
	at.chain.mine(20);
	at.becomeHonest();
	await until(async () => at.sent().length > 0);
});

test('fees are raised with the market, and never beyond the limits', async () => {
	await using own = new Resources();
	const at = await start(own, { replaced: { stuckMs: 500, gasCaps: CAPS } });
	await at.pay('order');
	at.chain.isHeld = () => true;
	at.chain.baseFee = 8n * GWEI;
	at.chain.mine(20);
	await until(async () => at.sent().length > 1);
	expect(at.sent().at(-1)).toMatchObject({ maxFeePerGas: 17n * GWEI });
	at.lie('eth_feeHistory', fees);
	at.lie('eth_getBlockByNumber', (_request, honest) => {
		const block = Object(Object(honest()).result);
		return { result: { ...block, baseFeePerGas: HUGE } };
	});
	const before = at.endpoints[0]?.asked.get('eth_feeHistory') ?? 0;
	await until(async () => (at.endpoints[0]?.asked.get('eth_feeHistory') ?? 0) > before + 3);
	for (const one of at.sent()) expect(worstOf(one)).toBeLessThanOrEqual(CAPS.cost);
	at.becomeHonest();
	at.chain.isHeld = () => false;
	await until(async () => {
		at.chain.mine();
		return at.chain.countAt(at.payers[0]?.address ?? '') === 1;
	});
});

test('what a lie made too cheap is raised once the endpoints are honest', async () => {
	await using own = new Resources();
	const at = await start(own, { replaced: { stuckMs: 500 } });
	const [one] = at.endpoints;
	one?.lie('eth_feeHistory', () => ({ result: { reward: [['0x1']], baseFeePerGas: ['0x1'] } }));
	one?.lie('eth_getBlockByNumber', (_request, honest) => {
		const block = Object(Object(honest()).result);
		return { result: { ...block, baseFeePerGas: '0x1' } };
	});
	await at.pay('order');
	expect(at.sent()).toMatchObject([{ maxFeePerGas: 3n }]);
	at.becomeHonest();
	await until(async () => {
		at.chain.mine();
		return at.chain.countAt(at.payers[0]?.address ?? '') === 1;
	});
});

test('the fee for the data counts when fees are raised, too', async () => {
	await using own = new Resources();
	const chain = new ScriptedChain();
	const network = { ...networkOf(chain.chainId), dataFee: 'scroll' as const };
	const at = await start(own, { chain, replaced: { stuckMs: 500, gasCaps: CAPS, network } });
	let dataFee = 0n;
	const oracle = '0x5300000000000000000000000000000000000002';
	chain.answerCall(oracle, '0x49948e0e', () => `0x${dataFee.toString(16).padStart(64, '0')}`);
	chain.isHeld = () => true;
	await at.pay('order');
	dataFee = CAPS.cost - parseEther('0.0005');
	chain.baseFee = 8n * GWEI;
	chain.mine(20);
	const asks = () => at.endpoints[0]?.asked.get('eth_call') ?? 0;
	const before = asks();
	await until(async () => asks() > before + 2);
	expect(at.sent()).toHaveLength(1);
	dataFee = CAPS.cost / 2n;
	await until(async () => at.sent().length > 1);
	expect(worstOf(at.sent()[1] ?? chain.send(''))).toBeLessThanOrEqual(CAPS.cost / 2n);
});

test.each([
	['effectiveGasPrice', HUGE],
	['gasUsed', HUGE],
	['l1Fee', HUGE],
])('an odd %s uses up no more of a limit than was signed', async (field, value) => {
	await using own = new Resources();
	const limits = perDay(String(parseEther('1')));
	const at = await start(own, { depth: 2, limits });
	at.lie('eth_getTransactionReceipt', (_request, honest) => {
		const receipt = Object(honest()).result;
		return { result: receipt && { ...receipt, [field]: value } };
	});
	const { hash } = await at.pay('order');
	at.chain.mine(3);
	await until(async () => (await at.look(hash)).final === true);
	const { token } = Object((await at.get('/service')).data);
	const used = parseEther('1') - BigInt(token.amounts[0].left);
	const [signed] = at.sent();
	expect(used).toBeGreaterThan(0n);
	expect(used).toBeLessThanOrEqual(signed ? worstOf(signed) : 0n);
});
