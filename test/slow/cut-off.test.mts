/** n8n is killed in the middle of the payments of many executions at once: after its restart, each payment is made once. */
import { withModules } from '../../tools/n8n/environment.mts';
import { CASES } from '../support/n8n/cut-off-cases.mts';
import { testCutOff, type Payer } from '../support/n8n/cut-off.mts';
import { testLimits } from '../support/n8n/limits-of-executions.mts';
import { useN8n } from '../support/n8n/use-n8n.mts';
import { Service } from '../support/sandbox/service.mts';

let kept: Service;
const n8n = useN8n({
	settings: withModules('agents'),
	credentials: async () => {
		kept = await n8n.resources.use(Service.start({ SANDBOX_WRITE_KEYS: '1' }));
		return [];
	},
});

const payers: Record<string, Payer> = {
	'with keys': { letter: 'k', service: () => kept, isKept: true },
	'without keys': { letter: 'p', service: () => n8n.service, isKept: false },
};

testCutOff(n8n, payers, Object.keys(CASES), {
	async die() {
		await n8n.kill();
		await n8n.start();
	},
	shownAs: 'crashed',
});

testLimits(n8n, payers);
