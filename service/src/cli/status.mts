import { parseEther } from 'ethers';
import { connectChain, networkFor } from '../identity.mts';
import { unlisted } from '../store/overview.mts';
import { Watch } from '../operation/watch.mts';
import type { Commands, Run } from './command-line.mts';
import { openHome } from './open-home.mts';

/** Number of open writes that are listed. */
const LISTED = 5;

/** Prints the state of the service, which need not run. */
const status: Run = async (_argument, _options, environment) => {
	await using open = await openHome(environment);
	const { home, settings, db } = open;
	const endpoints = await connectChain(db, settings.rpc);
	const { chainId } = endpoints.identity;
	const network = networkFor(chainId, settings);
	const lowGas = parseEther(settings.lowGas ?? '0');
	const { gasStation } = settings;
	const state = await new Watch({ db, endpoints, network, gasStation, lowGas }).read();
	const { wallets, open: writes, problems } = state;
	const { signed, accepted, mined } = writes.counts;
	const listed = writes.oldest.slice(0, LISTED);
	const rows = [
		['Data', home.folder],
		['Database', settings.database === undefined ? 'SQLite' : 'PostgreSQL'],
		['Network', `${network.name} (chain ${chainId}), block ${endpoints.head}`],
		[
			'Users',
			`${wallets.length}, ${wallets.filter((wallet) => wallet.disabled_at !== null).length} disabled`,
		],
		['Writes', `${signed + accepted} in no block, ${mined} not final`],
		...listed.map((one) => ['', `${one.created_at} ${one.user_id} ${one.key}`]),
		...unlisted(writes, listed.length).map((more) => ['', more]),
		...wallets
			.filter((wallet) => wallet.state === 'closed')
			.map(({ address, closed_reason: reason }) => ['Closed wallet', `${address}: ${reason}`]),
		...problems.map(({ text }) => ['Problem', text]),
	];
	for (const [name = '', value = ''] of rows) process.stdout.write(`${name.padEnd(14)}${value}\n`);
};

export const commands: Commands = { status };
