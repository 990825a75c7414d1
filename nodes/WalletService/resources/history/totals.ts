import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ReadParameter } from '../../request/run/read-parameter';
import { parseChoice } from '../../values/choice';
import { formatDecimal, subtract } from '../../values/decimal';
import { defined } from '../../values/objects';
import { plainText } from '../../values/plain-text';
import { groupBy } from './listing';
import type { HistoryEntry } from './transfer';
import { directionOf, partyOf, whoIs } from './transfer';

const RETURNS = ['transfers', 'totals', 'totalsPerPerson'] as const;

export const returned: INodeProperties = {
	displayName: 'Return',
	name: 'returned',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Totals per Token',
			value: 'totals',
			description: 'One item for each token received, and for each sent: the exact sum',
		},
		{
			name: 'Totals per Token and Person',
			value: 'totalsPerPerson',
			description: 'Who paid or got how much, as far as the service reports it',
		},
		{ name: 'Transfers', value: 'transfers', description: 'One item for each transfer' },
	],
	default: 'transfers',
	description: 'What to return. Amounts are text, which n8n itself adds up to 0.',
};

/** Hides a parameter while totals are returned, which always count every transfer. */
export const ofTransfers = { returned: ['totals', 'totalsPerPerson'] };

/** Reads what to return. @throws InvalidInputError */
export const readReturned = (read: ReadParameter): (typeof RETURNS)[number] =>
	parseChoice(read(returned.name, returned.default), RETURNS, returned.name);

/** The fields of a total, in order. */
export const TOTAL_FIELDS: readonly string[] = [
	...['direction', 'amount', 'symbol', 'who', 'count', 'windowCovers'],
	...['tokenAddress', 'whoAddress', 'userId'],
];

/**
 * Adds up transfers by token, direction and, if wanted, person, exactly. Entries that are not transfers moved nothing.
 *
 * @param address of the user's wallet, lower case
 */
export function totalsOf(
	transfers: readonly HistoryEntry[],
	address: string,
	isPerPerson: boolean,
	more: {
		readonly userId: string;
		readonly windowCovers: boolean | undefined;
		readonly warning: string | undefined;
	},
): IDataObject[] {
	const partyIn = (one: HistoryEntry) => partyOf(one, directionOf(one, address));
	const groups = groupBy(
		transfers.filter(({ type }) => type === undefined),
		(one) => {
			const { tokenAddress, token } = one;
			// Names are not unique; wallets and contracts are.
			const { address: wallet, username } = partyIn(one);
			const who = isPerPerson ? [wallet ?? username].join().toLowerCase() : '';
			return JSON.stringify([tokenAddress || [token.symbol], directionOf(one, address), who]);
		},
	);
	return [...groups.values()].flatMap((group) =>
		group.slice(0, 1).map((first) => {
			const sum = group
				.map(({ amount }) => amount)
				.reduce((one, other) => subtract(one, { ...other, digits: -other.digits }));
			const { symbol, tokenAddress } = first.token;
			const party = isPerPerson ? partyIn(first) : undefined;
			const { userId, windowCovers, warning } = more;
			return {
				...defined({ direction: directionOf(first, address), amount: formatDecimal(sum) }),
				...defined({ symbol: plainText(symbol), who: party && whoIs(party) }),
				...defined({ count: group.length, windowCovers, tokenAddress }),
				...defined({ whoAddress: party?.address, userId, warning }),
			};
		}),
	);
}
