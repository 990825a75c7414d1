/** Effects of the faults that concern the chain, not the answer. */
import type { JsonRpcApiProvider } from 'ethers';
import { mine, reorganise } from '../chain/development.mts';
import type { Conditions } from '../conditions.mts';
import type { Fault } from './fault.mts';

/** Advances or reorganises the chain for the faults of a request. */
export async function moveChain(
	provider: JsonRpcApiProvider,
	faults: Fault[],
	afterReorganisation: () => Promise<void>,
): Promise<void> {
	for (const { kind, params } of faults) {
		const { blocks = 1, seconds = 0, comesBack = false } = params;
		if (kind === 'mine') await mine(provider, { blocks, seconds });
		if (kind !== 'reorg') continue;
		await reorganise(provider, { blocks, comesBack });
		await afterReorganisation();
	}
}

/** The conditions set by the faults of a request. */
export function conditionsFrom(faults: Fault[]): Conditions {
	const conditions: Conditions = { fate: 'mined', history: {} };
	for (const { kind, params } of faults) {
		switch (kind) {
			case 'revert-transaction':
				conditions.fate = 'reverted';
				break;
			case 'drop-transaction':
				conditions.fate = 'dropped';
				break;
			case 'replace-transaction':
				conditions.fate = 'replaced';
				break;
			case 'history-lag':
				conditions.history.lagBlocks = params.blocks ?? 0;
				conditions.history.lagSeconds = params.seconds ?? 0;
				break;
			case 'history-window':
				conditions.history.limit = params.entries ?? 1;
				break;
		}
	}
	return conditions;
}
