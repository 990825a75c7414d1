import Type, { type Static } from 'typebox';
import { Failed, WritePending, WriteSucceeded } from './contract-call.mts';
import { Closed } from './closed.mts';

/** Visible ASCII characters. A comma could join two headers. */
const FORM = '^[!-+\\x2d-~]{1,128}$';

const Label = (description: string) =>
	Type.String({
		pattern: FORM,
		description: `${description} 1 to 128 visible ASCII characters, no comma.`,
	});

const node = Label('What sends writes, for example a node of a workflow.');
const execution = Label('For which of its executions.');
const place = Label('Where in the execution.');
const call = Label('Which call.');

const Attempt = Type.String({
	pattern: '^(?:0|[1-9]\\d{0,8})$',
	description:
		'Number of the attempt that sends the write, as POST /v1/attempts returned it; 0, the default, before the first.',
});

/** The labels of a write. Nothing but `write-attempt` is interpreted; all others need the first two. */
export const LabelHeaders = {
	'write-node': Type.Optional(node),
	'write-execution': Type.Optional(execution),
	'write-place': Type.Optional(place),
	'write-call': Type.Optional(call),
	'write-attempt': Type.Optional(Attempt),
};

export const AttemptRequest = Closed({ node, execution });

export const EqualCallsQuery = Type.Object({
	node,
	call,
	within: Type.String({
		pattern: '^[1-9]\\d{0,6}$',
		description:
			'How long ago they were submitted at most, in seconds, by the clock of the database.',
	}),
});

const own = {
	key: Type.String(),
	node: Type.String(),
	execution: Type.String(),
	place: Type.Optional(Type.String()),
	call: Type.Optional(Type.String()),
	state: Type.Enum(['PENDING', 'SUCCESS', 'REVERTED', 'CANCELLED', 'FOREIGN'], {
		description: 'What became of it, with the meaning of `status` of GET /v1/transactions.',
	}),
};

export const ListedWrite = Type.Union(
	[
		Closed({ ...WriteSucceeded.properties, ...own }),
		Closed({ ...WritePending.properties, ...own }),
		Closed({ ...Failed.properties, ...own }),
	],
	{ description: 'The answer to GET /v1/writes/:key, with the key, the labels and the state.' },
);

export const EqualCallsAnswer = Closed({
	writes: Type.Array(ListedWrite, { description: 'All of them, the newest first.' }),
});

export const AttemptAnswer = Closed({
	attempt: Type.Integer({ description: 'Number of the attempt, from 1.' }),
	writes: Type.Array(ListedWrite, {
		description: 'All writes of the execution, the oldest first.',
	}),
});

export type ListedWrite = Static<typeof ListedWrite>;
