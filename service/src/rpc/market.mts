/** Reads what blocks ask for. Several endpoints say it, and the lowest counts: one that says too much must not be paid. */
import type { Endpoint } from './endpoint.mts';
import type { Endpoints } from './endpoints.mts';
import { ChainUnavailable, EndpointFailure, RequestRefused } from './failures.mts';
import type { Market } from './fees.mts';
import type { Network } from './networks.mts';
import type { Outcome } from './outcomes.mts';
import { ifReadable, quantity, record } from './values.mts';

/** Number of blocks whose fees count, and which of the transactions of each, as a percentage. */
const BLOCKS = '0x14';
const PERCENTILE = 50;

/** What blocks ask for, and hold. */
export interface BlockMarket extends Market {
	/** Highest gas limit of a block; undefined if no endpoint reports it. */
	blockGas: bigint | undefined;
	/** Whether as many endpoints report it as must agree. */
	isBlockGasCertain: boolean;
}

type Answers<T> = readonly { endpoint: Endpoint; answer: T }[];

const ascending = (numbers: readonly bigint[]): bigint[] =>
	numbers.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));

const lowest = (numbers: readonly bigint[]): bigint | undefined => ascending(numbers)[0];
const highest = (numbers: readonly bigint[]): bigint | undefined => ascending(numbers).at(-1);
const middle = (numbers: readonly bigint[]): bigint | undefined =>
	ascending(numbers)[Math.floor(numbers.length / 2)];

/** The number in one field: clients other than geth write none, null, a negative one or `0xNaN`. */
const numberIn = (value: unknown): bigint | undefined => ifReadable(quantity, value);

const numbersIn = (values: unknown): bigint[] =>
	Array.isArray(values) ? values.flat().flatMap((value) => numberIn(value) ?? []) : [];

/** The part of a block that transactions depend on. */
interface Header {
	/** Whether its base fee is reported, in whatever form. */
	hasBaseFee: boolean;
	baseFee: bigint | undefined;
	gasLimit: bigint | undefined;
}

function headerIn(answer: unknown): Header {
	const block = record(answer);
	if (!block) throw new EndpointFailure('The endpoint has no newest block');
	const { baseFeePerGas, gasLimit } = block;
	return {
		hasBaseFee: baseFeePerGas !== undefined && baseFeePerGas !== null,
		baseFee: numberIn(baseFeePerGas),
		gasLimit: numberIn(gasLimit),
	};
}

/** What the latest blocks were paid. */
interface PaidFees {
	/** The usual base fee. */
	baseFee: bigint | undefined;
	/** The usual priority fee of those that were not empty. */
	tip: bigint | undefined;
}

function paidIn(answer: unknown): PaidFees {
	const { baseFeePerGas, reward } = record(answer) ?? {};
	// Without a base fee, or with one that they do not know, clients report 0.
	const above0 = (values: unknown) => numbersIn(values).filter((fee) => fee > 0n);
	return { baseFee: middle(above0(baseFeePerGas)), tip: middle(above0(reward)) };
}

const answersIn = <T,>(outcomes: readonly Outcome<T>[]): Answers<T> =>
	outcomes.flatMap((one) => (one.refusal ? [] : { endpoint: one.endpoint, answer: one.answer }));

/** The answers of all endpoints; none if they refuse the request, as for a method that the network lacks. */
async function ifKnown<T>(outcomes: Promise<Outcome<T>[]>): Promise<Answers<T>> {
	try {
		return answersIn(await outcomes);
	} catch (error) {
		if (error instanceof RequestRefused) return [];
		throw error;
	}
}

/** The usual priority fee, by the endpoint that says least: as blocks were paid, otherwise what the endpoint proposes. */
async function usualTip(
	endpoints: Endpoints,
	paid: Answers<PaidFees>,
	asked: readonly Endpoint[],
): Promise<bigint> {
	const tips = paid.flatMap(({ answer }) => answer.tip ?? []);
	const telling = new Set(paid.flatMap(({ endpoint, answer }) => (answer.tip ? endpoint : [])));
	if (asked.some((endpoint) => !telling.has(endpoint))) {
		const proposed = await ifKnown(endpoints.outcomes(quantity, 'eth_maxPriorityFeePerGas'));
		tips.push(
			...proposed.flatMap(({ endpoint, answer }) =>
				telling.has(endpoint) || answer === 0n ? [] : answer,
			),
		);
	}
	return lowest(tips) ?? 0n;
}

/** A price by the endpoint that says least. @throws ChainUnavailable if none says it */
function lowestOf(prices: readonly (bigint | undefined)[]): bigint {
	const price = lowest(prices.flatMap((one) => one ?? []));
	if (price !== undefined) return price;
	throw new ChainUnavailable('No endpoint of the chain reports the price of gas');
}

/** What blocks ask for, and at least the network's minimum. @throws ChainUnavailable */
export async function readMarket(
	endpoints: Endpoints,
	{ minTip, transactionType }: Network,
): Promise<BlockMarket> {
	const [headers, paid] = await Promise.all([
		endpoints.outcomes(headerIn, 'eth_getBlockByNumber', ['latest', false]).then(answersIn),
		ifKnown(endpoints.outcomes(paidIn, 'eth_feeHistory', [BLOCKS, 'latest', [PERCENTILE]])),
	]);
	const gasLimits = headers.flatMap(({ answer }) => answer.gasLimit ?? []);
	const blockGas = highest(gasLimits);
	const isBlockGasCertain = gasLimits.length >= endpoints.quorum;
	const atLeast = (tip: bigint) => (tip > minTip ? tip : minTip);
	if (transactionType === 0 || !headers.some(({ answer }) => answer.hasBaseFee)) {
		const prices = answersIn(await endpoints.outcomes(quantity, 'eth_gasPrice'));
		const price = lowestOf(prices.map(({ answer }) => answer));
		return { baseFee: undefined, tip: atLeast(price), blockGas, isBlockGasCertain };
	}
	const asked = headers.map(({ endpoint }) => endpoint);
	const tip = atLeast(await usualTip(endpoints, paid, asked));
	// The highest: the price is the lowest, so that only an honest endpoint can lift it to this.
	const bases = paid.flatMap(({ answer }) => answer.baseFee ?? []);
	const before = highest(bases);
	const usual = before === undefined ? undefined : before + tip;
	const reported = headers.flatMap(({ answer }) => answer.baseFee ?? []);
	return {
		baseFee: lowestOf(reported.length > 0 ? reported : bases),
		tip,
		usual,
		blockGas,
		isBlockGasCertain,
	};
}
