import Type, { type Static } from 'typebox';
import { Closed } from './closed.mts';
import { Limits } from './limits.mts';
import { User } from './user.mts';

const KnowsKeys = Closed({
	put: Type.Literal(true, { description: 'Whether writes can be sent by PUT under a key.' }),
	fence: Type.Literal(true, { description: 'Whether DELETE takes a key out of use.' }),
	attempts: Type.Literal(true, {
		description: 'Whether writes take labels, and POST /v1/attempts lists them by these.',
	}),
	retention: Type.Literal('forever', { description: 'How long keys are kept.' }),
});

export const ServiceDescription = Closed({
	name: Type.String(),
	version: Type.String(),
	chainId: Type.Integer(),
	network: Type.String({ description: 'Network name, lower case.' }),
	writes: Type.Union([KnowsKeys, Type.Literal(false)], {
		description: 'What the service guarantees for writes under a key; false if it knows no keys.',
	}),
	transactions: Type.Boolean({ description: 'Whether the state of a transaction can be read.' }),
	finality: Closed({
		depth: Type.Integer({ description: 'Blocks above a block after which it is final.' }),
	}),
	limits: Closed({
		openWrites: Type.Integer({
			description: 'Writes of a wallet that are not in a block yet.',
		}),
		answerSeconds: Type.Number({ description: 'Time within which a write is answered.' }),
		bodyBytes: Type.Integer({ description: 'Size of a request.' }),
	}),
	user: Type.Optional(
		Closed(Type.Pick(User, ['id', 'username', 'address']).properties, {
			description: 'Whose the access token in the request is; absent without one.',
		}),
	),
	/** The limits of the access token in the request, with what is left; absent without limits. */
	token: Type.Optional(Limits),
});

export type ServiceDescription = Static<typeof ServiceDescription>;
