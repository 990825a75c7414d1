/** Reasons of reverts that a database could refuse: contracts choose them. */
import { Interface } from 'ethers';
import { LEDGER } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';
import { NEVER, startOrders } from './support/orders.mts';

/** Code that reverts with the data behind it. */
const reverting = (data: string): string => {
	const length = ((data.length - 2) / 2).toString(16).padStart(2, '0');
	return `0x60${length}600c60003960${length}6000fd${data.slice(2)}`;
};

// As of a bytes32 that a contract turns into a text.
const padded = new Interface(['error Error(string)']).encodeErrorResult('Error', [
	'Payments are paused'.padEnd(32, '\0'),
]);

describe.each(DATABASES)('on %s', (kind) => {
	const installed = useInstallation(kind, NEVER);

	test('a reason that is padded with zeros is told without them', async () => {
		await using resources = new Resources();
		const { order, look, mine, provider } = await startOrders(resources, installed());
		const { hash = '' } = await order(1);
		await provider.send('anvil_setCode', [LEDGER, reverting(padded)]);
		await mine(1);
		await until(async () => (await look(hash)).status === 'REVERTED');
		expect((await look(hash)).revertReason).toBe('Payments are paused');
	});
});
