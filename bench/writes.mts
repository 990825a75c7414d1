/**
 * Compares writes with a plain loop: 300 transfers of an ERC-20 token, one at a time, against the reference service and a
 * real chain.
 */
import { startSandbox } from '../tools/sandbox/start.mts';
import { report } from '../tools/process/console.mts';
import { importAtStart } from '../tools/n8n/imports.mts';
import { walletNode } from './measured-nodes.mts';
import { spreadOf, type Spread } from './statistics.mts';
import { runPlainLoop, runWorkflow } from './run-workflow.mts';
import type { BenchmarkWorkspace } from './workspace.mts';

/** Numbers of measured and warm-up token transfers in a run. */
const ITEMS = 300;
const WARM_UP_ITEMS = 30;

const CREDENTIAL = 'writes';

/** Cost of a write, in milliseconds. */
export interface WriteCost {
	plainLoop: Spread;
	contractWrite: Spread;
	/** Includes a request for the balance before each transfer. */
	tokenSend: Spread;
	/** Speed of *Contract: Write*, as a share of the plain loop's speed within each round. */
	share: Spread;
}

/** Measures writes against a separate sandbox. */
export async function measureWrites(
	workspace: BenchmarkWorkspace,
	rounds: number,
	nodeFlags: readonly string[] = [],
): Promise<WriteCost> {
	const { ready, stop } = await startSandbox();
	try {
		const [user] = ready.users;
		if (user === undefined) throw new Error('The sandbox has no users');
		const { baseUrl, contracts } = ready;
		const data = { baseUrl, accessToken: user.accessToken, userId: user.id };
		await importAtStart(workspace.userFolder, 'credentials', [
			{ id: CREDENTIAL, name: CREDENTIAL, type: 'walletServiceApi', data },
		]);
		const itemsUrl = `${workspace.stubUrl}/items?contract=${contracts.usd}`;
		const common = { items: ITEMS, warmUpItems: WARM_UP_ITEMS, itemsUrl };
		await workspace.addWorkflows(
			(['write', 'send'] as const).map((call) => ({
				...common,
				id: call,
				node: walletNode(call, CREDENTIAL),
			})),
		);
		const loop = { ...common, baseUrl, token: user.accessToken, call: 'write', inFlight: 1 };
		const costs: Record<'plainLoop' | 'contractWrite' | 'tokenSend', number[]> = {
			plainLoop: [],
			contractWrite: [],
			tokenSend: [],
		};
		for (let round = 1; round <= rounds; round++) {
			const runs = {
				plainLoop: async () => await runPlainLoop(workspace, loop),
				contractWrite: async () => await runWorkflow(workspace, 'write', ITEMS, nodeFlags),
				tokenSend: async () => await runWorkflow(workspace, 'send', ITEMS, nodeFlags),
			};
			for (const name of ['plainLoop', 'contractWrite', 'tokenSend'] as const) {
				const { milliseconds, error } = await runs[name]();
				if (error !== undefined) throw new Error(`${name}: ${error}`);
				costs[name].push(milliseconds / ITEMS);
				report(`round ${round}: ${name}: ${(milliseconds / ITEMS).toFixed(2)} ms per write`);
			}
		}
		const share = costs.plainLoop.map((cost, round) => cost / (costs.contractWrite[round] ?? NaN));
		return {
			plainLoop: spreadOf(costs.plainLoop),
			contractWrite: spreadOf(costs.contractWrite),
			tokenSend: spreadOf(costs.tokenSend),
			share: spreadOf(share),
		};
	} finally {
		await stop();
	}
}
