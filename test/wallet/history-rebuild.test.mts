/** A history that was damaged is read again by a command, and endpoints that disagree are reported. */
import axios from 'axios';
import type { Payer } from '../../tools/wallet/installed-service.mts';
import { InstalledService } from '../../tools/wallet/installed-service.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { Resources, inTests, useResources } from '../support/resources.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { until } from '../support/until.mts';
import { DATABASES, useDatabases } from './support/network-and-service.mts';
import { ScriptedChain } from './support/scripted-chain.mts';
import { ScriptedEndpoint } from './support/scripted-endpoint.mts';
import { deployToken } from './support/scripted-token.mts';
import { transferCall } from './support/scripted-transfer.mts';

const COIN = `0x${'c0'.repeat(20)}`;
const PAYER = `0x${'9a'.repeat(32)}`;
const DEPTH = 12;

describe.each(DATABASES)('on %s', (kind) => {
	const resources = useResources();
	const newDatabase = useDatabases(kind);
	const started = inTests(beforeAll, async () => {
		const chain = new ScriptedChain();
		deployToken(chain, { address: COIN, decimals: 0, symbol: 'COIN', minted: {} });
		const endpoints = await Promise.all(
			[chain, chain].map((one) => resources.use(ScriptedEndpoint.start(one))),
		);
		const { path: folder } = await resources.use(temporaryFolder('service'));
		const url = kind === 'sqlite' ? undefined : await newDatabase();
		const rpcUrls = endpoints.map((endpoint) => endpoint.url);
		const service = await InstalledService.create(folder, rpcUrls, url);
		await service.weakenKeyFile();
		const [payer] = await service.addPayers(1);
		if (!payer) throw new Error('There is no user');
		return { chain, endpoints, service, payer };
	});

	const pay = (amount: bigint) => {
		const { chain, payer } = started();
		chain.signElsewhere(PAYER, { to: COIN, data: transferCall(payer.address, amount) });
		chain.mine();
	};
	const client = (path: string, { token }: Payer) =>
		axios.get(`${started().service.url}${path}`, {
			headers: { authorization: `Bearer ${token}` },
			validateStatus: () => true,
		});
	const history = async () => await client('/v1/users/LOCAL-0/history', started().payer);
	const amounts = async () =>
		[(await history()).data]
			.flat()
			.map(({ amount }) => Number(amount?.valueBn?.value ?? amount?.formatted));
	const problems = async () =>
		(await client('/readyz', started().payer)).data.problems.map(
			({ code }: { code: string }) => code,
		);

	/** Takes a transfer away, and adds one that there never was. */
	async function damage(): Promise<void> {
		const { service } = started();
		const db = await openDatabase(service.database);
		const [first, second] = await db.selectFrom('transfers').selectAll().orderBy('block').execute();
		if (!first || !second) throw new Error('There are no transfers');
		await db.deleteFrom('transfers').where('hash', '=', first.hash).execute();
		const invented = { ...second, hash: `0x${'1e'.repeat(32)}`, value: '999' };
		await db.insertInto('transfers').values(invented).execute();
		await db.updateTable('transfers').set({ time: 7 }).where('hash', '=', second.hash).execute();
		await db.destroy();
	}
	const stored = async () => {
		const db = await openDatabase(started().service.database);
		const rows = await db
			.selectFrom('transfers')
			.select(['value', 'time'])
			.orderBy('block')
			.execute();
		await db.destroy();
		return rows.map(({ value, time }) => [value, Number(time) > 1_000]);
	};
	const rebuild = async (...args: string[]) => {
		const { service } = started();
		const ended = service.run('history', 'rebuild', ...args);
		return await ended.catch((error: { stderr?: string }) => `FAILED: ${error.stderr}`);
	};

	test('there is nothing to read again before the service has run', async () => {
		expect(await rebuild()).toBe(
			'FAILED: There is no history yet: it is read when the service runs',
		);
	});

	test('it is read again while the service runs, and without it', async () => {
		const { chain, service } = started();
		for (const amount of [1n, 2n, 3n]) pay(amount);
		chain.mine(2 * DEPTH);
		await using own = new Resources();
		const running = await own.use(service.start());
		await until(async () => (await history()).status === 200 && (await amounts()).length === 3);
		expect(await rebuild('--from', 'x')).toBe('FAILED: "x" is not the number of a block');
		expect(await rebuild('--from', '99999')).toMatch(
			/^FAILED: Block 99999 is not final in the history: the last one is \d+$/,
		);
		await damage();
		expect((await amounts()).sort()).toEqual([2, 3, 999]);
		expect(await rebuild()).toMatch(
			/^The history is read again from block 1 to \d+\nTransfers from there on: 3 before, 3 now$/,
		);
		expect(await amounts()).toEqual([3, 2, 1]);
		await running[Symbol.asyncDispose]();
		await damage();
		expect(await rebuild('--from', '41')).toMatch(/^The history is read again from block 41 to/);
		expect(await stored()).toEqual([
			['2', true],
			['3', true],
		]);
		expect(await rebuild('--from', '40')).toMatch(/2 before, 3 now$/);
		expect(await stored()).toEqual([
			['1', true],
			['2', true],
			['3', true],
		]);
	});

	test('while the endpoints disagree, histories are not answered, and readiness names the block', async () => {
		const { chain, endpoints, service } = started();
		await using own = new Resources();
		await own.use(service.start());
		await until(async () => (await history()).status === 200);
		for (const method of ['eth_getLogs', 'eth_getBlockReceipts']) {
			endpoints[1]?.lie(method, () => ({ result: [] }));
		}
		endpoints[1]?.lie('eth_getTransactionReceipt', (_request, honest) => {
			const answer = honest();
			return 'result' in answer && answer.result
				? { result: { ...Object(answer.result), logs: [] } }
				: answer;
		});
		pay(4n);
		chain.mine(2 * DEPTH);
		await until(async () => (await problems()).includes('history_unconfirmed'));
		const { status, data } = await history();
		expect({ status, data }).toMatchObject({ status: 503, data: { code: 'history_not_read' } });
		expect(data.error).toMatch(/list different transfers/);
		expect(await rebuild()).toMatch(
			/^FAILED: The endpoints list different transfers in block 40; .*\. It is read up to block 39$/,
		);
		endpoints[1]?.becomeHonest();
		await until(async () => (await history()).status === 200);
		await until(async () => (await amounts()).length === 4);
		expect(await amounts()).toEqual([4, 3, 2, 1]);
		await until(async () => (await problems()).length === 0);
	});
});
