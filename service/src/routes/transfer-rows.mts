import { ZeroAddress } from 'ethers';
import { formatUnits } from '../abi/json.mts';
import type { Transfer } from '../chain/transfers.mts';
import type { LinkedService } from '../service.mts';
import type { Row } from '../pages/html.mts';

/** Amount and token of a transfer: `12.5 SUSD`. */
function amountOf({ standard, value }: Transfer, symbol: string, decimals: number): string {
	if (standard !== 'ERC20') return `${value} ${symbol || 'of an ERC-1155 token'}`;
	return `${formatUnits(value, decimals).replace(/\.0$/, '')} ${symbol || 'of a token'}`;
}

/** Transfers that are described, each in three rows: a transaction can have thousands. */
const MOST = 30;

/** Rows that describe the first token transfers of a transaction, in order, and whether enough endpoints report their tokens. */
export async function transferRows(
	{ tokens, explorer }: LinkedService,
	transfers: readonly Transfer[],
): Promise<{ rows: Row[]; areCertain: boolean }> {
	let areCertain = true;
	const described = transfers.slice(0, MOST).map(async (transfer): Promise<Row[]> => {
		const { token, from, to } = transfer;
		const { name, symbol, decimals, isCertain } = await tokens.metadata(token);
		areCertain &&= isCertain;
		const sender = from === ZeroAddress ? 'nobody (new tokens)' : from;
		return [
			['Transfer', `${amountOf(transfer, symbol, decimals)} from ${sender} to ${to}`],
			['Token', name === '' ? token : `${name}, ${token}`, explorer.address(token)],
			['Recipient', to, explorer.address(to)],
		];
	});
	const more = transfers.length - MOST;
	const rest: Row[] = more > 0 ? [['More transfers', String(more)]] : [];
	const rows = [...(await Promise.all(described)).flat(), ...rest];
	return { rows, areCertain };
}
