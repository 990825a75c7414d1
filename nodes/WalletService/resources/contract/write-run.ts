import type { ICredentialDataDecryptedObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { selector } from '../../contract/calldata';
import { functionKey } from '../../contract/function';
import { parseSignature } from '../../contract/signature';
import { activeCredentialType, readActiveCredential } from '../../request/active-credential';
import { CallFailure } from '../../request/call-failure';
import { exchange } from '../../request/exchange';
import { contextOfItem } from '../../request/item-context';
import type { RequestSettings } from '../../request/options';
import { withRetry } from '../../request/retry';
import { assertAllowed, readSpendingPolicy } from '../../request/spending-policy';
import { SpentValue } from '../../request/spent-value';
import type { WriteIdentity, WriteRecord } from '../../request/write-ledger';
import { WriteLedger } from '../../request/write-ledger';
import type { CheckedCall } from './contract-call';
import { previewOf } from './preview';
import { submit } from './submit';
import { UserAddresses } from './user-addresses';
import { WRITE_ROUTE } from './write-route';

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

	readonly #userAddresses = new UserAddresses();

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
		const credential = await readActiveCredential(this.#context, itemIndex);
		const identity = this.#identify(itemIndex, JSON.stringify([credential.baseUrl, checked.call]));
		const record = ledger.find(identity);
		if (record?.state === 'answered') return { answer: record.answer, isReplayed: true };
		if (record !== undefined && !this.#settings.resendWhenUnknown) throw stillUnknown(record);
		this.#assertAllowed(credential, checked);
		const value = BigInt(checked.call.value ?? 0);
		const budget = this.#budgetKey();
		ledger.markSending(identity);
		spentValue.add(budget, value);
		const [result] = await Promise.allSettled([
			submit(contextOfItem(this.#context, itemIndex), this.#settings, checked.call),
		]);
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

	/**
	 * Shows the write of one item instead of sending it; it counts neither as sent nor as spent.
	 *
	 * @throws InvalidInput when the policy would refuse it.
	 */
	async preview(itemIndex: number, checked: CheckedCall): Promise<IDataObject> {
		const credential = await readActiveCredential(this.#context, itemIndex);
		this.#assertAllowed(credential, checked);
		return previewOf(checked, WRITE_ROUTE, credential);
	}

	/** Wallet addresses by user id; an id that the service does not know is left out. */
	async addressesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
		const cancel = this.#context.getExecutionCancelSignal();
		const mayRetry = ({ details }: CallFailure) => details.isPassing === true;
		const rules = { settings: this.#settings, cancel, mayRetry };
		return await this.#userAddresses.of(
			userIds,
			async (url) =>
				await withRetry(
					rules,
					async () =>
						await exchange(this.#context, { method: 'GET', url }, this.#settings.timeoutMs),
				),
		);
	}

	#assertAllowed(
		credential: ICredentialDataDecryptedObject,
		{ contractFunction, call }: CheckedCall,
	): void {
		assertAllowed(
			readSpendingPolicy(credential, (text) => functionKey(parseSignature(text))),
			{
				contractAddress: call.address,
				functionKey: functionKey(contractFunction),
				selector: selector(contractFunction),
				value: BigInt(call.value ?? 0),
			},
			spentValue.of(this.#budgetKey()),
		);
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
		return JSON.stringify([
			this.#context.getExecutionId(),
			credentials?.[activeCredentialType(this.#context)]?.id,
		]);
	}
}
