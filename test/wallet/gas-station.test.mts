/** The gas station: whom it tops up, how often, and with how much, through two processes and kill -9. */
import axios from 'axios';
import { parseEther } from 'ethers';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { clockAhead } from './support/clock-ahead.mts';
import { stationAmong, STATION } from './support/gas-station.mts';
import { DATABASES } from './support/network-and-service.mts';
import { changeSettings } from './support/settings.mts';

describe.each(DATABASES)('on %s', (kind) => {
	test('two processes top a drained wallet up once in 24 hours, and no wallet that is closed, disabled or full enough', async () => {
		await using resources = new Resources();
		const at = await stationAmong(resources, kind, 4);
		const { others, db, setBalance } = at;
		await setBalance(others[1]?.address ?? '', parseEther(STATION.below));
		await db.updateTable('wallets').set({ state: 'closed' }).where('id', '=', 3).execute();
		await at.service.run('user', 'disable', others[3]?.id ?? '');
		const drain = async () => await setBalance(others[0]?.address ?? '', 0n);
		await at.both(0, async () => {
			await until(async () => (await at.topped()).length > 0);
			await drain();
			await at.rounds(2);
			await at.settle();
			await at.rounds(2);
		});
		await at.both(23.9, async () => {
			await at.rounds(2);
			expect(await at.topped()).toEqual([]);
		});
		await at.both(24.1, async () => {
			await until(async () => (await at.topped()).length > 0);
			await drain();
			await at.rounds(2);
		});
		expect(await at.topped()).toEqual([]);
		const to = { to_address: others[0]?.address };
		expect(await at.writes()).toMatchObject([
			{ ...to, nonce: 0, key: 'gas·LOCAL-1·1' },
			{ ...to, nonce: 1, key: 'gas·LOCAL-1·2' },
		]);
	});

	test('a process whose clock is ahead tops no wallet up again on the same day', async () => {
		await using resources = new Resources();
		const at = await stationAmong(resources, kind, 1);
		for (const env of [{}, await clockAhead(resources, 25), {}]) {
			await using running = new Resources();
			await running.use(at.start(0, env));
			await until(async () => (await at.writes()).length > 0);
			await at.settle();
			await at.setBalance(at.others[0]?.address ?? '', 0n);
			await at.rounds(1);
		}
		expect(await at.writes()).toHaveLength(1);
	});

	test('two processes stay within the budget of 24 hours, gas included', async () => {
		await using resources = new Resources();
		// Two top-ups and their gas.
		const at = await stationAmong(resources, kind, 5, { perDay: '0.11' });
		const serve = async (hours: number, topped: number) =>
			await at.both(hours, async () => {
				await until(async () => (await at.topped()).length >= topped);
				await at.rounds(2);
				await at.settle();
				await at.rounds(2);
				expect(await at.topped()).toHaveLength(topped);
			});
		await serve(0, 2);
		expect(await at.service.run('token', 'limits', 'gas-station')).toMatch(
			/^ETH +0\.11 in 24 hours, 0\.009\d+ left, gas included$/,
		);
		await serve(24.1, 4);
	});

	test.each(['before-commit', 'committed', 'sent'])(
		'killed at "%s", it tops up once',
		async (step) => {
			await using resources = new Resources();
			const at = await stationAmong(resources, kind, 1);
			await (
				await at.start(0, { KILL_AT: step })
			).ended;
			const stored = await at.db.selectFrom('attempts').select('hash').execute();
			expect(stored).toHaveLength(step === 'before-commit' ? 0 : 1);
			await resources.use(at.start());
			await until(async () => (await at.topped()).length === 1);
			await at.rounds(1);
			const [{ hash } = {}, ...more] = await at.db.selectFrom('attempts').select('hash').execute();
			expect(more).toEqual([]);
			if (stored[0]) expect(hash).toBe(stored[0].hash);
			expect(await at.provider.getTransactionCount(at.station.address)).toBe(1);
		},
	);
});

test('its user must exist and its amounts fit together', async () => {
	await using resources = new Resources();
	const { service } = await stationAmong(resources, 'sqlite', 0);
	for (const [settings, line] of [
		[{ user: 'LOCAL-9' }, /The setting "gasStation.user" is wrong: there is no user LOCAL-9$/],
		[{ below: '0.05' }, /The setting "gasStation" is wrong: "below" must be less than "upTo"/],
		[{ below: '0' }, /"below" must be more than 0$/],
		[{ perDay: '0.04' }, /and "perDay" at least as much$/],
		[{ below: '0.0000000000000000001' }, /The setting "gasStation.below" must match pattern/],
		[{ upTo: 0.05 }, /The setting "gasStation.upTo" must be string$/],
		[{ upTo: undefined }, /The setting "gasStation" must have required properties upTo$/],
		[{ daily: '1' }, /There is no setting "gasStation.daily"$/],
	] as const) {
		await changeSettings(service, { gasStation: { ...STATION, ...settings } });
		await expect(service.run('serve')).rejects.toThrow(line);
	}
});

test('an empty station is a problem, a request cannot take its keys, and a disabled one sends nothing', async () => {
	await using resources = new Resources();
	const at = await stationAmong(resources, 'sqlite', 1, { below: '0.04' });
	// Less than what it tops up, but enough for itself.
	await at.setBalance(at.station.address, parseEther('0.03'));
	await using running = new Resources();
	await running.use(at.start());
	expect(await at.service.run('status')).toMatch(
		/Problem +The gas station has less than 0\.05 ETH$/,
	);
	const client = axios.create({ baseURL: at.service.url, validateStatus: () => true });
	expect((await client.get('/readyz')).data.problems).toMatchObject([{ code: 'station_low' }]);
	const authorized = { headers: { authorization: `Bearer ${at.station.token}` } };
	const path = `/v1/writes/${encodeURIComponent('gas·LOCAL-1·1')}`;
	expect((await client.delete(path, authorized)).status).toBe(400);
	await at.rounds(1);
	await at.service.run('user', 'disable', at.station.id);
	await at.setBalance(at.station.address, parseEther('1'));
	// Longer than some rounds, in which it would read no balance.
	await at.service.run('status');
	expect(await at.writes()).toEqual([]);
});
