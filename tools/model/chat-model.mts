import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../files/json.mts';
import { readList, readObject, readText } from '../files/json.mts';
import { OtherAnswer, startJsonServer } from '../network/json-server.mts';
import type { LocalServer } from '../network/local-server.mts';

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
function toMessagePart(call: ToolCall, tools: OfferedTool[]) {
	const tool = tools.find(({ name }) => name === call.name);
	if (tool === undefined) throw new Error(`No tool ${call.name} is offered`);
	const known = Object.keys(readObject(tool.parameters.properties, 'the properties'));
	const unknown = Object.keys(call.arguments).filter((name) => !known.includes(name));
	if (unknown.length > 0) throw new Error(`${call.name} takes no ${unknown.join(', ')}`);
	return {
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name: call.name, arguments: JSON.stringify(call.arguments) },
	};
}

/** What the next step is in the API's words, and why the model stops there. */
function toMessage(next: ToolCall[] | string, { tools }: ChatTurn) {
	return typeof next === 'string'
		? { message: { content: next }, finish_reason: 'stop' }
		: {
				message: { content: null, tool_calls: next.map((call) => toMessagePart(call, tools)) },
				finish_reason: 'tool_calls',
			};
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

const envelope = (object: string) => ({
	id: `chatcmpl-${randomUUID()}`,
	object,
	created: Math.floor(Date.now() / 1000),
	model: 'stand-in',
});

function toAnswer({ message, finish_reason }: ReturnType<typeof toMessage>): object {
	const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason };
	return { ...envelope('chat.completion'), choices: [choice], usage };
}

/** The same answer in pieces, as server-sent events: the whole message is one piece. */
function toEvents({ message, finish_reason }: ReturnType<typeof toMessage>): OtherAnswer {
	const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
	const delta = { role: 'assistant', ...message, ...(calls && { tool_calls: calls }) };
	const frame = envelope('chat.completion.chunk');
	const chunks = [
		{ ...frame, choices: [{ index: 0, delta, finish_reason: null }] },
		{ ...frame, choices: [{ index: 0, delta: {}, finish_reason }] },
		{ ...frame, choices: [], usage },
	];
	const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
	return new OtherAnswer(
		200,
		'text/event-stream',
		events.map((event) => `data: ${event}\n\n`).join(''),
	);
}

const nothingAt = (path: string): OtherAnswer =>
	new OtherAnswer(
		404,
		'application/json',
		JSON.stringify({ error: { message: `Nothing is at ${path}` } }),
	);

/**
 * Starts a stand-in for a language model: it speaks the chat completions format of the OpenAI API, in one piece or as a stream, below
 * `/v1` of its address, reads the tools that it is offered, and calls those that it is told to. Written by hand: a test decides what
 * the model does by the tools that n8n offers, which stand-ins with recorded answers do not read.
 */
export async function startChatModel(decide: Decide): Promise<ChatModel> {
	const turns: ChatTurn[] = [];
	const server = await startJsonServer((path, body) => {
		if (path !== '/v1/chat/completions') return nothingAt(path);
		const turn = readTurn(body);
		turns.push(turn);
		const next = toMessage(decide(turn), turn);
		return readObject(body, 'the request').stream === true ? toEvents(next) : toAnswer(next);
	});
	return { ...server, turns };
}
