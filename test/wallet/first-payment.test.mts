/** From nothing to a payment by n8n, as in docs/service.md, with a chain in another process as the network. */
import { JsonRpcProvider } from 'ethers';
import { importAtStart } from '../../tools/n8n/imports.mts';
import { signInAsOwner } from '../../tools/n8n/owner.mts';
import { startN8n } from '../../tools/n8n/server.mts';
import { Executions } from '../support/n8n/executions.mts';
import { copyPreparedFolder } from '../support/n8n/prepared-folder.mts';
import { contractCall, walletWorkflow } from '../support/n8n/workflow.mts';
import { WITHOUT_EDITOR } from '../support/n8n/workspace.mts';
import { useResources } from '../support/resources.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { InstalledService } from '../../tools/wallet/installed-service.mts';
import { LEDGER, startNetwork } from '../../tools/wallet/network.mts';
import { payloadOf } from './support/payment.mts';

const resources = useResources();
const CREDENTIAL = 'ownService';

test('init, user add, token create, serve; then n8n tests the credential, reads a balance and writes', async () => {
	const network = await resources.use(startNetwork(1));
	const { path: folder } = await resources.use(temporaryFolder('first-payment'));
	const service = await InstalledService.create(folder, [network.rpcUrl]);
	const added = await service.run('user', 'add', 'LOCAL-anna', '--name', 'Anna');
	const address = /0x[0-9a-fA-F]{40}/.exec(added)?.[0] ?? '';
	const accessToken = await service.run('token', 'create', 'LOCAL-anna', '--expires', '90d');
	await network.fund(address);
	await resources.use(service.start());

	const { path: userFolder } = await resources.use(temporaryFolder('n8n'));
	await copyPreparedFolder(userFolder);
	const data = { baseUrl: service.url, accessToken, userId: 'LOCAL-anna' };
	const credential = { id: CREDENTIAL, name: CREDENTIAL, type: 'walletServiceApi', data };
	await importAtStart(userFolder, 'credentials', [credential]);
	const n8n = await resources.use(startN8n(userFolder, 0, WITHOUT_EDITOR));
	const client = await signInAsOwner(n8n);
	const executions = await Executions.of(n8n.url, client);
	const tested = await client.post('/rest/credentials/test', { credentials: credential });
	expect(tested).toMatchObject({ status: 'OK' });

	await client.createWorkflow(
		walletWorkflow(
			'payment',
			CREDENTIAL,
			{
				Balance: { resource: 'balance', operation: 'native', userId: '' },
				Write: contractCall('write', LEDGER, 'pay(bytes32 id)', JSON.stringify([payloadOf(1)])),
			},
			{ behind: { Write: 'Balance' } },
		),
	);
	const execution = await executions.read(await executions.start('payment', 'Start'));
	expect(execution.status).toBe('success');
	const output = JSON.stringify(execution);
	expect(output).toContain('1000');
	const hash = /0x[0-9a-f]{64}/.exec(output.replaceAll(payloadOf(1), ''))?.[0] ?? '';
	const chain = new JsonRpcProvider(network.rpcUrl);
	await chain.waitForTransaction(hash);
	chain.destroy();
	expect(await network.executions(payloadOf(1))).toBe(1);
});
