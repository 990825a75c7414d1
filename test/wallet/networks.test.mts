/** Networks and wallets whose transactions need more than gas and a free place. */
import axios from 'axios';
import { toQuantity, parseEther } from 'ethers';
import { InstalledService, type Payer } from '../../tools/wallet/installed-service.mts';
import { LEDGER, startNetwork, type Network } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { payloadOf } from './support/payment.mts';

const OPTIMISM = 10;
const ORACLE = '0x420000000000000000000000000000000000000F';

/** Code that returns one number, whatever is called. */
const returning = (value: bigint): string =>
	`0x7f${value.toString(16).padStart(64, '0')}5f5260205ff3`;

interface Running {
	network: Network;
	payer: Payer;
	pay(number: number): Promise<{ status: number; data: Record<string, unknown> }>;
}

/** Starts a service with one user. @param prepare makes the network what it is */
async function start(
	resources: Resources,
	blockSeconds: number,
	prepare: (network: Network) => Promise<void>,
): Promise<Running> {
	const { path } = await resources.use(temporaryFolder('networks'));
	const network = await resources.use(startNetwork(blockSeconds));
	await prepare(network);
	const service = await InstalledService.create(path, [network.rpcUrl]);
	const [payer] = await service.addPayers(1);
	if (!payer) throw new Error('There is no user');
	await network.fund(payer.address);
	await resources.use(service.start());
	const headers = { authorization: `Bearer ${payer.token}` };
	const client = axios.create({
		baseURL: `${service.url}/v1/writes`,
		headers,
		validateStatus: () => true,
	});
	const pay = async (number: number) =>
		await client.put(`/${number}`, {
			address: LEDGER,
			abi: 'pay(bytes32)',
			args: [payloadOf(number)],
		});
	return { network, payer, pay };
}

test('on a network above another one, a wallet that cannot pay for its place there is refused', async () => {
	await using resources = new Resources();
	const { network, payer, pay } = await start(resources, 0, async ({ provider }) => {
		await provider.send('anvil_setChainId', [OPTIMISM]);
		await provider.send('anvil_setCode', [ORACLE, returning(parseEther('600'))]);
	});
	const setOracle = async (fee: bigint) =>
		await network.provider.send('anvil_setCode', [ORACLE, returning(fee)]);
	const setBalance = async (wei: bigint) =>
		await network.provider.send('anvil_setBalance', [payer.address, toQuantity(wei)]);
	expect((await pay(1)).data).toMatchObject({ error: expect.stringContaining('maxGasCost') });
	await setOracle(parseEther('0.006'));
	await setBalance(parseEther('0.005'));
	const { data } = await pay(1);
	expect(data).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/lacks \d+ wei/) });
	await setOracle(1n);
	await setBalance(parseEther('1'));
	expect((await pay(1)).data).toMatchObject({ status: 'SUCCESS' });
});

test('a wallet that runs the code of a contract has one open write at a time', async () => {
	await using resources = new Resources();
	const { network, payer, pay } = await start(resources, 86_400, async () => undefined);
	const { provider } = network;
	const code = `0xef0100${LEDGER.slice(2)}`;
	await provider.send('anvil_setCode', [payer.address, code]);
	expect((await pay(1)).data).toMatchObject({ status: 'SUCCESS' });
	expect(await pay(2)).toMatchObject({ status: 429, data: { code: 'too_many_open_writes' } });
	await provider.send('anvil_mine', [toQuantity(1)]);
	await provider.send('anvil_setCode', [payer.address, '0x']);
	expect((await pay(2)).data).toMatchObject({ status: 'SUCCESS' });
	expect((await pay(3)).data).toMatchObject({ status: 'SUCCESS' });
});
