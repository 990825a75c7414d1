import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteSingleFunctions,
} from 'n8n-workflow';

import { selector } from '../../contract/calldata';
import { functionKey } from '../../contract/function';
import { parseSignature } from '../../contract/signature';
import { activeCredentialType, readActiveCredential } from '../../request/active-credential';
import { CallFailure } from '../../request/call-failure';
import type { NodeRun } from '../../request/node-run';
import { assertAllowed, readSpendingPolicy } from '../../request/spending-policy';
import { SpentValue } from '../../request/spent-value';
import type { WriteIdentity, WriteRecord } from '../../request/write-ledger';
import { WriteLedger } from '../../request/write-ledger';
import type { CheckedCall } from './contract-call';
import { previewOf } from './preview';
import { submit } from './submit';
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

function identify(context: IExecuteSingleFunctions, request: string): WriteIdentity {
	return {
		executionId: context.getExecutionId(),
		nodeId: context.getNode().id,
		runIndex: context.getWorkflowDataProxy(context.getItemIndex()).$runIndex,
		itemIndex: context.getItemIndex(),
		request,
	};
}

/**
 * The same write in whatever run of the node. n8n counts each call of a tool as a run of its own, also when it or the agent
 * tries a call again whose outcome nobody knows; a call that was answered and comes again is a new one.
 */
function inAnyRun(
	context: IExecuteSingleFunctions,
	identity: WriteIdentity,
): WriteIdentity | undefined {
	const isTool = context.getNode().type.endsWith('Tool');
	return isTool ? { ...identity, runIndex: 'any', itemIndex: 'any' } : undefined;
}

/** What shares one budget of native coin: an execution and a credential. */
function budgetOf(context: IExecuteSingleFunctions): string {
	const { credentials } = context.getNode();
	return JSON.stringify([
		context.getExecutionId(),
		credentials?.[activeCredentialType(context)]?.id,
	]);
}

function assertPolicyAllows(
	context: IExecuteSingleFunctions,
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
		spentValue.of(budgetOf(context)),
	);
}

/**
 * Sends the write of an item, unless the policy forbids it or an earlier try in this execution has sent it.
 *
 * @throws InvalidInput when the policy refuses it, CallFailure when it fails.
 */
export async function sendWrite(
	context: IExecuteSingleFunctions,
	{ settings }: NodeRun,
	checked: CheckedCall,
): Promise<WriteResult> {
	const credential = await readActiveCredential(context);
	const identity = identify(context, JSON.stringify([credential.baseUrl, checked.call]));
	const otherCall = inAnyRun(context, identity);
	const record = ledger.find(identity) ?? (otherCall && ledger.find(otherCall));
	if (record?.state === 'answered') return { answer: record.answer, isReplayed: true };
	if (record !== undefined && !settings.resendWhenUnknown) throw stillUnknown(record);
	assertPolicyAllows(context, credential, checked);
	const value = BigInt(checked.call.value ?? 0);
	const budget = budgetOf(context);
	ledger.markSending(identity);
	spentValue.add(budget, value);
	const [result] = await Promise.allSettled([submit(context, settings, checked.call)]);
	if (result.status === 'fulfilled') {
		ledger.markAnswered(identity, result.value);
		if (otherCall) ledger.forget(otherCall);
		return { answer: result.value, isReplayed: false };
	}
	const error: unknown = result.reason;
	if (error instanceof CallFailure && error.details.outcome !== 'unknown') {
		ledger.forget(identity);
		spentValue.add(budget, -value);
	} else {
		const reason = error instanceof Error ? error.message : String(error);
		for (const one of [identity, otherCall]) if (one) ledger.markUnknown(one, reason);
	}
	throw error;
}

/**
 * Shows the write of an item instead of sending it; it counts neither as sent nor as spent.
 *
 * @throws InvalidInput when the policy would refuse it.
 */
export async function previewWrite(
	context: IExecuteSingleFunctions,
	checked: CheckedCall,
): Promise<IDataObject> {
	const credential = await readActiveCredential(context);
	assertPolicyAllows(context, credential, checked);
	return previewOf(checked, WRITE_ROUTE, credential);
}
