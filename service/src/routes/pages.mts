import helmet from '@fastify/helmet';
import { formatEther, getAddress } from 'ethers';
import Type from 'typebox';
import type { ReceiptEffects } from '../chain/receipt-effects.mts';
import { Address, TransactionHash } from '../schemas/text.mts';
import { HTML, page, pageHeaders, type Row } from '../pages/html.mts';
import { RequestError } from './errors.mts';
import type { RateLimits } from './rate-limits.mts';
import type { Routes } from './routes.mts';
import { transferRows } from './transfer-rows.mts';

const AddressParams = Type.Object({ address: Address('Wallet or contract.') });
const TransactionParams = Type.Object({ hash: TransactionHash });

function outcome(effects: ReceiptEffects | undefined): string {
	if (!effects) return 'pending, or no endpoint has its receipt';
	const { status, block } = effects;
	const where = block === undefined ? 'in a block' : `in block ${block.blockNumber}`;
	return status === undefined ? where : `${status === 1 ? 'succeeded' : 'reverted'} ${where}`;
}

const UNCERTAIN: Row = ['Note', 'Too few endpoints show this for it to be certain'];

/** Characters of the data of a transaction that are shown. */
const MOST_DATA = 1_000;

const shortened = (data: string): string =>
	data.length <= MOST_DATA ? data : `${data.slice(0, MOST_DATA)}… (${data.length / 2 - 1} bytes)`;

/**
 * A small block explorer, linked from answers, of what the chain says. These routes need no token, so that they say nothing
 * about users, and are limited like requests with a wrong one.
 */
export const explorerRoutes: Routes<{
	limits: RateLimits | undefined;
	/** Further rows of the first page. */
	rows(): Row[];
}> = async (app, { service, limits, rows: further }) => {
	const { chain, explorer } = service;
	app.addHook('onRequest', async (request) => await limits?.failed(request));
	await app.register(helmet, pageHeaders());

	app.get('/explorer', { schema: { hide: true } }, async (_request, reply) => {
		const rows: Row[] = [
			['Chain', `${chain.network} (${chain.chainId})`],
			['Newest block', String(await chain.head())],
			...further(),
		];
		return reply.type(HTML).send(page('Block explorer', rows));
	});

	app.get(
		'/explorer/address/:address',
		{ schema: { hide: true, params: AddressParams } },
		async ({ params: { address } }, reply) => {
			const [isContract, count] = await Promise.all([
				chain.hasContract(address),
				chain.count(address),
			]);
			const rows: Row[] = [
				['Address', address],
				['Kind', isContract ? 'contract' : 'wallet'],
				['Transactions sent', String(count)],
			];
			return reply.type(HTML).send(page('Address', rows));
		},
	);

	app.get(
		'/explorer/tx/:hash',
		{ schema: { hide: true, params: TransactionParams } },
		async ({ params: { hash } }, reply) => {
			const [transaction, effects] = await Promise.all([
				chain.transaction(hash),
				chain.effects(hash),
			]);
			if (!transaction) {
				const error = `No endpoint of the network knows a transaction ${hash}`;
				throw new RequestError(404, 'unknown_transaction', error, { field: 'hash' });
			}
			const { nonce, value, data, from: sender, to: receiver } = transaction.answer;
			const [from, to] = [getAddress(sender), receiver === null ? null : getAddress(receiver)];
			const moved = await transferRows(service, effects?.transfers ?? []);
			const { rows: transfers, areCertain } = moved;
			const isCertain = transaction.isCertain && (effects?.isCertain ?? true) && areCertain;
			const isCall = transfers.length > 0;
			const coin: Row = ['Value', `${formatEther(value)} ${chain.nativeSymbol}`];
			const rows: Row[] = [
				['Hash', hash],
				['Outcome', outcome(effects)],
				...(isCertain ? [] : [UNCERTAIN]),
				...transfers,
				[isCall ? 'Sent by' : 'From', from, explorer.address(from)],
				[
					isCall ? 'Called contract' : 'To',
					to ?? 'new contract',
					to === null ? undefined : explorer.address(to),
				],
				...(isCall && value === 0n ? [] : [coin]),
				['Nonce', String(nonce)],
				['Data', shortened(data)],
			];
			return reply.type(HTML).send(page('Transaction', rows));
		},
	);
};

/** The avatars of users, linked from answers. They need no token. */
export const avatarRoutes: Routes = async (app) => {
	await app.register(helmet, pageHeaders());

	app.get(
		'/avatars/:address.svg',
		{ schema: { hide: true, params: AddressParams } },
		({ params: { address } }, reply) => {
			// The address determines the colours, so they never change for a user.
			const [front, back] = [address.slice(2, 8), address.slice(-6)];
			return reply
				.type('image/svg+xml')
				.send(
					`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#${back}"/><circle cx="32" cy="24" r="12" fill="#${front}"/><path d="M8 64a24 24 0 0 1 48 0z" fill="#${front}"/></svg>`,
				);
		},
	);
};
