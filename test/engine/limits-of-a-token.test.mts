/** An access token with limits of the service: how a refused write ends. */
import { InstalledService } from '../../tools/wallet/installed-service.mts';
import { startNetwork } from '../../tools/wallet/network.mts';
import { deploy } from '../support/deploy.mts';
import { inTests, useResources } from '../support/resources.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { useNode } from './support/use-node.mts';

const STRANGER = `0x${'5'.repeat(40)}`;

const resources = useResources();
const world = inTests(beforeAll, async () => {
	const network = await resources.use(startNetwork(0));
	const { path } = await resources.use(temporaryFolder('limited'));
	const service = await InstalledService.create(path, [network.rpcUrl]);
	const [payer] = await service.addPayers(1);
	if (!payer) throw new Error('There is no user');
	await network.fund(payer.address);
	const { address: token, contract } = await deploy(network, 'SandboxToken', 'Dollar', 'SUSD', 6);
	await (await contract.getFunction('mint').send(payer.address, 10n ** 9n)).wait();
	const limits = [
		'--per-day',
		`250 ${token}`,
		'--per-day',
		'0.4 native',
		'--per-call',
		`30 ${token}`,
	];
	const accessToken = await service.run('token', 'create', payer.id, ...limits);
	await resources.use(service.start());
	const common = { baseUrl: service.url, userId: payer.id };
	return { token, credential: { ...common, accessToken } };
});
const node = useNode(() => ({
	credential: () => ({ ...world().credential, allowWrites: true }),
}));

const send = (amount: string) => {
	return {
		resource: 'token',
		operation: 'send',
		token: world().token,
		recipient: STRANGER,
		amount,
	};
};

test('a write beyond a limit is refused in the words of the service', async () => {
	await node.items(send('20'));
	const { error } = await node.run(send('31'));
	expect(error?.context?.details).toMatchObject({ outcome: 'refused', code: 'forbidden' });
	expect(error?.message).toMatch(/the call needs 31 SUSD; the limit is 30 SUSD per call/);
});
