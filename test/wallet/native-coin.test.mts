/** The symbol of the native coin: of networks that the service does not know, it is unknown until the operator says it. */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import axios from 'axios';
import { networkOf } from '../../service/src/rpc/networks.mts';
import { InstalledService, walletCommand } from '../../tools/wallet/installed-service.mts';
import { startNetwork } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { emptyHome, run } from './support/command-line.mts';
import { changeSettings } from './support/settings.mts';

const MISSING = `The symbol of the network's native coin is not known: set "symbol" in config.json`;

test.each([
	[1, 'ETH'],
	[137, 'POL'],
	[31_337, 'ETH'],
	[1337, 'ETH'],
	[25, 'UNKNOWN'],
	[4_242, 'UNKNOWN'],
])('chain %i has the coin %s', (chainId, symbol) => {
	expect(networkOf(chainId).symbol).toBe(symbol);
});

test('an unknown coin is named at init, at the start, and in no balance by the name of another one', async () => {
	await using resources = new Resources();
	const network = await resources.use(startNetwork(0));
	await network.provider.send('anvil_setChainId', [4_242]);
	const { env } = await emptyHome(resources);
	expect((await run(['init', '--yes', '--rpc', network.rpcUrl], env)).lines).toContain(MISSING);
	const { path } = await resources.use(temporaryFolder('coin'));
	const service = await InstalledService.create(path, [network.rpcUrl]);
	const [{ id = '', token = '' } = {}] = await service.addPayers(1);
	/** The balance that a process reports, and the first line of its log. */
	const served = async () => {
		const child = spawn(process.execPath, [await walletCommand()], {
			env: { ...service.environment, LOG_LEVEL: 'warn' },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const ended = once(child, 'exit');
		let log = '';
		child.stderr.on('data', (part) => (log += String(part)));
		await once(createInterface({ input: child.stdout }), 'line');
		const headers = { authorization: `Bearer ${token}` };
		const { data } = await axios.get(`${service.url}/v1/users/${id}/balance`, { headers });
		child.kill('SIGTERM');
		await ended;
		return { data, log };
	};
	const unknown = await served();
	expect(unknown.data).toMatchObject({
		UNKNOWN: { symbol: 'UNKNOWN', name: 'Native coin of unknown name' },
	});
	expect(unknown.log).toContain(JSON.stringify(MISSING).slice(1, -1));
	await changeSettings(service, { symbol: 'CRO' });
	const { data, log } = await served();
	expect(data).toMatchObject({ CRO: { symbol: 'CRO', name: 'CRO' } });
	expect(log).not.toContain('not known');
});
