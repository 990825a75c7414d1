import { parseEther, parseUnits, type Interface } from 'ethers';
import type { SandboxContracts } from '../ready.mts';
import type { Sender, SentTransaction } from '../wallets/sender.mts';
import type { CompiledContract } from './compile.mts';

/** A wallet to seed. */
export interface SeedWallet {
	sender: Sender;
	/** Native coin to give, as a decimal string in whole coins. */
	funds: string;
}

/**
 * Gives every wallet its native coin, then makes transfers of all three token standards between the first
 * five wallets, so that balances and histories have something to show.
 *
 * @param bank the wallet that pays the native coin
 */
export async function seed(options: {
	bank: Sender;
	wallets: SeedWallet[];
	contracts: SandboxContracts;
	compiled: Record<string, CompiledContract>;
}): Promise<void> {
	const { bank, wallets, contracts, compiled } = options;
	const abiOf = (name: string): Interface => {
		const contract = compiled[name];
		if (!contract) throw new Error(`There is no contract ${name} among the compiled ones`);
		return contract.abi;
	};
	const token = abiOf('SandboxToken');
	const art = abiOf('SandboxArt');
	const items = abiOf('SandboxItems');
	const [nelly, rahul, mika, storm, anna] = wallets.map(({ sender }) => sender);
	if (!nelly || !rahul || !mika || !storm || !anna) throw new Error('Five wallets are needed');

	const call = (from: Sender, to: string, abi: Interface, name: string, args: unknown[]) => {
		return from.send({ to, data: abi.encodeFunctionData(name, args), value: 0n });
	};
	const inBlock = async (sending: Promise<SentTransaction>[]): Promise<void> => {
		const sent = await Promise.all(sending);
		await Promise.all(sent.map(({ hash }) => bank.provider.waitForTransaction(hash)));
	};

	const paid = wallets.filter(({ funds }) => funds !== '0');
	await inBlock(
		paid.map(({ sender, funds }) => {
			return bank.send({ to: sender.address, data: '0x', value: parseEther(funds) });
		}),
	);

	const dollars = (amount: string) => parseUnits(amount, 6);
	const gold = (amount: string) => parseUnits(amount, 18);
	await inBlock([
		call(nelly, contracts.usd, token, 'mint', [nelly.address, dollars('2500')]),
		call(nelly, contracts.gold, token, 'mint', [nelly.address, gold('1000')]),
		call(rahul, contracts.usd, token, 'mint', [rahul.address, dollars('40.25')]),
		call(mika, contracts.gold, token, 'mint', [mika.address, gold('0.000000000000000001')]),
		call(storm, contracts.art, art, 'mint', [storm.address, 1n]),
		call(storm, contracts.art, art, 'mint', [storm.address, 2n]),
		call(anna, contracts.items, items, 'mint', [anna.address, 7n, 100n]),
		call(anna, contracts.items, items, 'mint', [anna.address, 8n, 5n]),
	]);
	const transfer = 'transfer';
	const safeTransfer = 'safeTransferFrom';
	await inBlock([
		call(nelly, contracts.usd, token, transfer, [rahul.address, dollars('125.5')]),
		call(nelly, contracts.gold, token, transfer, [mika.address, gold('12.345678901234567891')]),
		call(nelly, contracts.gold, token, transfer, [anna.address, gold('250')]),
		call(rahul, contracts.usd, token, transfer, [nelly.address, dollars('0.000001')]),
		call(storm, contracts.art, art, 'transferFrom', [storm.address, nelly.address, 1n]),
		call(anna, contracts.items, items, safeTransfer, [anna.address, rahul.address, 7n, 10n, '0x']),
		call(anna, contracts.items, items, 'safeBatchTransferFrom', [
			...[anna.address, nelly.address, [7n, 8n], [3n, 1n], '0x'],
		]),
	]);
}
