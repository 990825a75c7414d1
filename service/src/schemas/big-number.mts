import Type, { type Static } from 'typebox';

export const BigNumber = Type.Object(
	{
		type: Type.Literal('BigNumber'),
		hex: Type.String({
			pattern: '^-?0x([0-9a-f]{2})+$',
			description:
				'The integer in base 16 with whole bytes, so leading zeros occur; a negative one starts with "-0x".',
			examples: ['0x0642f8'],
		}),
	},
	{ additionalProperties: false, description: 'An integer of any size.' },
);

export type BigNumber = Static<typeof BigNumber>;
