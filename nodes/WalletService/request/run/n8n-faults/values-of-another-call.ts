import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { InvalidInputError } from '../../../values/invalid-input';
import { quote } from '../../../values/quote';
import { filledInByModel, isTool } from '../tool-call';

/** Keys that n8n's `$fromAI` accepts. */
const KEY = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads the model's value for a key, as n8n's expressions do. */
function takenByN8n(context: IExecuteSingleFunctions, key: string): unknown {
	try {
		const expression = `{{ $fromAI(${JSON.stringify(key)}) }}`;
		return context.evaluateExpression(expression, context.getItemIndex());
	} catch {
		return undefined;
	}
}

/**
 * Checks that n8n reads the parameters of a tool call with the values of this call. n8n finds the values by counting
 * the tool's runs. Tools created at the same time, for the items of a batch, start at the same count; n8n (2.41 at least)
 * then uses the values of one call for another, so one payment would be sent twice and another one never.
 *
 * @throws InvalidInputError if the values are not those of the call.
 */
export function assertOwnValues(context: IExecuteSingleFunctions): void {
	const own = isTool(context) ? filledInByModel(context) : undefined;
	for (const [key, value] of Object.entries(own ?? {})) {
		if (!KEY.test(key)) continue;
		const taken = takenByN8n(context, key);
		if (JSON.stringify(taken) === JSON.stringify(value)) continue;
		throw new InvalidInputError({
			code: 'mixed-up-call',
			message: `n8n confused this call with another one made at the same time: for ${key} it used ${quote(taken)} instead of ${quote(value)}`,
			hint: 'Nothing was done. Call the tool again, one call at a time; in a workflow, set the Batch Size of the agent to 1',
		});
	}
}
