/** Calls that depend on a transaction which is in no block yet. */
import axios from 'axios';
import { Interface } from 'ethers';
import { connectTo } from '../../sandbox/src/chain/development-chain.mts';
import { walletAt } from '../../sandbox/src/chain/mnemonic.mts';
import { compileContracts } from '../../sandbox/src/deployment/compile.mts';
import { deployContracts } from '../../sandbox/src/deployment/deploy.mts';
import { sendAndWait } from '../../sandbox/src/wallets/send-and-wait.mts';
import { Resources } from '../support/resources.mts';
import { useInstallation } from './support/network-and-service.mts';

const BLOCK_SECONDS = 2;
const installed = useInstallation('sqlite');
const token = new Interface(['function mint(address to, uint256 amount)']);

test('a payment may directly follow its approval', async () => {
	const { network, service, payers } = installed();
	const [payer] = payers;
	if (!payer) throw new Error('There is no user');
	const chain = await connectTo(network.rpcUrl);
	const bank = walletAt(0);
	const { contracts } = await deployContracts(chain, bank, await compileContracts());
	const { usd, payouts } = contracts;
	const data = token.encodeFunctionData('mint', [payer.address, 100n]);
	await sendAndWait(chain, bank, { to: usd, data, value: 0n });
	await chain.stop();
	await network.provider.send('evm_setIntervalMining', [BLOCK_SECONDS]);
	await using resources = new Resources();
	await resources.use(service.start());
	const client = axios.create({
		baseURL: `${service.url}/v1`,
		headers: { authorization: `Bearer ${payer.token}` },
		validateStatus: () => true,
	});
	const approve = { address: usd, abi: 'approve(address,uint256)', args: [payouts, '14'] };
	const pay = {
		address: payouts,
		abi: 'payTwice(address,address,uint256)',
		args: [usd, bank.address, '7'],
	};
	expect((await client.put('/writes/approve', approve)).data.status).toBe('SUCCESS');
	expect((await client.put('/writes/pay', pay)).data).toMatchObject({ status: 'SUCCESS' });
	// Without an open write, a call that reverts is refused at once.
	const refused = await client.put('/writes/too-much', { ...pay, args: [usd, bank.address, '70'] });
	expect(refused.data).toMatchObject({ status: 'FAILED' });
});
