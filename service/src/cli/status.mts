import { connectChain, networkFor } from '../identity.mts';
import { minedWrites, unminedWrites } from '../store/open-writes.mts';
import { allUsers, allWallets } from '../store/users.mts';
import type { Commands, Run } from './command-line.mts';
import { openHome } from './open-home.mts';

/** Prints the state of the service, which need not run. */
const status: Run = async (_argument, _options, environment) => {
	await using open = await openHome(environment);
	const { home, settings, db } = open;
	const endpoints = await connectChain(db, settings.rpc);
	const { chainId } = endpoints.identity;
	const [users, wallets] = [await allUsers(db), await allWallets(db)];
	const [unmined, mined] = [await unminedWrites(db), await minedWrites(db)];
	const closed = wallets.filter(({ state }) => state === 'closed');
	const rows = [
		['Data', home.folder],
		['Database', settings.database === undefined ? 'SQLite' : 'PostgreSQL'],
		[
			'Network',
			`${networkFor(chainId, settings).name} (chain ${chainId}), block ${endpoints.head}`,
		],
		[
			'Users',
			`${users.length}, ${users.filter((user) => user.disabled_at !== null).length} disabled`,
		],
		['Writes', `${unmined.length} in no block, ${mined.length} not final`],
		...unmined
			.slice(0, 5)
			.map(({ write }) => ['', `${write.created_at} ${write.user_id} ${write.key}`]),
		...closed.map(({ address, closed_reason: reason }) => [
			'Closed wallet',
			`${address}: ${reason}`,
		]),
	];
	for (const [name = '', value = ''] of rows) process.stdout.write(`${name.padEnd(14)}${value}\n`);
};

export const commands: Commands = { status };
