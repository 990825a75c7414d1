import type { CheckedCall } from '../../contract/call';
import { ServiceError } from '../../request/failure/service-error';
import { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { Unsendable } from '../../request/failure/node-error';
import type { Run } from '../../request/run/run';
import { isItem } from '../../values/objects';
import { foreignWords } from '../../values/quote';
import { settle } from '../../values/settle';
import { originOf } from '../../writes/identity';
import type { WriteToSend } from '../../writes/prepare-write';
import { amountsOf, prepareWrite } from '../../writes/prepare-write';

/** Reads what an item would send; `undefined` for an item that is only shown. */
type ToWrite<Call extends CheckedCall> = (
	item: Item,
	run: Run,
	client: ServiceClient,
) => Promise<WriteToSend<Call> | undefined>;

/** Calls that one look-up can check together: those of one credential and service. */
interface Group<Call extends CheckedCall> {
	readonly item: Item;
	readonly client: ServiceClient;
	readonly calls: Call[];
}

/** Whether a failure says nothing about the other items. */
function isOwn(failure: unknown): boolean {
	return !(failure instanceof ServiceError) || failure.details.code === 'not-sent-again';
}

/** The name of an item: of its recipient, or in its input. */
function nameOf(
	{ context }: Item,
	planned: PromiseSettledResult<CheckedCall> | undefined,
): string | undefined {
	const { userNames = {} } = planned?.status === 'fulfilled' ? planned.value : {};
	const [known] = Object.values(userNames);
	const { json } = context.getInputData();
	const column = isItem(json) ? (json.name ?? json.Name) : undefined;
	return (known ?? foreignWords(column)) || undefined;
}

/**
 * Creates the check of a list before its first write: every item is read, looked up and judged by the policy, together
 * with the amounts of the items before it, and the totals are compared with the balances. It sends and reserves nothing;
 * each item is checked again in its turn.
 */
export function listCheck<Call extends CheckedCall>(
	toWrite: ToWrite<Call>,
	assertPossible: WriteToSend<Call>['assertPossible'],
) {
	return async (itemAt: (index: number) => Item, run: Run): Promise<readonly Unsendable[]> => {
		const ahead = { spent: new Map<string, bigint>(), taken: new Map<string, number>() };
		const groups = new Map<string, Group<Call>>();
		const problems: Unsendable[] = [];
		const check = async (item: Item, client: ServiceClient, write: WriteToSend<Call>) => {
			const origin = originOf(item.context);
			const prepared = await prepareWrite(item.context, origin, write, ahead);
			if ('result' in prepared) {
				const { submissionKey: key = '' } = prepared;
				ahead.taken.set(key, (ahead.taken.get(key) ?? 0) + 1);
				return;
			}
			for (const [key, amount] of amountsOf(prepared))
				ahead.spent.set(key, (ahead.spent.get(key) ?? 0n) + amount);
			const key = JSON.stringify([origin.credentialKey, prepared.baseUrl]);
			const group = groups.get(key) ?? { item, client, calls: [] };
			group.calls.push(prepared.checked);
			groups.set(key, group);
		};
		for (let index = 0; index < (run.total ?? 0); index++) {
			const item = itemAt(index);
			const client = new ServiceClient(item.context, run);
			let planned: WriteToSend<Call>['planned'] | undefined;
			const read = async () => {
				run.throwIfStopped(client.cancel);
				const write = await toWrite(item, run, client);
				planned = write?.planned;
				if (write !== undefined) await check(item, client, write);
			};
			const result = await settle(read());
			if (result.status === 'fulfilled') continue;
			problems.push({ itemIndex: item.index, failure: result.reason, name: nameOf(item, planned) });
			if (!isOwn(result.reason)) break;
		}
		if (problems.length > 0) return problems;
		for (const { item, client, calls } of groups.values()) {
			const result = await settle(assertPossible?.(calls, client) ?? Promise.resolve());
			if (result.status === 'rejected')
				problems.push({ itemIndex: item.index, failure: result.reason });
		}
		return problems;
	};
}
