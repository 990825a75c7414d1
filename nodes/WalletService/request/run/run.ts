import type { IExecuteFunctions } from 'n8n-workflow';

import { monotonicMs } from '../../values/clock';
import { Once } from '../../values/caches';
import { settle } from '../../values/settle';
import type { CredentialContext, CredentialType } from '../credential/active-credential';
import { RENEWED_CREDENTIAL } from '../credential/active-credential';
import { readOncePerRun } from '../credential/shared-credential';
import { ServiceError } from '../failure/service-error';
import { pollIsOver } from '../http/deadline';
import type { RequestSettings } from '../http/options';
import { readRequestSettings } from '../http/options';
import type { Gate } from '../http/service-client';
import { Pacer, Throttle } from '../traffic/throttle';

export interface RunRules {
	/** The credential type selected in the node, the same for all items. */
	readonly credentialType: CredentialType;
	/** Whether the items are processed one at a time and in order, because they move money. */
	readonly isSequential?: boolean;
	/** Deadline for the last answer, by `monotonicMs`. */
	readonly endsAt?: number;
	/** The cancel signal of the execution. */
	readonly cancel?: AbortSignal;
	/** The section Connection of the credential. */
	readonly connection?: unknown;
	readonly once?: Once;
}

type ReadSettings = (name: 'options' | 'requestOptions') => unknown;

/** Totals of a list that is checked, by key; each is compared with what is available after all items. */
export type Ahead = Map<string, { amount: bigint; assertEnough: () => Promise<void> }>;

/** Shows a warning above the node's output. */
export function showWarning(context: object, message: string): void {
	// n8n's own routing, which runs the node as a tool of older agents, has no output pane and no hints.
	const { addExecutionHints }: Partial<IExecuteFunctions> = context;
	addExecutionHints?.call(context, { message, type: 'warning', location: 'outputPane' });
}

/** Returns a function that returns the state of an operation for a run, made once. */
export function perRun<State>(make: () => State): (run: Run) => State {
	const states = new WeakMap<Run, State>();
	return (run) => {
		const state = states.get(run) ?? make();
		states.set(run, state);
		return state;
	};
}

/** State shared by the items of one run of a node: settings, failure and submissions. */
export class Run implements Gate {
	readonly settings: RequestSettings;

	readonly credentialType: CredentialType;

	readonly fixedValues = new Map<string, unknown>();

	readonly isSequential: boolean;

	readonly cancel: AbortSignal | undefined;

	/** The error of invalid options, or of the credential's Connection, which prevents all requests of this run. */
	readonly invalidOptions: unknown;

	/** Submissions of the run so far, one line each, for the error if the run fails. */
	readonly submitted: string[] = [];

	readonly throttle: Throttle;

	/** For look-ups in parallel while a write holds the turn of a sequential run. */
	readonly besideWrites: Throttle;

	readonly endsAt: number;

	/** Gives n8n a turn between items, which may need no request. */
	readonly pacer = new Pacer();

	/** Number of items. */
	total = 1;

	/** What messages call an item, by its index: the row of a list of writes, as its table names it. */
	nameOf = (index: number): string => `item ${index + 1}`;

	/** Digest of its items; empty if it is not known, or if other runs may have the same. */
	input = '';

	/** Present while the items are checked as a list, before the first write. */
	ahead: Ahead | undefined;

	/** Index of the item whose failure stopped the run; nothing is sent after it. */
	firstFailure: number | undefined;

	/** Items of a checked list that may have been sent before. They fail, and come last, so that they stop no other item. */
	readonly unknown = new Set<number>();

	readonly #warned = new Set<string>();

	readonly once: Once;

	/** @param read reads a parameter of the node for item 0; throws if its expression fails */
	constructor(
		read: ReadSettings,
		{ credentialType, connection, once = new Once(), ...rules }: RunRules,
	) {
		try {
			const requestOptions = read('requestOptions');
			this.settings = readRequestSettings(read('options'), { connection, requestOptions });
		} catch (error) {
			this.settings = readRequestSettings({});
			this.invalidOptions = error;
		}
		const { isSequential = false, endsAt = Infinity, cancel } = rules;
		const { concurrency } = this.settings;
		this.once = once;
		this.credentialType = credentialType;
		this.isSequential = isSequential;
		this.cancel = cancel;
		this.endsAt = endsAt;
		// The first request renews an expired sign-in, or reveals that it has ended.
		const probesFirst = credentialType === RENEWED_CREDENTIAL;
		this.throttle = new Throttle({ isSequential, concurrency, probesFirst, endsAt });
		this.besideWrites = new Throttle({ isSequential: false, concurrency, probesFirst, endsAt });
	}

	/** @throws ServiceError if nothing more may be sent. */
	throwIfStopped(cancel: AbortSignal | undefined): void {
		const stopped = this.whyStopped(cancel);
		if (stopped) throw stopped;
	}

	/** The failure of what may no longer be sent, if so. */
	whyStopped(cancel: AbortSignal | undefined): ServiceError | undefined {
		if (monotonicMs() >= this.endsAt) return pollIsOver();
		const failed = this.firstFailure;
		if (failed === undefined && cancel?.aborted !== true) return undefined;
		const reason =
			failed === undefined ? 'the execution was cancelled' : `${this.nameOf(failed)} failed`;
		return new ServiceError({
			message: `Not sent, because ${reason}`,
			hint: 'Nothing happened for this item',
			code: 'not-sent',
			state: 'refused',
		});
	}

	/** Shows a warning above the node's output, once per run and kind. */
	warnOnce(context: object, message: string, kind = message): void {
		if (!this.#warned.has(kind)) showWarning(context, message);
		this.#warned.add(kind);
	}
}

/**
 * Starts a run with the settings of its credential, which is read for item 0. A credential that cannot be read fails
 * where it is used.
 */
export async function startRun(
	context: Pick<CredentialContext, 'getCredentials'>,
	read: ReadSettings,
	rules: Omit<RunRules, 'connection' | 'once'>,
): Promise<Run> {
	const once = new Once();
	const reading = await settle(readOncePerRun(once, context, rules.credentialType, 0));
	const connection = reading.status === 'fulfilled' ? reading.value.connection : undefined;
	return new Run(read, { ...rules, connection, once });
}
