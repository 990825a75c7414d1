import type { INodeExecutionData, ITaskData } from 'n8n-workflow';

import type { Failure, NodeRun, Report } from './logs.mts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

export function itemReport(json: Fields, item: number | undefined, isErrorOutput = false): Report {
	if (typeof json.error !== 'string') return { item, isErrorOutput, json };
	const message = `${json.error} ${String(json.message ?? '')}`;
	const details = fieldsOf(json.details);
	return {
		item,
		isErrorOutput,
		json,
		error: { item, message, text: JSON.stringify(json), details },
	};
}

/** The details of an error, anywhere in its chain of causes. */
function detailsOf(error: unknown): Fields {
	if (!isObject(error)) return {};
	const { details } = fieldsOf(error.context);
	return isObject(details) ? details : detailsOf(error.cause);
}

export function failureOf(error: unknown, item?: number): Failure {
	const { message, description, context } = fieldsOf(error);
	const details = detailsOf(error);
	const index = item ?? details.itemIndex ?? fieldsOf(context).itemIndex;
	return {
		item: typeof index === 'number' ? index : undefined,
		message: String(message),
		text: `${message}\n${description}`,
		details,
	};
}

function inputOf({ pairedItem }: INodeExecutionData): number | undefined {
	const [first] = [pairedItem].flat();
	return typeof first === 'object' ? first.item : first;
}

/** Records n8n's result of a run. */
export function report(
	run: Pick<NodeRun, 'isTool' | 'reports' | 'ending'>,
	{ data, error }: Pick<ITaskData, 'data' | 'error'>,
): void {
	if (error !== undefined) run.ending = failureOf(error, run.isTool ? 0 : undefined);
	// The text that n8n passes to the model about a tool's error contains nothing but that error.
	if (run.isTool && error !== undefined) return;
	for (const [output, items] of (data?.main ?? data?.ai_tool ?? []).entries()) {
		for (const one of items ?? []) {
			run.reports.push(itemReport(one.json, run.isTool ? 0 : inputOf(one), output === 1));
		}
	}
}
