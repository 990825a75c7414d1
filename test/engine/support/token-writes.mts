import type { IDataObject, INode } from 'n8n-workflow';

import type { EngineResult, EngineRun } from './engine.mts';
import { BOB, TOKEN, TokenSends } from './token-service.mts';

/** The parameters of a contract write that transfers an amount to Bob, by fields. */
export const transferOf = (amount: unknown): IDataObject => ({
	resource: 'contract',
	functionSource: 'signature',
	operation: 'write',
	contractAddress: TOKEN,
	abi: 'transfer(address to, uint256 amount)',
	arguments: {
		mappingMode: 'defineBelow',
		value: { 'to (address)': BOB.address, 'amount (uint256)': amount },
	},
});

/** Contract writes to a service that says of the token what a test wants. */
export class TokenWrites {
	readonly sends = TokenSends.prepare();

	/** Writes an amount, by default of one item. */
	async run(
		amount: unknown,
		node: Partial<INode> = {},
		more: Partial<EngineRun> = {},
	): Promise<EngineResult> {
		return await this.sends.run(transferOf(amount), node, more);
	}

	/** The amounts of all writes that reached the service. */
	get amounts(): unknown[] {
		return this.sends.writes.map(({ args }) => (Array.isArray(args) ? args[1] : undefined));
	}
}
