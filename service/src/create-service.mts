import manifest from '../package.json' with { type: 'json' };
import { MAX_REASON, revertReader, type RevertReader } from './abi/revert.mts';
import { MAX_BODY_BYTES } from './app.mts';
import { blockTimes } from './chain/block-times.mts';
import { chainAt } from './chain/chain.mts';
import { TokenReader } from './chain/token-metadata.mts';
import { HistoryIndex } from './history/history-index.mts';
import type { IndexPorts } from './history/ports.mts';
import { History } from './history/history.mts';
import type { Signer } from './keys/signer.mts';
import { Spending } from './limits/spending.mts';
import type { Endpoints } from './rpc/endpoints.mts';
import { gasCapsIn } from './identity.mts';
import type { GasCaps } from './rpc/fees.mts';
import type { Network } from './rpc/networks.mts';
import type { ServiceDescription } from './schemas/service.mts';
import type { Service } from './service.mts';
import type { Database } from './store/tables.mts';
import { callerWith } from './store/tokens.mts';
import { Confirmation } from './writes/confirmation.mts';
import { Finality } from './writes/finality.mts';
import { Executions, type AttemptStep } from './writes/executions.mts';
import { Delivery, type DeliveryPorts } from './writes/delivery.mts';
import type { Observer } from './writes/events.mts';
import { Loops } from './writes/loops.mts';
import { OpenQuestions } from './writes/open-questions.mts';
import { Preparation, type PreparationPorts } from './writes/prepare.mts';
import { Refusals } from './writes/refusals.mts';
import { Replacement } from './writes/replacement.mts';
import { Transactions } from './writes/transactions.mts';
import { Writes, type Step, type WriteOptions } from './writes/writes.mts';

/** Time limit for the answer to a write, in milliseconds; clients such as n8n's node wait for 30 seconds. */
const ANSWER_MS = 25_000;

/** Nodes keep few transactions of one wallet: geth 64, hosted ones 16. */
const MAX_OPEN = 16;

/** Age of a transaction after which its fees may be raised, in milliseconds: a few blocks of most networks. */
const STUCK_MS = 30_000;

export interface ServiceOptions {
	db: Database;
	endpoints: Endpoints;
	network: Network;
	signer: Signer;
	/** The network's default if undefined. */
	gasCaps?: GasCaps;
	firstBlock: IndexPorts['firstBlock'];
	log(problem: string, error: unknown): void;
	observe?: Observer;
	/** Age at which a write that no endpoint took is given up, in milliseconds; 0 for never, the default. */
	ttlMs?: number;
	/** Replacements for tests and for the sandbox. */
	writes?: Partial<WriteOptions>;
	stuckMs?: number;
	topUpEveryMs?: number;
	stateTag?: PreparationPorts['stateTag'];
	fund?: PreparationPorts['fund'];
	readRevert?: RevertReader;
	broadcast?: DeliveryPorts['broadcast'];
	atStep?(step: Step | AttemptStep): void;
	/** The time by which limits are counted instead of the database's, in milliseconds since 1970. */
	now?: () => number;
}

/** Connects the parts of the service. The loops do not run yet. */
export function createService(options: ServiceOptions): {
	service: Service;
	loops: Loops;
	preparation: Preparation;
	history: History;
	/** What is not known about writes. */
	questions: OpenQuestions;
} {
	const { db, endpoints, network, signer, log, atStep, firstBlock } = options;
	const { gasCaps = gasCapsIn({}, network) } = options;
	const { depth } = network;
	const { chainId } = endpoints.identity;
	const read = options.readRevert ?? revertReader([]);
	// An endpoint can put its key into what it calls the words of a contract.
	const readRevert: RevertReader = (data) => endpoints.clean(read(data), MAX_REASON);
	const broadcast: DeliveryPorts['broadcast'] =
		options.broadcast ?? ((raw, hash) => endpoints.broadcast(raw, hash));
	const limits = { maxOpen: MAX_OPEN, answerMs: ANSWER_MS, ...options.writes };
	const { ttlMs = 0, stuckMs = STUCK_MS, observe = () => undefined } = options;
	const refusals = new Refusals();
	const delivery = new Delivery({
		db,
		broadcast,
		refusals,
		ttlMs,
		log,
		observe,
		...(atStep ? { atStep } : {}),
	});
	const spending = new Spending(options.now);
	const questions = new OpenQuestions();
	const chainPorts = { db, endpoints, depth, readRevert, questions, log, observe };
	const confirmation = new Confirmation(chainPorts);
	const finality = new Finality({ ...chainPorts, spending });
	const replacement = new Replacement({
		db,
		endpoints,
		network,
		gasCaps,
		signer,
		spending,
		observe,
	});
	const parts = { db, endpoints, delivery, confirmation, finality, questions, replacement };
	const loops = new Loops({ ...parts, stuckMs, log, observe });
	const index = new HistoryIndex({ db, endpoints, depth, firstBlock, log });
	const history = new History(db, index, log);
	const chain = chainAt(endpoints, network);
	const preparation = new Preparation({
		db,
		endpoints,
		network,
		gasCaps,
		readRevert,
		refusals,
		hasContract: chain.hasContract,
		stateTag: options.stateTag ?? 'latest',
		confirm: (walletId) => loops.confirm(walletId),
		compare: (wallet) => confirmation.compareOne(wallet),
		...(options.fund ? { fund: options.fund } : {}),
	});
	const ports = { db, chainId, signer, preparation, delivery, spending, observe, options: limits };
	const writes = new Writes({ ...ports, ...(atStep ? { atStep } : {}) });
	const executions = new Executions(db, atStep);
	const description: ServiceDescription = {
		name: manifest.name,
		version: manifest.version,
		chainId,
		network: network.name,
		writes: { put: true, fence: true, attempts: true, retention: 'forever' },
		transactions: true,
		finality: { depth },
		limits: {
			openWrites: limits.maxOpen,
			answerSeconds: limits.answerMs / 1000,
			bodyBytes: MAX_BODY_BYTES,
		},
	};
	const service: Service = {
		chain,
		db,
		tokenVerifiers: [async (token) => await callerWith(db, token)],
		writes,
		executions,
		spending,
		transactions: new Transactions({ db, endpoints, depth, readRevert, questions }),
		tokens: new TokenReader(endpoints),
		blockTimes: blockTimes(chain),
		readRevert,
		history,
		description,
	};
	return { service, loops, preparation, history, questions };
}
