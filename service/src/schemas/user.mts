import Type, { type Static } from 'typebox';
import { Address, Url } from './text.mts';
import { Closed } from './closed.mts';

export const Provider = Type.String({
	pattern: '^[A-Z][A-Z0-9_]*$',
	description: 'Identity provider, upper case.',
	examples: ['DISCORD', 'EPIC_GAMES'],
});

export const User = Closed({
	id: Type.String({ description: '`<PROVIDER>-<provider user id>`.' }),
	provider: Provider,
	username: Type.String({ description: 'Display name at the provider.' }),
	address: Address('Wallet address, checksummed.'),
	imageSrc: Url('Avatar image.'),
});

export type User = Static<typeof User>;
