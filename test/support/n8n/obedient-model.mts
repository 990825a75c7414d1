import type { Decide, ToolCall } from '../../../tools/model/chat-model.mts';
import { readList, readObject, readText } from '../../../tools/files/json.mts';

const readCall = (value: unknown): ToolCall => {
	const call = readObject(value, 'a call');
	return {
		name: readText(call.name, 'the name of a tool'),
		arguments: readObject(call.arguments, 'the arguments'),
	};
};

/** A prompt that makes the model call these tools, the calls of one round at once. See {@link obey}. */
export const order = (...rounds: ToolCall[][]): string => JSON.stringify(rounds);

/**
 * Calls the tools that the prompt orders, one round after the other, whatever the results; finally it returns the results as a
 * JSON list of texts.
 */
export const obey: Decide = ({ prompt, results }) => {
	let before = 0;
	for (const round of readList(JSON.parse(prompt), 'the order')) {
		const calls = readList(round, 'a round').map(readCall);
		if (before === results.length) return calls;
		before += calls.length;
	}
	return JSON.stringify(results);
};
