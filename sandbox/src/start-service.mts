import { revertReader } from './abi/revert.mts';
import { BlockTimes } from './chain/block-times.mts';
import type { Chain } from './chain/chain.mts';
import { compileContracts } from './deployment/compile.mts';
import { deployContracts } from './deployment/deploy.mts';
import { seed } from './deployment/seed.mts';
import { TokenReader } from './chain/token-metadata.mts';
import type { SandboxContracts } from './ready.mts';
import type { Service } from './service.mts';
import type { Settings } from './settings.mts';
import { FixedTokens } from './wallets/access-tokens.mts';
import { UserDirectory } from './wallets/directory.mts';
import { GasStation } from './wallets/gas-station.mts';
import { walletAt } from './chain/mnemonic.mts';
import { Sender } from './wallets/sender.mts';
import { USER_RECORDS } from './wallets/users.mts';

/** Number of the wallet that pays for deployments, seeds and gas. */
const BANK_WALLET = 0;

/**
 * Sets up users, wallets and contracts on a chain: deploys missing contracts and seeds a new deployment.
 *
 * @throws Error if the contracts do not compile or the chain refuses them
 */
export async function startService(
	chain: Chain,
	{ history }: Pick<Settings, 'history'>,
): Promise<{ service: Service; contracts: SandboxContracts }> {
	const { provider } = chain;
	const compiled = await compileContracts();
	const readRevert = revertReader(Object.values(compiled).map(({ abi }) => abi));
	const common = { chain, readRevert };
	const bank = new Sender({ ...common, wallet: walletAt(BANK_WALLET) });
	const gasStation = new GasStation(bank);
	const users = new UserDirectory(USER_RECORDS);
	const senders = new Map(
		users.users.map((user) => {
			return [user.id, new Sender({ ...common, wallet: walletAt(user.walletIndex), gasStation })];
		}),
	);
	const senderOf: Service['senderOf'] = ({ id }) => {
		const sender = senders.get(id);
		if (!sender) throw new Error(`User ${id} has no wallet`);
		return sender;
	};
	const { contracts, isNew } = await deployContracts(provider, bank, compiled);
	if (isNew) {
		const wallets = users.users.map((user) => ({ sender: senderOf(user), funds: user.funds }));
		await seed({ bank, wallets, contracts, compiled });
	}
	const service: Service = {
		chain,
		users,
		tokenVerifiers: [new FixedTokens(users.users)],
		senderOf,
		tokens: new TokenReader(provider),
		blockTimes: new BlockTimes(provider),
		readRevert,
		history,
	};
	return { service, contracts };
}
