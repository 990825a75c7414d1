import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Interface } from 'ethers';
import { connectTo } from '../../sandbox/src/chain/development-chain.mts';
import { walletAt } from '../../sandbox/src/chain/mnemonic.mts';
import { compileContracts } from '../../sandbox/src/deployment/compile.mts';
import { deployContracts } from '../../sandbox/src/deployment/deploy.mts';
import { sendAndWait } from '../../sandbox/src/wallets/send-and-wait.mts';
import type { Browser } from '../editor/browser.mts';
import { Editor } from '../editor/editor.mts';
import { importAtStart } from '../n8n/imports.mts';
import { signInAsOwner } from '../n8n/owner.mts';
import { prepareFolder } from '../n8n/folder.mts';
import { startN8n } from '../n8n/server.mts';
import { InstalledService } from '../wallet/installed-service.mts';
import { startNetwork } from '../wallet/network.mts';
import { begin, SCALE, type Picture } from './steps.mts';

const CREDENTIAL = 'ownService000001';

/** Gives a wallet 100 units of a test token on a chain. */
async function giveTokens(rpcUrl: string, wallet: string): Promise<void> {
	const chain = await connectTo(rpcUrl);
	const bank = walletAt(0);
	const { contracts } = await deployContracts(chain, bank, await compileContracts());
	const token = new Interface(['function mint(address to, uint256 amount)']);
	const data = token.encodeFunctionData('mint', [wallet, 100_000_000n]);
	await sendAndWait(chain, bank, { to: contracts.usd, data, value: 0n });
	await chain.stop();
}

/** Takes the pictures of n8n with a wallet service that a person runs, set up as the page about it describes. */
export async function takeOwnServicePictures(browser: Browser, picture: Picture): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), 'wallet-service-own-'));
	await using network = await startNetwork(0);
	const service = await InstalledService.create(folder.path, [network.rpcUrl]);
	const added = await service.run('user', 'add', 'LOCAL-anna', '--name', 'Anna');
	await service.run('user', 'add', 'LOCAL-ben', '--name', 'Ben');
	const accessToken = await service.run('token', 'create', 'LOCAL-anna', '--expires', '90d');
	const address = /0x[0-9a-fA-F]{40}/.exec(added)?.[0] ?? '';
	await network.fund(address);
	await giveTokens(network.rpcUrl, address);
	await using running = new AsyncDisposableStack();
	running.use(await service.start());

	const userFolder = join(folder.path, 'n8n');
	await prepareFolder(userFolder);
	const data = { baseUrl: service.url, accessToken, userId: 'LOCAL-anna' };
	const credential = { id: CREDENTIAL, name: 'Our wallet service', type: 'walletServiceApi', data };
	await importAtStart(userFolder, 'credentials', [credential]);
	await using n8n = await startN8n(userFolder);
	await signInAsOwner(n8n);
	const editor = await Editor.signIn(browser, n8n, SCALE);

	await editor.openCredential(CREDENTIAL);
	await editor.page.getByText('Connection tested successfully').waitFor();
	await picture(editor, 'own-service-credential');
	await editor.goTo('/home/workflows');
	await begin(editor, 'check balance', 'Get native coin balance');
	await editor.executeStep();
	await picture(editor, 'own-service-balance');
	await begin(editor, 'send money', 'Send tokens');
	await editor.openTokens();
	await editor.chooseToken('SUSD');
	await editor.fillIn('recipient', 'LOCAL-ben');
	await editor.fillIn('amount', '12.5');
	await editor.executeStep();
	await picture(editor, 'own-service-send');
}
