import Type, { type Static } from 'typebox';
import { Closed } from './closed.mts';

export const BigNumber = Closed(
	{
		type: Type.Literal('BigNumber'),
		hex: Type.String({
			pattern: '^-?0x([0-9a-f]{2})+$',
			description:
				'The integer in base 16 with whole bytes, so leading zeros occur; a negative one starts with "-0x".',
			examples: ['0x0642f8'],
		}),
	},
	{ description: 'An integer of any size.' },
);

export type BigNumber = Static<typeof BigNumber>;
