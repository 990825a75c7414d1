import { parseEther, parseUnits, type HDNodeWallet, type Interface } from 'ethers';
import type { DevelopmentChain } from '../chain/development-chain.mts';
import type { SandboxContracts } from '../ready.mts';
import { sendAndWait } from '../wallets/send-and-wait.mts';
import type { CompiledContract } from './compile.mts';

const BATCH = 'safeBatchTransferFrom';

export interface SeedWallet {
	wallet: HDNodeWallet;
	/** Native coin for the wallet, as a decimal string in whole coins. */
	funds: string;
}

/**
 * Sends every wallet its native coin, then makes transfers of all three token standards between the first
 * five wallets, so that balances and histories are not empty.
 *
 * @param bank the wallet that pays the native coin
 */
export async function seed(options: {
	chain: DevelopmentChain;
	bank: HDNodeWallet;
	wallets: SeedWallet[];
	contracts: SandboxContracts;
	compiled: Record<string, CompiledContract>;
}): Promise<void> {
	const { chain, bank, wallets, contracts, compiled } = options;
	const abiOf = (name: string): Interface => {
		const contract = compiled[name];
		if (!contract) throw new Error(`Contract ${name} was not compiled`);
		return contract.abi;
	};
	const token = abiOf('SandboxToken');
	const art = abiOf('SandboxArt');
	const items = abiOf('SandboxItems');
	const [nelly, rahul, mika, storm, anna] = wallets.map(({ wallet }) => wallet);
	if (!nelly || !rahul || !mika || !storm || !anna) throw new Error('Five wallets are needed');

	for (const { wallet, funds } of wallets) {
		if (funds === '0') continue;
		await sendAndWait(chain, bank, { to: wallet.address, data: '0x', value: parseEther(funds) });
	}

	const { usd, gold } = contracts;
	const dollars = (amount: string) => parseUnits(amount, 6);
	const grains = (amount: string) => parseUnits(amount, 18);
	const calls: [from: HDNodeWallet, to: string, abi: Interface, name: string, args: unknown[]][] = [
		[nelly, usd, token, 'mint', [nelly.address, dollars('2500')]],
		[nelly, gold, token, 'mint', [nelly.address, grains('1000')]],
		[rahul, usd, token, 'mint', [rahul.address, dollars('40.25')]],
		[mika, gold, token, 'mint', [mika.address, 1n]],
		[storm, contracts.art, art, 'mint', [storm.address, 1n]],
		[storm, contracts.art, art, 'mint', [storm.address, 2n]],
		[anna, contracts.items, items, 'mint', [anna.address, 7n, 100n]],
		[anna, contracts.items, items, 'mint', [anna.address, 8n, 5n]],
		[nelly, usd, token, 'transfer', [rahul.address, dollars('125.5')]],
		[nelly, gold, token, 'transfer', [mika.address, grains('12.345678901234567891')]],
		[nelly, gold, token, 'transfer', [anna.address, grains('250')]],
		[rahul, usd, token, 'transfer', [nelly.address, 1n]],
		[storm, contracts.art, art, 'transferFrom', [storm.address, nelly.address, 1n]],
		[
			anna,
			contracts.items,
			items,
			'safeTransferFrom',
			[anna.address, rahul.address, 7n, 10n, '0x'],
		],
		[anna, contracts.items, items, BATCH, [anna.address, nelly.address, [7n, 8n], [3n, 1n], '0x']],
	];
	// Sequentially, so that histories have the same order at every start.
	for (const [from, to, abi, name, args] of calls) {
		await sendAndWait(chain, from, { to, data: abi.encodeFunctionData(name, args), value: 0n });
	}
}
