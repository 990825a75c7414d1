import { randomUUID } from 'node:crypto';
import type { JsonObject } from './json.mts';
import { readList, readObject, readText } from './json.mts';
import type { LocalServer } from './json-server.mts';
import { startJsonServer } from './json-server.mts';

/** A tool as it is offered to the model. */
export interface OfferedTool {
	name: string;
	description: string;
	/** JSON Schema of the arguments. */
	parameters: JsonObject;
}

/** A call that the model asks for. */
export interface ToolCall {
	name: string;
	arguments: JsonObject;
}

/** What the model is asked at one point of a conversation. */
export interface ChatTurn {
	/** What the user said. */
	prompt: string;
	tools: OfferedTool[];
	/** What the tools gave back so far, as the model sees it, in order. */
	results: string[];
}

/** The next step of the model: tools to call, or its closing words. */
export type Decide = (turn: ChatTurn) => ToolCall[] | string;

/** A stand-in for a language model behind its HTTP API. */
export interface ChatModel extends LocalServer {
	/** Everything it was asked so far. */
	turns: ChatTurn[];
}

function readTool(value: unknown): OfferedTool {
	const tool = readObject(readObject(value, 'a tool').function, 'a function');
	return {
		name: readText(tool.name, 'the name of a tool'),
		description: readText(tool.description, 'the description of a tool'),
		parameters: readObject(tool.parameters, 'the parameters of a tool'),
	};
}

function readTurn(body: unknown): ChatTurn {
	const { messages, tools } = readObject(body, 'the request');
	const said = readList(messages, 'the messages').map((one) => readObject(one, 'a message'));
	const wordsOf = (role: string): string[] =>
		said.filter((one) => one.role === role).map(({ content }) => readText(content, role));
	return {
		prompt: wordsOf('user').at(-1) ?? '',
		tools: readList(tools, 'the tools').map(readTool),
		results: wordsOf('tool'),
	};
}

/** A model can only call what it is offered, with the arguments that the schema names. */
function toMessagePart(call: ToolCall, tools: OfferedTool[], index: number): object {
	const tool = tools.find(({ name }) => name === call.name);
	if (tool === undefined) throw new Error(`No tool ${call.name} is offered`);
	const known = Object.keys(readObject(tool.parameters.properties, 'the properties'));
	const unknown = Object.keys(call.arguments).filter((name) => !known.includes(name));
	if (unknown.length > 0) throw new Error(`${call.name} takes no ${unknown.join(', ')}`);
	return {
		index,
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name: call.name, arguments: JSON.stringify(call.arguments) },
	};
}

function toAnswer(next: ToolCall[] | string, { tools }: ChatTurn, isStream: boolean): object {
	const isText = typeof next === 'string';
	const said = isText
		? { content: next }
		: { content: null, tool_calls: next.map((call, index) => toMessagePart(call, tools, index)) };
	const message = { role: 'assistant', ...said };
	return {
		id: `chatcmpl-${randomUUID()}`,
		object: isStream ? 'chat.completion.chunk' : 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model: 'stand-in',
		choices: [
			{
				index: 0,
				...(isStream ? { delta: message } : { message }),
				finish_reason: isText ? 'stop' : 'tool_calls',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/**
 * Starts a stand-in for a language model: it speaks the chat completions format of the OpenAI API, below `/v1` of its address,
 * in one piece also where a stream is asked for, reads the tools that it is offered, and calls those that it is told to.
 */
export async function startChatModel(decide: Decide): Promise<ChatModel> {
	const turns: ChatTurn[] = [];
	const server = await startJsonServer((path, body) => {
		if (path !== '/v1/chat/completions') throw new Error(`Nothing is at ${path}`);
		const turn = readTurn(body);
		turns.push(turn);
		const isStream = readObject(body, 'the request').stream === true;
		const answer = toAnswer(decide(turn), turn, isStream);
		return isStream ? `data: ${JSON.stringify(answer)}\n\ndata: [DONE]\n\n` : answer;
	});
	return { ...server, turns };
}
