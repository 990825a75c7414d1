import type { INodeProperties } from 'n8n-workflow';

/**
 * The name under which the form shows a parameter, or an entry of one of its collections.
 *
 * @param parameters those of the operation, or of the trigger
 * @returns the name itself when no parameter has it, for example the path inside an argument (`recipients[2].amount`)
 * @example displayNameOf('contractAddress', operation.input) // 'Contract Address'
 */
export function displayNameOf(name: string, parameters: readonly INodeProperties[]): string {
	const entries = parameters.flatMap(({ type, options = [] }) =>
		type === 'collection' ? (options as INodeProperties[]) : [],
	);
	const found = [...parameters, ...entries].find((parameter) => parameter.name === name);
	// n8n's own rule adds these words to a list that is loaded; as a name they only get in the way.
	return found?.displayName.replace(/ Name or ID$/, '') ?? name;
}
