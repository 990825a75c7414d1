/** Transactions that another program signs with the key of a wallet. */
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { DATABASES, useInstallation } from './support/network-and-service.mts';
import { NEVER, startOrders } from './support/orders.mts';

describe.each(DATABASES)('on %s', (database) => {
	const installed = useInstallation(database, NEVER);

	test('a foreign transaction at a nonce of the wallet closes it once it is final, and reconcile opens it', async () => {
		await using resources = new Resources();
		const orders = await startOrders(resources, installed());
		const { order, look, mine, provider, address, service } = orders;
		const { hash = '' } = await order(1);
		await provider.send('anvil_dropTransaction', [hash]);
		await provider.send('anvil_impersonateAccount', [address]);
		const transaction = { from: address, to: address, value: '0x0', gas: '0x5208' };
		const send = async () => await provider.send('eth_sendTransaction', [transaction]);
		await send();
		await mine(2);
		await orders.asks('eth_getTransactionReceipt', 3);
		expect(await look(hash)).toMatchObject({ status: 'PENDING' });
		expect(await service.run('wallet', 'list')).toMatch(/ open/);
		await mine(70);
		await until(async () => (await look(hash)).status === 'FOREIGN');
		expect(await look(hash)).toMatchObject({ final: true, confirmations: 0 });
		expect(await order(1)).toMatchObject({ code: 200, status: 'FAILED' });
		expect(await order(2)).toMatchObject({ code: 403 });
		expect(await orders.executions(1)).toBe(0);
		// Another one, at a nonce that the service has not used.
		await send();
		await mine();
		const reconcile = async () => await service.run('wallet', 'reconcile', 'LOCAL-0');
		await expect(reconcile()).rejects.toThrow(/not final yet/);
		await mine(70);
		const found = await reconcile();
		expect(found).toMatch(/was closed: Another program signed the transaction \d+ of the wallet/);
		expect(found).toMatch(/key "order 1" never takes place/);
		expect(found).toMatch(/did not sign the transactions with the nonces (\d+) to \1/);
		expect(found).toMatch(/What they spent does not count against the limits/);
		expect(found).toMatch(/is open: 0 writes in no block, next nonce \d+/);
		expect(await order(2)).toMatchObject({ code: 200, status: 'SUCCESS' });
		await orders.untilExecuted(2);
		await expect(service.run('wallet', 'reconcile', 'LOCAL-9')).rejects.toThrow(
			/no user or wallet/,
		);
		expect(await service.run('wallet', 'reconcile', address)).toMatch(/is open/);
	});
});
