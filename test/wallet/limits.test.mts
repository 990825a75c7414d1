/** Limits of access tokens: what they refuse, what counts, and for how long. */
import { Interface, MaxUint256, parseEther } from 'ethers';
import { deploy } from '../support/deploy.mts';
import { until } from '../support/until.mts';
import { useResources } from '../support/resources.mts';
import { dollars, LimitedCaller, native } from './support/limited.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';

const STRANGER = `0x${'5'.repeat(40)}`;
const TRANSFER = 'transfer(address,uint256)';

describe.each(DATABASES)('on %s', (kind) => {
	const installed = useInstallation(kind);
	const resources = useResources();
	let usd: string;

	beforeAll(async () => {
		const { network, service, payers } = installed();
		const { address, contract } = await deploy(
			network,
			'SandboxToken',
			'Sandbox Dollar',
			'SUSD',
			6,
		);
		usd = address;
		await contract.getFunction('mint').send(payers[0]?.address, 10_000_000_000n);
		await resources.use(service.start('test/wallet/support/serving.mts'));
	});

	const caller = async (...limits: Parameters<typeof dollars>[1][]) => {
		const { service, payers } = installed();
		const amounts = limits.map((limit) => dollars(usd, limit));
		return await LimitedCaller.create(service, payers[0]?.id ?? '', { amounts });
	};
	const transfer = (amount: bigint, to = STRANGER) => {
		return { address: usd, abi: TRANSFER, args: [to, String(amount)] };
	};
	const nonce = async () =>
		await installed().network.provider.getTransactionCount(installed().payers[0]?.address ?? '');

	test('an amount beyond the limit of a day is refused, nothing is signed, and a repeat is still answered', async () => {
		const limited = await caller({ perDay: '100' });
		const first = await limited.write(transfer(60n), 'first');
		expect(first).toMatchObject({ status: 200, data: { status: 'SUCCESS' } });
		const before = await nonce();
		const { status, data } = await limited.write(transfer(41n));
		expect({ status, data }).toMatchObject({ status: 403, data: { code: 'limit_exceeded' } });
		expect(data.error).toMatch(
			/: the call needs 0\.000041 SUSD; of 0\.0001 SUSD in 24 hours, 0\.00004 SUSD are left\. Enough/,
		);
		expect(await nonce()).toBe(before);
		expect((await limited.write(transfer(40n), 'second')).status).toBe(200);
		const again = await limited.write(transfer(60n), 'first');
		expect(again).toMatchObject({ status: 200, data: { hash: first.data.hash } });
		expect((await limited.spends()).map(({ amount }) => amount)).toEqual(['60', '40']);
	});

	test('an amount beyond the limit of a call is refused, approvals count, and an unlimited one exceeds all', async () => {
		const limited = await caller({ perCall: '50', perDay: '100' });
		const approve = (amount: bigint) => ({ ...transfer(amount), abi: 'approve(address,uint256)' });
		expect((await limited.write(transfer(51n))).data.error).toMatch(
			/the limit is 0\.00005 SUSD per call/,
		);
		expect((await limited.write(approve(MaxUint256))).status).toBe(403);
		expect((await limited.write(approve(50n))).status).toBe(200);
		expect((await limited.write(transfer(50n))).status).toBe(200);
		expect((await limited.write(transfer(1n))).status).toBe(403);
		// An approval that is taken back moves nothing.
		expect((await limited.write(approve(0n))).status).toBe(200);
	});

	test('a contract that is not listed is not called to approve a token of another one', async () => {
		const { network } = installed();
		const { address } = await deploy(network, 'Hostile');
		const limited = await caller({ perDay: '100' });
		const abi = 'approve(address,address,uint160,uint48)';
		const answer = await limited.write({ address, abi, args: [usd, STRANGER, '0', '0'] });
		expect(answer).toMatchObject({ status: 403, data: { code: 'limit_exceeded' } });
	});

	test('a final write counts its real gas, and a reverted one nothing else', async () => {
		const { network, service, payers } = installed();
		const { provider } = network;
		const { address: hostile, contract } = await deploy(network, 'Hostile');
		const answer = new Interface(['function x() returns (bool)']).encodeFunctionResult('x', [true]);
		await (await contract.getFunction('setAnswer').send('0xa9059cbb', answer)).wait();
		const amounts = [
			native({ perDay: String(parseEther('1')) }),
			dollars(hostile, { perDay: '100' }),
		];
		const limited = await LimitedCaller.create(service, payers[0]?.id ?? '', { amounts });
		const call = { ...transfer(7n), address: hostile };
		const done = await limited.write(call);
		await provider.send('evm_setAutomine', [false]);
		const reverted = await limited.write({ ...call, args: [STRANGER, '5'] });
		// Any call of this code fails.
		await provider.send('anvil_setCode', [hostile, '0xfe']);
		expect((await limited.spends()).map(({ state }) => state)).toEqual(Array(4).fill('reserved'));
		await provider.send('evm_setAutomine', [true]);
		await provider.send('anvil_mine', ['0x80']);
		await until(async () => (await limited.spends()).every(({ state }) => state !== 'reserved'));
		const fees = [done, reverted].map(async ({ data }) => {
			const receipt = await provider.getTransactionReceipt(data.hash);
			return { asset: 'native', amount: String(receipt?.fee), state: 'settled' };
		});
		const token = { asset: hostile.toLowerCase() };
		const spends = await limited.spends();
		expect(spends).toHaveLength(4);
		expect(spends).toEqual(
			expect.arrayContaining([
				...(await Promise.all(fees)),
				{ ...token, amount: '7', state: 'settled' },
				{ ...token, amount: '5', state: 'released' },
			]),
		);
	});
});
