import type { IExecuteFunctions } from 'n8n-workflow';

import { calldata } from '../../contract/calldata';
import { functionKey } from '../../contract/function';
import { parseSignature } from '../../contract/signature';
import { CallFailure } from '../../request/call-failure';
import type { RequestSettings } from '../../request/options';
import { assertAllowed, readSpendingPolicy } from '../../request/spending-policy';
import { SpentValue } from '../../request/spent-value';
import type { WriteIdentity, WriteRecord } from '../../request/write-ledger';
import { WriteLedger } from '../../request/write-ledger';
import type { CheckedCall } from './contract-call';
import { submit } from './submit';

/** Characters of a selector: `0x` and four bytes. */
const SELECTOR_LENGTH = 10;

const ledger = new WriteLedger();
const spentValue = new SpentValue();

/** What a write came to. */
export interface WriteResult {
	readonly answer: unknown;
	/** Whether the answer is the recorded one of an earlier try in this execution. */
	readonly isReplayed: boolean;
}

function stillUnknown(record: Extract<WriteRecord, { state: 'unknown' }>): CallFailure {
	return new CallFailure({
		message: `Not sent again: an earlier try in this execution may have sent this transaction (${record.reason})`,
		hint: 'Check the history of the wallet. To send it again all the same, switch on Resend When Unknown under Options.',
		outcome: 'unknown',
	});
}

/** The writes of one run of the node. */
export class WriteRun {
	readonly #context: IExecuteFunctions;

	readonly #settings: RequestSettings;

	readonly #runIndex: number;

	constructor(context: IExecuteFunctions, settings: RequestSettings) {
		this.#context = context;
		this.#settings = settings;
		this.#runIndex = context.getWorkflowDataProxy(0).$runIndex;
	}

	/**
	 * Sends the write of one item, unless the policy forbids it or an earlier try in this execution has sent it.
	 *
	 * @throws InvalidInput when the policy refuses it, CallFailure when it fails.
	 */
	async send(itemIndex: number, checked: CheckedCall): Promise<WriteResult> {
		const credential = await this.#context.getCredentials('walletServiceApi', itemIndex);
		const identity = this.#identify(itemIndex, JSON.stringify([credential.baseUrl, checked.call]));
		const record = ledger.find(identity);
		if (record?.state === 'answered') return { answer: record.answer, isReplayed: true };
		if (record !== undefined && !this.#settings.resendWhenUnknown) throw stillUnknown(record);
		const value = BigInt(checked.call.value ?? 0);
		const budget = this.#budgetKey();
		const { contractFunction: fn, call } = checked;
		const policy = readSpendingPolicy(credential, (text) => functionKey(parseSignature(text)));
		assertAllowed(
			policy,
			{
				contractAddress: call.address,
				functionKey: functionKey(fn),
				selector: calldata(fn, call.args).slice(0, SELECTOR_LENGTH),
				value,
			},
			spentValue.of(budget),
		);
		ledger.markSending(identity);
		spentValue.add(budget, value);
		const [result] = await Promise.allSettled([submit(this.#context, this.#settings, call)]);
		if (result.status === 'fulfilled') {
			ledger.markAnswered(identity, result.value);
			return { answer: result.value, isReplayed: false };
		}
		const error: unknown = result.reason;
		if (error instanceof CallFailure && error.details.outcome !== 'unknown') {
			ledger.forget(identity);
			spentValue.add(budget, -value);
		} else {
			ledger.markUnknown(identity, error instanceof Error ? error.message : String(error));
		}
		throw error;
	}

	#identify(itemIndex: number, request: string): WriteIdentity {
		return {
			executionId: this.#context.getExecutionId(),
			nodeId: this.#context.getNode().id,
			runIndex: this.#runIndex,
			itemIndex,
			request,
		};
	}

	#budgetKey(): string {
		const { credentials } = this.#context.getNode();
		return JSON.stringify([this.#context.getExecutionId(), credentials?.walletServiceApi?.id]);
	}
}
