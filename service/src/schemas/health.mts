import Type from 'typebox';
import { Closed } from './closed.mts';

export const Health = Closed({
	status: Type.Literal('ok'),
	blockNumber: Type.Integer({ description: 'Newest block of the chain.' }),
});
