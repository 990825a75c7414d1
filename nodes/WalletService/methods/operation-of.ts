import type { ILoadOptionsFunctions } from 'n8n-workflow';

/** The contract operation whose form is open. */
export function operationOf(context: ILoadOptionsFunctions): 'read' | 'write' {
	return context.getCurrentNodeParameter('operation') === 'write' ? 'write' : 'read';
}
