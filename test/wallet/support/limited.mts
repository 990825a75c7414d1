/** Access tokens with limits, and the contracts that they may call. */
import { randomUUID } from 'node:crypto';
import axios, { type AxiosInstance } from 'axios';
import type { AssetLimit, Limits } from '../../../service/src/schemas/limits.mts';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { SpendRow } from '../../../service/src/store/tables.mts';
import { createToken } from '../../../service/src/store/tokens.mts';
import type { InstalledService } from '../../../tools/wallet/installed-service.mts';

/** A call as `PUT /v1/writes/:key` takes it. */
export interface ApiCall {
	address: string;
	abi: string;
	args?: string[];
	value?: string;
}

/** A limit for native coin, in wei. */
export const native = (limits: Pick<AssetLimit, 'perCall' | 'perDay'>): AssetLimit => {
	return { asset: 'native', kind: 'native', decimals: 18, symbol: 'ETH', ...limits };
};

/** A limit for an ERC-20 token with 6 decimals, in base units. */
export function dollars(token: string, limits: Pick<AssetLimit, 'perCall' | 'perDay'>): AssetLimit {
	return { asset: token.toLowerCase(), kind: 'erc20', decimals: 6, symbol: 'SUSD', ...limits };
}

/** A caller whose token has limits. */
export class LimitedCaller {
	readonly id: string;
	readonly token: string;
	readonly client: AxiosInstance;
	readonly #service: InstalledService;

	private constructor(service: InstalledService, { id, token }: { id: string; token: string }) {
		this.#service = service;
		this.id = id;
		this.token = token;
		this.client = axios.create({
			baseURL: `${service.url}/v1`,
			headers: { authorization: `Bearer ${token}` },
			validateStatus: () => true,
		});
	}

	static async create(
		service: InstalledService,
		userId: string,
		limits: Limits,
	): Promise<LimitedCaller> {
		const db = await openDatabase(service.database);
		const created = await createToken(db, userId, { scopes: ['read', 'write'], limits });
		await db.destroy();
		return new LimitedCaller(service, created);
	}

	/** Submits a call. @param url another process on the same database */
	async write(call: ApiCall, key: string = randomUUID(), baseURL?: string) {
		const path = `/writes/${encodeURIComponent(key)}`;
		return await this.client.put(path, call, baseURL === undefined ? {} : { baseURL });
	}

	/** What the writes of the token count, the oldest first. */
	async spends(): Promise<Pick<SpendRow, 'asset' | 'amount' | 'state'>[]> {
		const db = await openDatabase(this.#service.database);
		const rows = await db
			.selectFrom('spends')
			.select(['asset', 'amount', 'state'])
			.where('token_id', '=', this.id)
			.orderBy('at')
			.execute();
		await db.destroy();
		return rows;
	}
}
