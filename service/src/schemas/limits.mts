import Type, { type Static } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { Closed } from './closed.mts';

const LowerAddress = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
const Units = Type.String({ pattern: '^\\d+$' });

/** An asset whose amounts are limited. Its decimals are those of the day on which the limit was made: later ones change nothing. */
const AssetLimit = Closed({
	asset: Type.Union([Type.Literal('native'), LowerAddress]),
	kind: Type.Enum(['native', 'erc20', 'erc721', 'erc1155']),
	decimals: Type.Integer({ minimum: 0, maximum: 255 }),
	/** For words only. */
	symbol: Type.String(),
	/** Base units. */
	perCall: Type.Optional(Units),
	/** Base units in 24 hours. */
	perDay: Type.Optional(Units),
	/** What is left of `perDay`; not stored. */
	left: Type.Optional(Units),
});

/** What an access token allows, beyond its scopes; a list that is missing limits nothing. */
export const Limits = Closed({
	contracts: Type.Optional(Type.Array(LowerAddress)),
	/** Names with full types, as in `transfer(address,uint256)`. */
	functions: Type.Optional(Type.Array(Type.String())),
	recipients: Type.Optional(Type.Array(LowerAddress)),
	/** The only assets that may move, if there is any. */
	amounts: Type.Optional(Type.Array(AssetLimit)),
});

export type AssetLimit = Static<typeof AssetLimit>;
export type Limits = Static<typeof Limits>;

let validator: Validator | undefined;

/** Reads the stored limits of a token. @throws Error if they cannot be read: the token must not count as unlimited */
export function readLimits(text: string): Limits {
	validator ??= Compile(Limits);
	const value: unknown = JSON.parse(text);
	if (validator.Check(value)) return value as Limits;
	throw new Error('The limits of an access token cannot be read');
}
