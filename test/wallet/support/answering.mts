/** Endpoints with given answers. */
import { Endpoints } from '../../../service/src/rpc/endpoints.mts';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import type { Resources } from '../../support/resources.mts';
import type { RpcRequest } from './endpoint.mts';

/** Thrown by an answer: the endpoint answers with an error. */
export class Refused extends Error {
	readonly problem: { code: number; message: string; data?: string };

	constructor(message: string, { code = -32000, data }: { code?: number; data?: string } = {}) {
		super(message);
		this.problem = { code, message, ...(data === undefined ? {} : { data }) };
	}
}

/** Answers by method; all other methods are refused. */
export type Answers = Record<string, (params: unknown[]) => unknown>;

const HASH = `0x${'1'.repeat(64)}`;

/** A block with fields of its own. */
export const blockWith =
	(fields: object = {}) =>
	([number]: unknown[]) => ({
		hash: HASH,
		parentHash: HASH,
		timestamp: '0x1',
		transactions: [],
		number: String(number).startsWith('0x') ? number : '0x64',
		...fields,
	});

const COMMON: Answers = {
	eth_chainId: () => '0x1',
	eth_blockNumber: () => '0x64',
	eth_getBlockByNumber: blockWith(),
};

function answer(answers: Answers, { id, method, params }: RpcRequest): object {
	const found = Object.entries(answers).find(([name]) => name === method)?.[1];
	try {
		if (!found) throw new Refused('Method not found', { code: -32601 });
		return { jsonrpc: '2.0', id, result: found(params) };
	} catch (error) {
		if (error instanceof Refused) return { jsonrpc: '2.0', id, error: error.problem };
		throw error;
	}
}

/** Starts endpoints of one chain, each with its answers. */
export async function withAnswers(resources: Resources, ...each: Answers[]): Promise<Endpoints> {
	const servers = each.map(async (answers) => {
		const server = startJsonServer((_path, body) => {
			const asked = body as RpcRequest | RpcRequest[];
			const all = { ...COMMON, ...answers };
			return Array.isArray(asked) ? asked.map((one) => answer(all, one)) : answer(all, asked);
		});
		return (await resources.use(server)).url;
	});
	return await Endpoints.connect(await Promise.all(servers));
}
