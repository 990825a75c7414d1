import { parseEther, parseUnits } from 'ethers';
import type { GasCaps } from './rpc/fees.mts';
import type { ChainIdentity } from './rpc/identity.mts';
import { Endpoints, type ConnectOptions } from './rpc/endpoints.mts';
import { coinOf, networkOf, type Network } from './rpc/networks.mts';
import { whyUnusable } from './rpc/why-unusable.mts';
import type { Settings } from './config/settings.mts';
import { bind, readMeta } from './store/meta.mts';
import type { Database } from './store/tables.mts';

/** The chain that the database belongs to; undefined for a new database. */
async function boundChain(db: Database): Promise<ChainIdentity | undefined> {
	const [chainId, genesis] = [await readMeta(db, 'chain_id'), await readMeta(db, 'genesis')];
	return chainId === undefined || genesis === undefined
		? undefined
		: { chainId: Number(chainId), genesis };
}

/**
 * Connects to the chain, and ties a new database to it.
 *
 * @param options.isAlone whether the operator lets one endpoint decide alone
 * @throws Error if the database belongs to another chain: its nonces and keys would be wrong there
 */
export async function connectChain(
	db: Database,
	urls: readonly string[],
	options: Pick<ConnectOptions, 'isAlone'> = {},
): Promise<Endpoints> {
	const bound = await boundChain(db);
	const endpoints = await Endpoints.connect(urls, { ...options, expected: bound });
	const { chainId, genesis } = endpoints.identity;
	await bind(db, 'chain_id', String(chainId), (other) => {
		return `The database belongs to chain ${other}, not ${chainId}`;
	});
	await bind(db, 'genesis', genesis, () => `The database belongs to another chain ${chainId}`);
	return endpoints;
}

/** Time limit for an answer, in milliseconds. */
const LIMIT_MS = 8_000;

/** One sentence about each endpoint that does not answer, while others do. @param urls those of the endpoints */
export async function silentAmong(
	{ states }: Pick<Endpoints, 'states'>,
	urls: readonly string[],
): Promise<string[]> {
	const silent = urls.filter((_url, place) => {
		const { isAnswering = true, foreign } = states[place] ?? {};
		return !isAnswering && foreign === undefined;
	});
	return await Promise.all(silent.map(async (url) => await whyUnusable([url], LIMIT_MS)));
}

/** The operator's limits for gas; the cost always has one. */
export function gasCapsIn(
	{ maxGasPrice, maxGasCost }: Partial<Settings>,
	network: Pick<Network, 'maxGasCost'>,
): GasCaps {
	return {
		price: maxGasPrice === undefined ? undefined : parseUnits(maxGasPrice, 'gwei'),
		cost: maxGasCost === undefined ? network.maxGasCost : parseEther(maxGasCost),
	};
}

/** The network of a chain, with what the settings say about it. */
export function networkFor(chainId: number, settings: Partial<Settings>): Network {
	const known = networkOf(chainId);
	const { network = known.name, depth = known.depth, explorer = known.explorer } = settings;
	const { symbol, minTip, transactionType } = settings;
	return {
		...known,
		name: network,
		depth,
		...(explorer === undefined ? {} : { explorer }),
		...(symbol === undefined ? {} : coinOf(symbol)),
		...(minTip === undefined ? {} : { minTip: parseUnits(minTip, 'gwei') }),
		...(transactionType === undefined ? {} : { transactionType }),
	};
}
