/** Limits of a day: never exceeded by simultaneous writes, crashes and higher fees, and free again after 24 hours. */
import { setTimeout } from 'node:timers/promises';
import { Contract, parseEther } from 'ethers';
import { freePort } from '../../tools/network/ports.mts';
import { bundled } from '../../tools/process/bundled.mts';
import { walletCommand, type RunningService } from '../../tools/wallet/installed-service.mts';
import { LEDGER } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { deploy } from '../support/deploy.mts';
import { until } from '../support/until.mts';
import { clockAhead } from './support/clock-ahead.mts';
import { dollars, LimitedCaller, native } from './support/limited.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';
import { startOrders } from './support/orders.mts';

const SERVING = 'test/wallet/support/serving.mts';
const STRANGER = `0x${'5'.repeat(40)}`;
const GWEI = 1_000_000_000n;
const HOUR_MS = 3_600_000;

const WRITES = 200;
const LIMIT = 120n;
const STEPS = ['before-commit', 'committed', 'signed', 'sent'];

describe.each(DATABASES)('on %s', (kind) => {
	const installed = useInstallation(kind);

	/** A caller who may send so many base units of a new token in 24 hours. */
	async function payerOf(perDay: bigint) {
		const { network, service, payers } = installed();
		const [{ id = '', address } = {}] = payers;
		const { address: token, contract } = await deploy(network, 'SandboxToken', 'Dollar', 'SUSD', 6);
		await (await contract.getFunction('mint').send(address, 1_000_000n)).wait();
		const amounts = [dollars(token, { perDay: String(perDay) })];
		const limited = await LimitedCaller.create(service, id, { amounts });
		const balance = new Contract(
			token,
			['function balanceOf(address) view returns (uint256)'],
			network.provider,
		);
		return {
			limited,
			pay: async (amount: bigint, key: string, url?: string) => {
				const args = [STRANGER, String(amount)];
				return await limited.write(
					{ address: token, abi: 'transfer(address,uint256)', args },
					key,
					url,
				);
			},
			paid: async (): Promise<bigint> => await balance.getFunction('balanceOf')(STRANGER),
		};
	}

	test(`${WRITES} simultaneous payments at the edge, with kill -9 between, pay the limit and not more`, async () => {
		const { service } = installed();
		const { limited, pay, paid } = await payerOf(LIMIT);
		const ports =
			kind === 'postgres'
				? [new URL(service.url).port, String(await freePort())]
				: [new URL(service.url).port];
		const urls = ports.map((port) => `http://127.0.0.1:${port}/v1`);
		let isDone = false;
		/** Serves until the end, and is killed at each of the steps first. */
		const keepServing = async (port = '') => {
			for (const step of STEPS) {
				const running = await service.start(SERVING, { PORT: port, KILL_AT: step });
				await running.ended;
			}
			const last: RunningService = await service.start(undefined, { PORT: port });
			await until(async () => isDone);
			await last[Symbol.asyncDispose]();
		};
		// Written before the requests below keep this process busy.
		await Promise.all([walletCommand(), bundled('service', SERVING)]);
		const serving = Promise.all(ports.map(keepServing));
		const payUntilDecided = async (number: number): Promise<number> => {
			for (let attempt = 0; ; attempt++) {
				const answer = await pay(
					1n,
					`edge ${number}`,
					urls[(number + attempt) % urls.length],
				).catch(() => undefined);
				const status = answer?.status ?? 0;
				if (status === 200 || status === 403) return status;
				expect([0, 202, 409, 424, 429, 500, 503]).toContain(status);
				await setTimeout(status === 0 ? 1_000 : 200);
			}
		};
		const numbers = Array.from({ length: WRITES }, (_unused, number) => number);
		const told = await Promise.all(numbers.map(payUntilDecided));
		await until(async () => (await paid()) >= LIMIT);
		isDone = true;
		await serving;
		expect(told.filter((status) => status === 200)).toHaveLength(Number(LIMIT));
		expect(await paid()).toBe(LIMIT);
		const spends = await limited.spends();
		expect(spends.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(LIMIT);
	});

	test('what was spent is free again after 24 hours, and not before', async () => {
		const { network, service } = installed();
		const { limited, pay } = await payerOf(100n);
		const serveAt = async (hours: number, work: () => Promise<void>) => {
			await using resources = new Resources();
			await resources.use(service.start(SERVING, { AHEAD_MS: String(hours * HOUR_MS) }));
			await work();
		};
		const refusal = async (amount: bigint, key: string) => (await pay(amount, key)).data.code;
		await serveAt(0, async () => {
			expect((await pay(100n, 'all')).status).toBe(200);
			await network.provider.send('anvil_mine', ['0x80']);
			await until(async () => (await limited.spends())[0]?.state === 'settled');
		});
		await serveAt(23.9, async () => expect(await refusal(1n, 'early')).toBe('limit_exceeded'));
		await serveAt(24.1, async () => {
			expect((await pay(100n, 'next day')).status).toBe(200);
			expect(await refusal(1n, 'too much')).toBe('limit_exceeded');
		});
		// What is not final counts, however old it is.
		await serveAt(72, async () => expect(await refusal(1n, 'open')).toBe('limit_exceeded'));
	});

	test('two processes whose clocks differ by 25 hours count the same day', async () => {
		await using resources = new Resources();
		const { network, service } = installed();
		const { limited, pay, paid } = await payerOf(100n);
		const port = String(await freePort());
		const ahead = `http://127.0.0.1:${port}/v1`;
		await resources.use(service.start());
		await resources.use(
			service.start(undefined, { PORT: port, ...(await clockAhead(resources, 25)) }),
		);
		const settled = async (count: number) => {
			await network.provider.send('anvil_mine', ['0x80']);
			await until(async () => {
				const states = (await limited.spends()).map(({ state }) => state);
				return states.filter((state) => state === 'settled').length === count;
			});
		};
		expect((await pay(40n, 'here')).status).toBe(200);
		await settled(1);
		expect((await pay(40n, 'ahead', ahead)).status).toBe(200);
		await settled(2);
		for (const url of [ahead, undefined]) {
			expect((await pay(40n, `too much at ${url}`, url)).data.code).toBe('limit_exceeded');
		}
		expect(await paid()).toBe(80n);
	});

	test('fees are raised only as far as the limit for native coin allows', async () => {
		const { network, service, payers } = installed();
		const [payer] = payers;
		if (!payer) throw new Error('There is no user');
		await network.provider.send('evm_setAutomine', [false]);
		const raised = async (perDay: bigint, id: number): Promise<number> => {
			const limits = { contracts: [LEDGER.toLowerCase()], functions: ['pay(bytes32)'] };
			const amounts = [native({ perDay: String(perDay) })];
			const { token } = await LimitedCaller.create(service, payer.id, { ...limits, amounts });
			await using resources = new Resources();
			const installation = { network, service, payers: [{ ...payer, token }] };
			const orders = await startOrders(resources, installation, { STUCK_MS: '500' });
			const { order, askFor, asks, attempts, untilExecuted } = orders;
			expect(await order(id)).toMatchObject({ status: 'SUCCESS' });
			const [{ maxFeePerGas: offered } = {}] = await attempts(id);
			await askFor((offered ?? 0n) * 2n);
			await asks('eth_sendRawTransaction', 2);
			const { length } = await attempts(id);
			await askFor(GWEI);
			await untilExecuted(id);
			return length;
		};
		// One transaction costs about 0.00015 of the coin at worst.
		expect(await raised(parseEther('0.0002'), 1)).toBe(1);
		expect(await raised(parseEther('1'), 2)).toBeGreaterThan(1);
	});
});
