import { formatEther } from 'ethers';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { WriteEvent } from '../writes/events.mts';
import type { ServiceState } from './watch.mts';

/** Bounds of the time that a commit takes, in seconds. */
const COMMIT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Numbers about the service in the format of Prometheus. */
export class Metrics {
	readonly #registry = new Registry();
	readonly #writes = this.#counter('writes_total', 'Writes by outcome.', 'outcome');
	readonly #replacements = this.#counter('replacements_total', 'Replaced transactions.', 'kind');
	readonly #undone = this.#counter('reorganised_writes_total', 'Writes whose block was undone.');
	readonly #disputed = this.#counter('disputed_writes_total', 'Writes that were not confirmed.');
	readonly #rounds = this.#counter(
		'rounds_total',
		'Comparisons of all open writes with the chain.',
	);
	readonly #commits = new Histogram({
		name: 'wallet_service_commit_seconds',
		help: 'Time to store a signed write.',
		buckets: COMMIT_BUCKETS,
		registers: [this.#registry],
	});
	readonly #failures = this.#gauge(
		...(['endpoint_failures', 'Requests without a usable answer.', 'endpoint'] as const),
	);
	readonly #heads = this.#gauge('endpoint_head', 'Newest block of an endpoint.', 'endpoint');
	readonly #lags = this.#gauge('endpoint_lag_blocks', 'Blocks behind the newest.', 'endpoint');
	readonly #headAges = this.#gauge('endpoint_head_age_seconds', 'Age of its head.', 'endpoint');
	readonly #open = this.#gauge('open_writes', 'Writes that are not final.', 'state');
	readonly #oldest = this.#gauge('oldest_open_write_seconds', 'Age of a write in no block.');
	readonly #closed = this.#gauge('closed_wallets', 'Wallets that sign nothing.');
	readonly #balances = this.#gauge('wallet_balance', 'Native coin of a wallet.', 'address');
	readonly #problems = this.#gauge('problems', 'Problems, as /readyz names them.', 'code');

	constructor() {
		collectDefaultMetrics({ register: this.#registry });
	}

	observe(event: WriteEvent): void {
		switch (event.kind) {
			case 'submitted':
				this.#writes.inc({ outcome: event.submitted.isReplayed ? 'replayed' : 'submitted' });
				break;
			case 'not-submitted':
				this.#writes.inc({ outcome: 'not_submitted' });
				break;
			case 'ended':
				this.#writes.inc({ outcome: event.outcome });
				break;
			case 'stored':
				this.#commits.observe(event.ms / 1_000);
				break;
			case 'replaced':
				this.#replacements.inc({ kind: event.by === 'call' ? 'higher_fees' : 'given_up' });
				break;
			case 'undone':
				this.#undone.inc();
				break;
			case 'disputed':
				this.#disputed.inc();
				break;
			case 'round':
				this.#rounds.inc();
		}
	}

	/** All numbers, with those of a state. */
	async text(state: ServiceState): Promise<string> {
		for (const { name: endpoint, head, headAge, failures } of state.endpoints) {
			this.#failures.set({ endpoint }, failures);
			this.#heads.set({ endpoint }, Number(head));
			this.#lags.set({ endpoint }, Number(state.head - head));
			this.#headAges.set({ endpoint }, headAge);
		}
		for (const [name, count] of Object.entries(state.open.counts)) {
			this.#open.set({ state: name }, count);
		}
		this.#oldest.set(state.oldestOpen);
		this.#closed.set(state.wallets.filter((wallet) => wallet.state === 'closed').length);
		for (const { address, balance } of state.wallets) {
			if (balance !== undefined) this.#balances.set({ address }, Number(formatEther(balance)));
		}
		this.#problems.reset();
		for (const { code } of state.problems) this.#problems.inc({ code });
		return await this.#registry.metrics();
	}

	#counter(name: string, help: string, ...labelNames: string[]): Counter {
		const registers = [this.#registry];
		return new Counter({ name: `wallet_service_${name}`, help, labelNames, registers });
	}

	#gauge(name: string, help: string, ...labelNames: string[]): Gauge {
		const registers = [this.#registry];
		return new Gauge({ name: `wallet_service_${name}`, help, labelNames, registers });
	}
}
