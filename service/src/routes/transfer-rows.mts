import { ZeroAddress } from 'ethers';
import { formatUnits } from '../abi/json.mts';
import type { Transfer } from '../chain/transfers.mts';
import type { LinkedService } from '../service.mts';
import type { Row } from '../pages/html.mts';
import { userByAddress } from '../store/users.mts';

/** Amount and token of a transfer: `12.5 SUSD`. */
function amountOf({ standard, value }: Transfer, symbol: string, decimals: number): string {
	if (standard !== 'ERC20') return `${value} ${symbol || 'of an ERC-1155 token'}`;
	return `${formatUnits(value, decimals).replace(/\.0$/, '')} ${symbol || 'of a token'}`;
}

/** Rows that describe the token transfers of a transaction, in order. */
export async function transferRows(
	{ tokens, db, explorer }: LinkedService,
	transfers: readonly Transfer[],
): Promise<Row[]> {
	const nameOf = async (address: string): Promise<string> =>
		(await userByAddress(db, address))?.username ?? address;
	const rows = transfers.map(async (transfer): Promise<Row[]> => {
		const { token, from, to } = transfer;
		const { name, symbol, decimals } = await tokens.metadata(token);
		const sender = from === ZeroAddress ? 'nobody (new tokens)' : await nameOf(from);
		return [
			['Transfer', `${amountOf(transfer, symbol, decimals)} from ${sender} to ${await nameOf(to)}`],
			['Token', name === '' ? token : `${name}, ${token}`, explorer.address(token)],
			['Recipient', (await userByAddress(db, to))?.id ?? to, explorer.address(to)],
		];
	});
	return (await Promise.all(rows)).flat();
}
