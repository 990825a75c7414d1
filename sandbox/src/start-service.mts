import { parseEther, toQuantity } from 'ethers';
import { revertReader } from '../../service/src/abi/revert.mts';
import { createService } from '../../service/src/create-service.mts';
import { connectChain } from '../../service/src/identity.mts';
import type { Service } from '../../service/src/service.mts';
import { markUsedBefore } from '../../service/src/store/cursors.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import type { Database } from '../../service/src/store/tables.mts';
import { createToken } from '../../service/src/store/tokens.mts';
import { addUser, allUsers, userById, type User } from '../../service/src/store/users.mts';
import type { Loops } from '../../service/src/writes/loops.mts';
import type { DevelopmentChain } from './chain/development-chain.mts';
import { SANDBOX_NETWORK } from './chain/development-chain.mts';
import { walletAt } from './chain/mnemonic.mts';
import { conditions } from './conditions.mts';
import { compileContracts } from './deployment/compile.mts';
import { deployContracts } from './deployment/deploy.mts';
import { seed } from './deployment/seed.mts';
import { LaggingHistory } from './wallets/lagging-history.mts';
import type { SandboxContracts } from './ready.mts';
import type { Settings } from './settings.mts';
import { fixedTokenOf } from './wallets/access-tokens.mts';
import { FatefulWrites } from './wallets/fateful-writes.mts';
import { mnemonicSigner } from './wallets/mnemonic-signer.mts';
import { USER_RECORDS } from './wallets/users.mts';

/** Number of the wallet that pays for deployments and seeds. */
const BANK_WALLET = 0;

/** Amount given beyond what a call lacks, in wei: enough for many calls, so that a wallet is not topped up before each one. */
const GRANT = parseEther('0.01');

/** The network's own limit on a wallet's open writes is far lower; anvil has none. */
const MAX_OPEN = 10_000;

/** The service of the sandbox, and what its test API needs. */
export interface Started {
	service: Service;
	loops: Loops;
	db: Database;
	contracts: SandboxContracts;
	/** The test users, in order. */
	users: User[];
}

/** Adds the test users with their public access tokens. */
async function addTestUsers(db: Database): Promise<User[]> {
	for (const { provider, providerUserId, username, email } of USER_RECORDS) {
		const id = `${provider}-${providerUserId}`;
		if (await userById(db, id)) continue;
		await addUser(db, { id, provider, username, email }, (index) => {
			return mnemonicSigner.addressOf(`seed:${index}`);
		});
		await createToken(db, id, { scopes: ['read', 'write'], token: fixedTokenOf({ id }) });
	}
	return await allUsers(db);
}

/**
 * Sets up contracts and users on a development chain: deploys missing contracts, and seeds a new deployment.
 *
 * @throws Error if the contracts do not compile or the chain refuses them
 */
export async function startService(
	chain: DevelopmentChain,
	settings: Pick<Settings, 'history' | 'startBlock' | 'database' | 'writeKeys'>,
): Promise<Started> {
	const compiled = await compileContracts();
	const bank = walletAt(BANK_WALLET);
	const { contracts, isNew } = await deployContracts(chain, bank, compiled);
	if (isNew) {
		const wallets = USER_RECORDS.map(({ funds }, index) => {
			return { wallet: walletAt(index + 1), funds };
		});
		await seed({ chain, bank, wallets, contracts, compiled });
	}
	const db = await openDatabase(settings.database);
	await connectChain(db, [chain.rpcUrl]);
	const users = await addTestUsers(db);
	await markUsedBefore(db);
	const parts = { db, signer: mnemonicSigner, endpoints: chain.endpoints };
	const {
		service,
		loops,
		preparation,
		history: kept,
	} = createService({
		...parts,
		network: SANDBOX_NETWORK,
		firstBlock: () => settings.startBlock,
		log: (problem, error) => process.stderr.write(`${problem}: ${String(error)}\n`),
		writes: { maxOpen: MAX_OPEN },
		stateTag: 'pending',
		// Tests decide when there is a block, and the hash of a transaction in it.
		stuckMs: Infinity,
		readRevert: revertReader(Object.values(compiled).map(({ abi }) => abi)),
		broadcast: chain.broadcast,
		fund: async (to, shortfall) => {
			const balance = (await chain.provider.getBalance(to)) + GRANT + shortfall;
			await chain.provider.send('anvil_setBalance', [to, toQuantity(balance)]);
		},
	});
	const { chainId } = chain.endpoints.identity;
	const writes = new FatefulWrites(service.writes, { ...parts, preparation, chainId });
	const history = new LaggingHistory(kept, chain.provider, () => {
		return { ...settings.history, ...conditions().history };
	});
	const description = settings.writeKeys
		? service.description
		: { ...service.description, writes: false as const, transactions: false };
	return { service: { ...service, writes, history, description }, loops, db, contracts, users };
}
