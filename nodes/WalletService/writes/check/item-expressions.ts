import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { isRunByEngine, isTool } from '../../request/run/tool-call';
import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';

/** What reads the item in an expression of n8n; the item of a node with a name is another one. */
const OF_ITEM = /(?<![\w$])\$(?:json|input|binary|data|items?|thisItem)\b/;

/** The words of n8n's form about a tool, which no payment uses. */
const ABOUT_TOOL: ReadonlySet<string> = new Set(['toolDescription', 'descriptionType']);

/** Finds the expression that reads the item, with the name of its outermost parameter. */
function findIn(
	value: unknown,
	parameter: string,
): { parameter: string; word: string } | undefined {
	if (typeof value === 'string') {
		const [word] = (value.startsWith('=') && OF_ITEM.exec(value)) || [];
		return word === undefined ? undefined : { parameter, word };
	}
	if (!isObject(value)) return undefined;
	for (const one of Object.values(value)) {
		const found = findIn(one, parameter);
		if (found) return found;
	}
	return undefined;
}

/** The node before the agent that calls a tool, whose output is meant; an example if it is not known. */
function nodeBefore(context: IExecuteSingleFunctions): string {
	const [source] = Object.values(context.getExecuteData().source ?? {}).flat();
	const [before] = source ? context.getParentNodes(source.previousNode) : [];
	return before?.name ?? 'Webhook';
}

/**
 * Checks that no expression of a tool that writes reads the item, where n8n shows the words of the model in its place: a
 * model could otherwise set any of its fields, also those that a person has approved.
 *
 * @throws InvalidInputError
 * @example assertNamesNodes(context) // nothing, outside tools
 */
export function assertNamesNodes(context: IExecuteSingleFunctions): void {
	if (!isTool(context) || !isRunByEngine(context)) return;
	const parameters = Object.entries(context.getNode().parameters);
	for (const [name, value] of parameters) {
		const found = ABOUT_TOOL.has(name) ? undefined : findIn(value, name);
		if (found === undefined) continue;
		const instead = `{{ $(${quote(nodeBefore(context)).replace(/^"|"$/g, "'")}).item.json… }}`;
		throw new InvalidInputError({
			parameter: name,
			message: `In a tool, ${found.word} shows the words of the model in place of the item`,
			hint: `Nothing was sent. Name the node that has the value, such as ${instead}, or let the model give it with $fromAI`,
		});
	}
}
