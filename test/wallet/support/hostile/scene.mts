/** A service with one honest endpoint and one that lies, and what is done with it in a case. */
import { setTimeout } from 'node:timers/promises';
import type { ServiceOptions } from '../../../../service/src/create-service.mts';
import type { Payer } from '../../../../tools/wallet/installed-service.mts';
import type { Resources } from '../../../support/resources.mts';
import type { Placed } from '../scripted-block.mts';
import type { ScriptedChain } from '../scripted-chain.mts';
import type { ScriptedEndpoint } from '../scripted-endpoint.mts';
import { installScripted, type ScriptedService, type Told } from '../scripted-service.mts';
import type { MomentName } from './moment-names.mts';
import { bodyOf, deposit, DEPTH, GAS_CAPS, keyOf, type Template } from './template.mts';

/** Lies that fit together, and the moments at which they are told. */
export type NamedStory = readonly [
	name: string,
	lie: (scene: Scene) => void,
	moments: readonly MomentName[],
];

export interface SceneOptions {
	/** Which endpoint lies. */
	liar: 0 | 1;
	/** Makes it lie. */
	lie(scene: Scene): void;
	/** Whether the database has only its user. */
	isNew?: boolean;
	replaced?: Partial<ServiceOptions>;
}

/** An order that was sent to the service. */
export interface Order {
	number: number;
	/** What the last request was answered. */
	last: Told | undefined;
	/** Any of its hashes, and its nonce; undefined until they are told. */
	hash: string | undefined;
	nonce: number | undefined;
	/** The end that was reported as final. */
	ended: string | undefined;
}

/** Time within which a wait for an honest service must end, in milliseconds. */
const PATIENCE_MS = 20_000;

/** How many times as long as at least a busy machine lets the loops take. */
const MOST_TIMES = 4;

/** Members of a JSON object; none of any other value. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
	typeof value === 'object' && value !== null ? { ...value } : {};

export class Scene {
	readonly scripted: ScriptedService;
	readonly chain: ScriptedChain;
	readonly wallet: Payer;
	readonly liar: ScriptedEndpoint;
	readonly honest: ScriptedEndpoint;
	readonly template: Template;
	readonly orders = new Map<number, Order>();
	/** What was told although it is not so, or was done although it must not be. */
	readonly faults = new Set<string>();
	/** What was told as not final, and was not so. */
	readonly early = new Set<string>();
	/** Looks at what the service tells. */
	look: () => Promise<void> = async () => undefined;
	/** Judges the answer to an order. */
	judge: (order: Order, told: Told) => void = () => undefined;
	readonly #options: SceneOptions;

	private constructor(scripted: ScriptedService, template: Template, options: SceneOptions) {
		const { endpoints, chain, payers } = scripted;
		const [liar, honest] = options.liar === 0 ? endpoints : endpoints.toReversed();
		const [wallet] = payers;
		if (!liar || !honest || !wallet) throw new Error('A scene needs two endpoints and a user');
		[this.liar, this.honest, this.wallet] = [liar, honest, wallet];
		[this.scripted, this.chain, this.template] = [scripted, chain, template];
		this.#options = options;
		if (options.isNew) return;
		const { nonce } = chain.received.get(template.open) ?? {};
		Object.assign(this.#add(1), { hash: template.open, nonce });
	}

	static async set(
		resources: Resources,
		template: Template,
		options: SceneOptions,
	): Promise<Scene> {
		const { isNew = false, replaced } = options;
		const chain = template.chain.copy();
		if (isNew) chain.evict(template.open);
		const scripted = await installScripted(resources, {
			chain,
			depth: DEPTH,
			database: isNew ? template.fresh : template.used,
			replaced: { stuckMs: 1_000, gasCaps: GAS_CAPS, writes: { answerMs: 4_000 }, ...replaced },
		});
		return new Scene(scripted, template, options);
	}

	/** The lie begins. */
	lie(): void {
		this.#options.lie(this);
	}

	/** All endpoints are honest from now on, and blocks take everything. */
	tellTruth(): void {
		for (const endpoint of [this.liar, this.honest]) {
			endpoint.becomeHonest();
			[endpoint.lag, endpoint.isDead, endpoint.chain] = [0, false, this.chain];
		}
		this.chain.isHeld = () => false;
	}

	/** Starts the service, which may refuse: a supervisor tries again. @returns whether it runs */
	async start(): Promise<boolean> {
		return await this.scripted.start().then(
			() => true,
			() => false,
		);
	}

	/** Whether the service runs. */
	get isRunning(): boolean {
		try {
			return this.scripted.run() !== undefined;
		} catch {
			return false;
		}
	}

	/** Sends an order, or repeats it. */
	async order(number: number): Promise<Order> {
		const order = this.orders.get(number) ?? this.#add(number);
		const told = await this.scripted.put(keyOf(number), bodyOf(number));
		const { hash, tx } = fieldsOf(told.data);
		order.last = told;
		if (typeof hash === 'string') [order.hash, order.nonce] = [hash, Number(fieldsOf(tx).nonce)];
		this.judge(order, told);
		return order;
	}

	/** Whether an order whose answer was not certain was never stored: nothing was sent, and its key can be used again. */
	async isUnstored(order: Order): Promise<boolean> {
		if (order.last?.status !== 503) return false;
		const { status, data } = await this.scripted.get(
			`/writes/${encodeURIComponent(keyOf(order.number))}`,
		);
		const isUnknown = status === 404 && fieldsOf(data).code === 'unknown_write';
		if (!isUnknown || this.chain.received.has(String(order.hash))) return false;
		[order.hash, order.nonce] = [undefined, undefined];
		return true;
	}

	/**
	 * Looks at what the service tells, for so many milliseconds, in which its loops run twice if there is anything to do. On a
	 * busy machine that takes longer.
	 */
	async watch(ms: number): Promise<void> {
		const begun = performance.now();
		const rounds = () => this.honest.asked.get('eth_blockNumber') ?? 0;
		const before = rounds();
		for (let spent = 0; spent < ms || (rounds() < before + 2 && spent < MOST_TIMES * ms); ) {
			await setTimeout(400);
			if (this.isRunning) await this.look();
			spent = performance.now() - begun;
		}
	}

	/** Waits until an order is said to be in a block. */
	async untilMined(number: number): Promise<void> {
		const end = performance.now() + PATIENCE_MS;
		while (performance.now() < end) {
			const { data } = await this.scripted.get(`/transactions/${this.orders.get(number)?.hash}`);
			if (fieldsOf(data).status === 'SUCCESS') return;
			await setTimeout(200);
		}
		throw new Error('An honest service does not see a block');
	}

	deposit(amount: bigint): string {
		return deposit(this.chain, this.wallet.address, amount);
	}

	/** The transaction of the wallet with a nonce that is in a block. */
	usedAt(nonce: number): Placed | undefined {
		const from = this.wallet.address.toLowerCase();
		return this.chain
			.history()
			.find(({ one }) => one.from === from && one.transaction.nonce === nonce);
	}

	#add(number: number): Order {
		const order: Order = {
			number,
			last: undefined,
			hash: undefined,
			nonce: undefined,
			ended: undefined,
		};
		this.orders.set(number, order);
		return order;
	}
}
