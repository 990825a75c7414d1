import { concat, getCreate2Address, keccak256, ZeroHash } from 'ethers';
import type { HDNodeWallet } from 'ethers';
import type { DevelopmentChain } from '../chain/development-chain.mts';
import type { SandboxContracts } from '../ready.mts';
import { sendAndWait } from '../wallets/send-and-wait.mts';
import type { CompiledContract } from './compile.mts';

/**
 * The deployment proxy of anvil and most public chains. With it, an address depends only on
 * the code, so a second start on the same chain finds the contracts of the first.
 */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

const DEPLOYMENTS: Record<keyof SandboxContracts, { name: string; args: unknown[] }> = {
	usd: { name: 'SandboxToken', args: ['Sandbox Dollar', 'SUSD', 6] },
	gold: { name: 'SandboxToken', args: ['Sandbox Gold', 'SGLD', 18] },
	art: { name: 'SandboxArt', args: [] },
	items: { name: 'SandboxItems', args: [] },
	shapes: { name: 'Shapes', args: [] },
	payouts: { name: 'Payouts', args: [] },
};

/** Addresses of the contracts, and whether this start deployed any of them. */
export interface Deployment {
	contracts: SandboxContracts;
	isNew: boolean;
}

/**
 * Deploys the contracts that are missing from the chain.
 *
 * @param bank the wallet that pays
 * @throws Error if the chain lacks the deployment proxy
 */
export async function deployContracts(
	chain: DevelopmentChain,
	bank: HDNodeWallet,
	compiled: Record<string, CompiledContract>,
): Promise<Deployment> {
	const { provider } = chain;
	if ((await provider.getCode(DEPLOYER)) === '0x') {
		throw new Error(`The chain has no deployment proxy at ${DEPLOYER}`);
	}
	let isNew = false;
	const deploy = async (key: keyof SandboxContracts): Promise<string> => {
		const { name, args } = DEPLOYMENTS[key];
		const contract = compiled[name];
		if (!contract) throw new Error(`Contract ${name} was not compiled`);
		const code = concat([contract.bytecode, contract.abi.encodeDeploy(args)]);
		const address = getCreate2Address(DEPLOYER, ZeroHash, keccak256(code));
		if ((await provider.getCode(address)) !== '0x') return address;
		isNew = true;
		await sendAndWait(chain, bank, { to: DEPLOYER, data: concat([ZeroHash, code]), value: 0n });
		return address;
	};
	const contracts = {
		usd: await deploy('usd'),
		gold: await deploy('gold'),
		art: await deploy('art'),
		items: await deploy('items'),
		shapes: await deploy('shapes'),
		payouts: await deploy('payouts'),
	};
	return { contracts, isNew };
}
