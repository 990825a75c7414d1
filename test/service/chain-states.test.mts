/** The chain keeps the states of older blocks in files, which end with it. */
import { readdir } from 'node:fs/promises';
import { toQuantity, JsonRpcProvider } from 'ethers';
import { startAnvil } from '../../sandbox/src/chain/anvil.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { until } from '../support/until.mts';

test('the states of older blocks are removed when the chain ends', async () => {
	await using folder = await temporaryFolder('states');
	const before = process.env.TMPDIR;
	process.env.TMPDIR = folder.path;
	const anvil = await startAnvil();
	if (before === undefined) delete process.env.TMPDIR;
	else process.env.TMPDIR = before;
	const provider = new JsonRpcProvider(anvil.rpcUrl);
	// It keeps no more than about 500 states in memory.
	await provider.send('anvil_mine', [toQuantity(1_000)]);
	const [states = ''] = await readdir(folder.path);
	await until(
		async () => (await readdir(`${folder.path}/${states}`, { recursive: true })).length > 100,
	);
	provider.destroy();
	await anvil.stop();
	expect(await readdir(folder.path)).toEqual([]);
});
