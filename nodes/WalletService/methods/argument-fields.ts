import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { argumentFields } from '../contract/arguments';
import type { ReadParameter } from '../request/run/read-parameter';
import { formReader } from '../request/run/read-parameter';
import { chosenFunction } from '../resources/contract/contract-call';
import { inSentences, InvalidInputError } from '../values/invalid-input';
import { operationOf } from './operation-of';

/** What has to be filled in before there is a function, by its source. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
	contractAbi: ['contractAbi', 'contractFunction'],
	signature: ['abi'],
};

/** Whether nothing was chosen yet, which is no mistake. */
function isUntouched(read: ReadParameter): boolean {
	const needed = NEEDED[String(read('functionSource', ''))] ?? [];
	return needed.some((name) => read(name, '') === '');
}

/**
 * One field for each argument of the chosen function. If there is none, the editor shows the notice: that the function takes
 * none, or what is wrong with the function; an error would only show as "Can't get arguments".
 */
export async function getArgumentFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const read = formReader(this);
	try {
		if (isUntouched(read)) {
			return {
				fields: [],
				emptyFieldsNotice: 'Choose a function first: its arguments appear here.',
			};
		}
		const { contractFunction } = chosenFunction(read, operationOf(this));
		return {
			fields: argumentFields(contractFunction),
			emptyFieldsNotice: 'This function takes no arguments.',
		};
	} catch (error) {
		if (!(error instanceof InvalidInputError)) {
			throw new NodeOperationError(this.getNode(), error instanceof Error ? error : String(error));
		}
		return { fields: [], emptyFieldsNotice: inSentences(error) };
	}
}
