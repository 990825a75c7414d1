import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { argumentFields } from '../contract/fields';
import { chosenFunction } from '../resources/contract/chosen-function';
import { InvalidInputError } from '../values/invalid-input';

/**
 * One field for each argument of the chosen function. If there is none, the editor shows the notice: that the function takes
 * none, or what is wrong with the function; an error would only show as "Can't get arguments".
 */
export async function getArgumentFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	try {
		const { contractFunction } = chosenFunction(
			(name, fallback) => this.getCurrentNodeParameter(name) ?? fallback,
		);
		return {
			fields: argumentFields(contractFunction),
			emptyFieldsNotice: 'This function takes no arguments.',
		};
	} catch (error) {
		if (!(error instanceof InvalidInputError)) {
			throw new NodeOperationError(this.getNode(), error instanceof Error ? error : String(error));
		}
		return { fields: [], emptyFieldsNotice: `${error.message}. ${error.hint}.` };
	}
}
