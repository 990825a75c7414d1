import { ContractFactory, type BaseContract } from 'ethers';
import { compileContracts } from '../../sandbox/src/deployment/compile.mts';
import type { Network } from '../../tools/wallet/network.mts';

/** Deploys a contract of `sandbox/contracts`. @returns its address */
export async function deploy(
	{ provider }: Network,
	name: string,
	...args: unknown[]
): Promise<{ address: string; contract: BaseContract }> {
	const compiled = (await compileContracts())[name];
	if (!compiled) throw new Error(`There is no contract ${name}`);
	const factory = new ContractFactory(compiled.abi, compiled.bytecode, await provider.getSigner());
	const contract = await factory.deploy(...args);
	await contract.waitForDeployment();
	return { address: await contract.getAddress(), contract };
}
