/** Reasons of reverts that a database could refuse: contracts choose them. */
import axios from 'axios';
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

const ACCESS = new Interface(['error AccessControlUnauthorizedAccount(address,bytes32)']);
const ROLE = `0x${'12'.repeat(32)}`;

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

	test('a refusal for a role of 32 bytes names no transaction', async () => {
		await using resources = new Resources();
		const { service, provider } = await startOrders(resources, installed());
		const account = installed().payers[0]?.address;
		const data = ACCESS.encodeErrorResult('AccessControlUnauthorizedAccount', [account, ROLE]);
		await provider.send('anvil_setCode', [LEDGER, reverting(data)]);
		const { data: answer } = await axios.put(
			`${service.url}/v1/writes/role`,
			{ address: LEDGER, abi: 'pay(bytes32)', args: [`0x${'1'.repeat(64)}`] },
			{ headers: { authorization: `Bearer ${installed().payers[0]?.token}` } },
		);
		expect(answer).toMatchObject({ status: 'FAILED' });
		expect(answer.error).toContain('neededRole 0x12121212…12121212');
	});
});
