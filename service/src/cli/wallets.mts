import { getAddress, isAddress } from 'ethers';
import { countsOf } from '../chain/transaction-counts.mts';
import { connectChain, gasCapsIn, networkFor } from '../identity.mts';
import { Spending } from '../limits/spending.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { GasTooExpensive } from '../rpc/fees.mts';
import type { Database, WalletRow } from '../store/tables.mts';
import { userByAddress, userById, walletById } from '../store/users.mts';
import { foreignWrites, openWallet } from '../store/wallets.mts';
import { openWrites, UNMINED, writeByHash } from '../store/writes.mts';
import { reviveAll } from '../writes/supplanted.mts';
import { Replacement } from '../writes/replacement.mts';
import type { Commands } from './command-line.mts';
import { openHome, unlock } from './open-home.mts';
import { UsageError } from './usage-error.mts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** The wallet of a user, or with an address. */
async function findWallet(db: Database, who: string) {
	const user = isAddress(who) ? await userByAddress(db, getAddress(who)) : await userById(db, who);
	const wallet = user && (await walletById(db, user.wallet_id));
	if (!wallet) throw new UsageError(`There is no user or wallet ${who}`);
	return wallet;
}

/**
 * Number of a wallet's transactions in the chain.
 *
 * @throws UsageError if it is above the next nonce, and a reorganisation could still change it: a gap would remain
 */
async function countOf(
	endpoints: Endpoints,
	{ address, next_nonce: next }: Pick<WalletRow, 'address' | 'next_nonce'>,
	depth: number,
): Promise<number> {
	const { least, most } = await countsOf(endpoints, address);
	if (least !== most) {
		throw new UsageError(
			'The endpoints disagree about the transactions of the wallet: try again later, or name one endpoint in RPC_URL and add --alone',
		);
	}
	if (most <= next) return most;
	const block = `0x${(await endpoints.finalBlock(depth)).toString(16)}`;
	const final = await countsOf(endpoints, address, { block });
	if (final.least === most) return most;
	throw new UsageError('The latest transactions of the wallet are not final yet: try again later');
}

export const commands: Commands = {
	/** Has an empty transaction take the place of a write that is in no block. */
	async 'wallet cancel'(hash, _options, environment) {
		await using open = await openHome(environment);
		const { db, settings } = open;
		const found = await writeByHash(db, hash.toLowerCase());
		if (!found || found.write.nonce === null) {
			throw new UsageError(`The service has no transaction ${hash}`);
		}
		const { write, attempts } = found;
		if (!UNMINED.includes(write.state)) {
			throw new UsageError(`The write is not open any more, but ${write.state}`);
		}
		const [endpoints, signer] = [
			await connectChain(db, settings.rpc),
			await unlock(open, environment),
		];
		const network = networkFor(endpoints.identity.chainId, settings);
		const gasCaps = gasCapsIn(settings, network);
		const replacement = new Replacement({
			db,
			endpoints,
			network,
			gasCaps,
			signer,
			spending: new Spending(),
		});
		const unwanted = { write: { ...write, nonce: found.write.nonce }, attempts };
		const empty = await replacement.cancel(unwanted, UNMINED).catch((error: unknown) => {
			if (error instanceof GasTooExpensive) throw new UsageError(`Not cancelled: ${error.message}`);
			throw error;
		});
		if (!empty) throw new UsageError('The wallet is closed, or the write is in a block by now');
		await endpoints.broadcast(empty.raw, empty.hash);
		print(`The empty transaction ${empty.hash} is to take the place of the write.`);
		print('The running service sends it until one of them is in a block; only that one counts.');
	},

	/** Opens a closed wallet again, and prints what closed it. */
	async 'wallet reconcile'(who, { alone: isAlone = false }, environment) {
		await using open = await openHome(environment);
		const { db, settings } = open;
		const wallet = await findWallet(db, who);
		const { id, address, state, closed_reason: reason, next_nonce: old } = wallet;
		const endpoints = await connectChain(db, settings.rpc, { isAlone });
		const { depth } = networkFor(endpoints.identity.chainId, settings);
		if (isAlone) print('One endpoint alone decides this (--alone)');
		await reviveAll({ db, endpoints });
		const count = await countOf(endpoints, wallet, depth);
		print(state === 'closed' ? `${address} was closed: ${reason}` : `${address} is open`);
		for (const { key, nonce } of await foreignWrites(db, id)) {
			print(`The write under the key ${JSON.stringify(key)} never takes place: nonce ${nonce}`);
		}
		if (count > old) {
			print(`The service did not sign the transactions with the nonces ${old} to ${count - 1}`);
			print('What they spent does not count against the limits of access tokens');
		}
		const next = await openWallet(db, id, count);
		if (next < old) print(`The next nonce was ${old}, which no transaction had reached`);
		const { length } = await openWrites(db, id);
		print(`The wallet is open: ${length} writes in no block, next nonce ${next}`);
	},
};
