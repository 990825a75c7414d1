/** Native coin that a gas station must not send, whoever empties wallets and whatever changes meanwhile. */
import { parseEther } from 'ethers';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { FULL, stationAmong, STATION } from './support/gas-station.mts';
import { changeSettings } from './support/settings.mts';

test('another user as the station gives none of its wallets a second top-up in 24 hours', async () => {
	await using resources = new Resources();
	const at = await stationAmong(resources, 'sqlite', 3);
	await at.setBalance(at.others[0]?.address ?? '', parseEther('2'));
	for (const user of ['LOCAL-0', 'LOCAL-1', 'LOCAL-0']) {
		await changeSettings(at.service, { gasStation: { ...STATION, user } });
		await using running = new Resources();
		await running.use(at.start());
		await at.rounds(1);
		await at.settle();
		await at.rounds(1);
		for (const { address } of at.others.slice(1)) await at.setBalance(address, 0n);
	}
	expect(await at.writes()).toHaveLength(2);
});

test('who empties a wallet does not keep the station from others', async () => {
	await using resources = new Resources();
	const at = await stationAmong(resources, 'sqlite', 2);
	const [drained = '', other = ''] = at.others.map(({ address }) => address);
	await at.setBalance(other, FULL);
	await resources.use(at.start());
	await until(async () => (await at.topped()).length === 2);
	await at.settle();
	await at.setBalance(at.station.address, FULL + FULL / 2n);
	await at.setBalance(drained, 0n);
	await at.setBalance(other, 0n);
	await at.rounds(1);
	expect(await at.topped()).toEqual([1]);
});

test.each(['the station is disabled', 'it is full', 'it is closed', 'its user is disabled'])(
	'a wallet gets nothing if %s after its balance was read',
	async (how) => {
		await using resources = new Resources();
		const at = await stationAmong(resources, 'sqlite', 2);
		const { db, others, station, service } = at;
		const [, { id = '', address = '' } = {}] = others;
		at.beforeFirst(async () => {
			if (how === 'it is full') return await at.setBalance(address, FULL);
			if (how !== 'it is closed')
				return await service.run(
					'user',
					'disable',
					how === 'its user is disabled' ? id : station.id,
				);
			const closed = db.updateTable('wallets').set({ state: 'closed' });
			return await closed.where('address', '=', address).execute();
		});
		await resources.use(at.start());
		await until(async () => (await at.topped()).includes(0));
		await service.run('status');
		expect(await at.writes()).toMatchObject([{ to_address: others[0]?.address }]);
	},
);

test('a wallet that runs the code of a contract gets nothing', async () => {
	await using resources = new Resources();
	const at = await stationAmong(resources, 'sqlite', 2);
	// Takes every call.
	await at.provider.send('anvil_setCode', [at.others[0]?.address, '0x00']);
	await resources.use(at.start());
	await until(async () => (await at.topped()).includes(1));
	await at.rounds(1);
	expect(await at.writes()).toMatchObject([{ to_address: at.others[1]?.address }]);
});
