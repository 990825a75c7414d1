/** What an endpoint said instead of a result. Only the contract's own word says anything about the contract. */

/** The contract refused the call: it reverted, with or without data. */
export class ContractRefusal extends Error {
	/** What it returned; '0x' if nothing. */
	readonly data: string;

	constructor(data: string) {
		super('The contract refused the call');
		this.data = data;
	}
}

/** What a contract answers is longer than any answer that is used. */
export class AnswerTooLong extends ContractRefusal {
	constructor() {
		super('0x');
		this.message = 'The answer of the contract is too long';
	}
}

/** JSON-RPC's "method not found", and how some clients call it (EIP-1474). */
const NO_METHOD: readonly (number | undefined)[] = [-32601, -32004];

/**
 * An endpoint gave no usable answer: it was silent, answered in another form, or refused the request. Its own words can hold
 * an access key: they are for the log only, cleaned.
 */
export class EndpointFailure extends Error {
	/** The code of a refusal; undefined if it answered nothing that can be read. */
	readonly code: number | undefined;
	/** The words of a refusal, cleaned; otherwise the message. */
	readonly words: string;

	constructor(message: string, options: ErrorOptions & { code?: number; words?: string } = {}) {
		super(message, options);
		this.code = options.code;
		this.words = options.words ?? message;
	}

	/** Whether the endpoint answered with an error in the form of JSON-RPC. */
	get isRefusal(): boolean {
		return this.code !== undefined;
	}

	get isUnknownMethod(): boolean {
		return NO_METHOD.includes(this.code);
	}
}

/** No endpoint of the chain gives a usable answer, or the endpoints disagree. */
export class ChainUnavailable extends Error {}

/** Every endpoint that answers refuses the request, such as a method that the network lacks. */
export class RequestRefused extends ChainUnavailable {
	/** The refusals. */
	readonly failures: readonly EndpointFailure[];

	constructor(failures: readonly EndpointFailure[]) {
		super('The endpoints of the chain refuse to answer', { cause: failures[0] });
		this.failures = failures;
	}
}

/** The failure of a request that every endpoint has failed. */
export function unavailable(failures: readonly EndpointFailure[]): ChainUnavailable {
	const cause = failures[0];
	const areRefusals = failures.length > 0 && failures.every(({ isRefusal }) => isRefusal);
	return areRefusals
		? new RequestRefused(failures)
		: new ChainUnavailable('No endpoint of the chain answers', { cause });
}
