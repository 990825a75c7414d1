import { randomUUID } from 'node:crypto';
import { readObject, readObjects, readText, type JsonObject } from '../files/json.mts';
import { startJsonServer } from '../network/json-server.mts';
import type { LocalServer } from '../network/local-server.mts';

interface OfferedTool {
	name: string;
	description: string;
	/** JSON Schema of the arguments. */
	parameters: JsonObject;
}

export interface ToolCall {
	name: string;
	arguments: JsonObject;
	/** By default another one for each call. */
	id?: string;
	/** Arguments for which the tool does not ask, as careless or misled models pass them. */
	extra?: JsonObject;
}

/** One request to the model in a conversation. */
interface ChatTurn {
	/** The user's message. */
	prompt: string;
	tools: OfferedTool[];
	/** Results of the tool calls so far, in order. */
	results: string[];
}

/** The model's next step: tool calls, or its final answer. */
export type Decide = (turn: ChatTurn) => ToolCall[] | string;

/** A stand-in for a language model behind its HTTP API. */
export interface ChatModel extends LocalServer {
	/** All requests so far. */
	turns: ChatTurn[];
}

function readTool({ function: offered }: JsonObject): OfferedTool {
	const tool = readObject(offered, 'a tool');
	return {
		name: readText(tool.name, 'the name of a tool'),
		description: readText(tool.description, 'the description of a tool'),
		parameters: readObject(tool.parameters, 'the parameters of a tool'),
	};
}

function readTurn(body: unknown): ChatTurn {
	const { messages, tools } = readObject(body, 'the request');
	const all = readObjects(messages, 'the messages');
	const textsOf = (role: string): string[] =>
		all.filter((one) => one.role === role).map(({ content }) => readText(content, role));
	return {
		prompt: textsOf('user').at(-1) ?? '',
		tools: readObjects(tools, 'the tools').map(readTool),
		results: textsOf('tool'),
	};
}

/** @throws Error for a tool that is not offered, or an argument outside its schema. */
function toMessagePart(call: ToolCall, tools: OfferedTool[]) {
	const tool = tools.find(({ name }) => name === call.name);
	if (tool === undefined) throw new Error(`No tool ${call.name} is offered`);
	const known = Object.keys(readObject(tool.parameters.properties, 'the properties'));
	const unknown = Object.keys(call.arguments).filter((name) => !known.includes(name));
	if (unknown.length > 0) throw new Error(`${call.name} takes no ${unknown.join(', ')}`);
	return {
		id: call.id ?? `call_${randomUUID()}`,
		type: 'function',
		function: { name: call.name, arguments: JSON.stringify({ ...call.arguments, ...call.extra }) },
	};
}

/** Converts the next step to the API's format, with the reason for stopping. */
function toMessage(next: ToolCall[] | string, { tools }: ChatTurn) {
	if (typeof next === 'string') return { message: { content: next }, finish_reason: 'stop' };
	const calls = next.map((call) => toMessagePart(call, tools));
	return { message: { content: null, tool_calls: calls }, finish_reason: 'tool_calls' };
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

const envelope = (object: string) => ({
	id: `chatcmpl-${randomUUID()}`,
	object,
	model: 'stand-in',
	created: Math.floor(Date.now() / 1000),
});

function toAnswer({ message, finish_reason }: ReturnType<typeof toMessage>): object {
	const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason };
	return { ...envelope('chat.completion'), choices: [choice], usage };
}

/** Converts the same answer to server-sent events, with the whole message in one chunk. */
function toEvents({ message, finish_reason }: ReturnType<typeof toMessage>): Response {
	const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
	const delta = { role: 'assistant', ...message, ...(calls && { tool_calls: calls }) };
	const frame = envelope('chat.completion.chunk');
	const chunks = [
		{ ...frame, choices: [{ index: 0, delta, finish_reason: null }] },
		{ ...frame, choices: [{ index: 0, delta: {}, finish_reason }] },
		{ ...frame, choices: [], usage },
	];
	const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
	const stream = events.map((event) => `data: ${event}\n\n`).join('');
	return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

/**
 * Starts a stand-in for a language model, with the chat completions format of the OpenAI API under `/v1`, as JSON or as a
 * stream. Unlike stand-ins with recorded answers, it reads the tools that n8n offers, and `decide` chooses among them.
 */
export async function startChatModel(decide: Decide): Promise<ChatModel> {
	const turns: ChatTurn[] = [];
	const server = await startJsonServer((path, body) => {
		if (path !== '/v1/chat/completions') {
			return Response.json({ error: { message: `Nothing is at ${path}` } }, { status: 404 });
		}
		const turn = readTurn(body);
		turns.push(turn);
		const next = toMessage(decide(turn), turn);
		return readObject(body, 'the request').stream === true ? toEvents(next) : toAnswer(next);
	});
	return { ...server, turns };
}
