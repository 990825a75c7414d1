import Type from 'typebox';
import { WriteAnswer } from './contract-call.mts';
import { Closed } from './closed.mts';
import { LabelHeaders } from './labels.mts';

/** A key of 1 to 255 printable ASCII characters. */
export const KEY = /^[\x20-\x7e]{1,255}$/;

export const KeyParams = Type.Object({
	key: Type.String({
		pattern: KEY.source,
		description:
			"The caller's key for the write, percent-encoded: 1 to 255 printable ASCII characters.",
	}),
});

export const KeyHeaders = Type.Object({
	...LabelHeaders,
	'idempotency-key': Type.Optional(
		Type.String({
			description: 'Key of the write, bare or in quotation marks; the same as PUT under this key.',
		}),
	),
});

const Void = Closed({
	status: Type.Literal('VOID', { description: 'No write has the key, and none ever will.' }),
	key: Type.String(),
});

export const FenceAnswer = Type.Union([WriteAnswer, Void]);
