import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { ContractOperation } from '../contract/function';

/** The contract operation whose form is open. */
export function operationOf(context: ILoadOptionsFunctions): ContractOperation {
	return context.getCurrentNodeParameter('operation') === 'write' ? 'write' : 'read';
}
