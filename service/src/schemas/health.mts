import Type from 'typebox';

export const Health = Type.Object(
	{
		status: Type.Literal('ok'),
		blockNumber: Type.Integer({ description: 'Newest block of the chain.' }),
	},
	{ additionalProperties: false },
);
