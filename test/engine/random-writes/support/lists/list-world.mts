import type { Service } from '../../../../support/sandbox/service.mts';
import type { ScriptedService } from '../../../support/scripted-service.mts';
import { ALICE, TOKEN } from '../../../support/scripted-world.mts';
import { ONE } from '../jobs.mts';
import type { ListLogs } from './logs.mts';
import { loadProcesses } from './processes.mts';
import { Road } from './road.mts';
import { runList } from './run-list.mts';
import type { ListPlan } from './scenarios.mts';

/** Users whose wallets can pay. */
const PAYERS = ['Nelly', 'Rahul Sen', 'mika_dev', 'StormRider', 'anna-k'] as const;
/** Base units of the token for each of them. */
const BALANCE = '1000000000000';
/** Code that takes any call. */
const TAKES_ALL = '0x00';

/**
 * Lets n8n's own engine run lists in several processes against a service, each with its own credential.
 *
 * @param road the way to the service
 * @param kept the service that keeps the writes; without one, the way ends at one that keeps none
 */
export async function createListWorld(scripted: ScriptedService, kept?: Service) {
	const road = new Road(scripted, kept?.client());
	const processes = await loadProcesses();
	await kept?.chain.send('anvil_setCode', [ONE, TAKES_ALL]);
	for (const payer of kept ? PAYERS : []) {
		const mint = 'mint(address to, uint256 amount)';
		await kept?.submit(payer, 'usd', mint, [kept.user(payer).address, BALANCE]);
	}
	let count = 0;

	/** Runs a list to its end. */
	async function run(plan: ListPlan): Promise<ListLogs> {
		const name = `${kept ? 'q' : 'l'}${String(++count).padStart(6, '0')}`;
		const users = PAYERS.slice(0, 3).map((payer, index) => {
			const of = PAYERS[(count + index) % PAYERS.length] ?? payer;
			return kept?.user(of) ?? { id: ALICE.id, accessToken: `token-${index}-of-${name}` };
		});
		const baseUrl = `${scripted.baseUrl}/${name}`;
		const token = kept?.contracts.usd ?? TOKEN;
		const logs = await runList(plan, {
			name,
			baseUrl,
			token,
			users,
			road,
			processes,
			isKept: kept !== undefined,
		});
		road.remove(name);
		return logs;
	}

	return { run };
}
