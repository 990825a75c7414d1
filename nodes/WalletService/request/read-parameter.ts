import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { isObject } from '../values/integers';

/** Reads a parameter of the current item. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Whether a parameter's value can hold no expression. */
function isFixed(value: unknown): boolean {
	if (typeof value === 'string') return !value.startsWith('=');
	return !isObject(value) || Object.keys(value).length === 0;
}

/**
 * Reads parameters as n8n gives them, except that what holds no expression is taken as it stands, which saves much of the
 * time that an item takes. Values are checked by whoever reads them, so that n8n need not.
 */
export function parameterReader(
	context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>,
): ReadParameter {
	return (name, fallback) => {
		const value: unknown = context.getNodeParameter(name, fallback, { rawExpressions: true });
		if (isFixed(value)) return value;
		return context.getNodeParameter(name, fallback, { skipValidation: true });
	};
}
