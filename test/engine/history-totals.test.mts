/** The totals that History: Get Many returns: exact, by token and direction, and by person where the service reports them. */
import { formatUnits, parseUnits } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { useService } from '../support/sandbox/service.mts';
import { ALICE, BOB, type ListedTransfer, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const LIST = { resource: 'history', operation: 'list' };
const TOTALS = { ...LIST, returned: 'totals' };
const PER_PERSON = { ...LIST, returned: 'totalsPerPerson' };

describe('against a scripted service', () => {
	const node = useNode();
	const totals = async (parameters: IDataObject) => await node.outputs(parameters);
	const list = (...transfers: Omit<ListedTransfer, 'hash'>[]) =>
		void (node.service.looks = [transfers.map((one, index) => ({ hash: `0x${index}`, ...one }))]);

	const person = (username: string, address: string) => ({ username, platform: 'GOOGLE', address });
	const TO_ME = { to: person('Nelly', ALICE.address.toUpperCase().replace('X', 'x')) };
	const CAROL = `0x${'c3'.repeat(20)}`;
	const ofToken = (tokenAddress: string, symbol: string, hex: string, decimals: number) => ({
		amount: { valueBn: { type: 'BigNumber', hex }, formatted: 0, decimals, symbol, tokenAddress },
	});
	const OTHER = `0x${'0e'.repeat(20)}`;
	const hex = (amount: bigint) => `0x${amount.toString(16)}`;

	test('sums are exact beyond 2^53, by token and direction, with all transfers counted', async () => {
		const big = 2n ** 200n + 1n;
		list(
			...Array<object>(60).fill({ hex: '0x01' }),
			{ hex: hex(big), said: TO_ME },
			{ hex: hex(big), said: TO_ME },
			{ said: { ...TO_ME, ...ofToken(OTHER, 'ODD', '0x01', 0) } },
			{ said: { ...TO_ME, ...ofToken(OTHER, 'ODD', '0x01', 0) } },
		);
		const received = { direction: 'received', userId: ALICE.id };
		expect(await totals(TOTALS)).toEqual([
			{
				direction: 'sent',
				amount: '0.00006',
				symbol: 'SUSD',
				count: 60,
				tokenAddress: TOKEN,
				userId: ALICE.id,
			},
			{
				...received,
				amount: formatUnits(2n * big, 6),
				symbol: 'SUSD',
				count: 2,
				tokenAddress: TOKEN,
			},
			{ ...received, amount: '2', symbol: 'ODD', count: 2, tokenAddress: OTHER },
		]);
	});

	test('one token in another case is one; two tokens of one symbol are two; what moved nothing is not counted', async () => {
		list(
			{ said: ofToken(OTHER, 'X', '0x05', 1) },
			{ said: ofToken(OTHER.toUpperCase().replace('X', 'x'), 'X', '0x05', 1) },
			{ said: ofToken(TOKEN, 'X', '0x05', 1) },
			{ type: 'FAILED', said: ofToken(TOKEN, 'X', '0x05', 1) },
		);
		expect(await totals(TOTALS)).toMatchObject([
			{ amount: '1', count: 2, tokenAddress: OTHER },
			{ amount: '0.5', count: 1, tokenAddress: TOKEN },
		]);
	});

	test('by person: the recipient, and the sender where the service reports one', async () => {
		const from = (username: string, address: string) => ({
			...TO_ME,
			from: person(username, address),
		});
		list(
			{},
			{ said: from('Rahul', BOB.address) },
			{ said: from('Rahul', BOB.address.toUpperCase().replace('X', 'x')) },
			{ said: from('Rahul', CAROL) },
			{ said: from('', OTHER) },
			{ said: TO_ME },
			{ said: { ...TO_ME, from: null } },
		);
		const received = { direction: 'received', symbol: 'SUSD', userId: ALICE.id };
		expect(await totals(PER_PERSON)).toMatchObject([
			{ direction: 'sent', amount: '12.5', who: 'Rahul', whoAddress: BOB.address, count: 1 },
			{ ...received, amount: '25', who: 'Rahul', whoAddress: BOB.address, count: 2 },
			{ ...received, amount: '12.5', who: 'Rahul', whoAddress: CAROL, count: 1 },
			{ ...received, amount: '12.5', who: OTHER, whoAddress: OTHER, count: 1 },
			{ ...received, amount: '25', who: 'not known', count: 2 },
		]);
		expect((await totals(PER_PERSON)).at(-1)).not.toHaveProperty('whoAddress');
	});

	test('the list shows the sender, too, and the ID of an NFT, where the service reports them', async () => {
		const said = { ...TO_ME, from: person('Rahul', BOB.address), tokenId: 7 };
		list(
			{ said },
			{ said: TO_ME },
			{ said: { ...ofToken(OTHER, 'ART', '0x01', 0), tokenId: '0x2a' } },
		);
		const [first, second, third] = await totals(LIST);
		expect(first).toMatchObject({ direction: 'received', who: 'Rahul', tokenId: '7' });
		expect(second).toMatchObject({ who: 'not known' });
		expect(second).not.toHaveProperty('tokenId');
		expect(third).toMatchObject({ direction: 'sent', who: 'Rahul', tokenId: '42' });
	});

	test('filters apply, and a list that begins after Since is marked', async () => {
		list({ second: 50 }, { second: 40, said: TO_ME }, { second: 30 });
		const since = (time: string) => ({ filters: { direction: 'sent', since: time } });
		const sent = { direction: 'sent', amount: '25', count: 2 };
		expect(await totals({ ...TOTALS, ...since('2026-11-21T11:00:00Z') })).toMatchObject([
			{ ...sent, windowCovers: false },
		]);
		list({ second: 500 }, { second: 30 });
		expect(await totals({ ...TOTALS, ...since('2026-11-21T12:05:00Z') })).toMatchObject([
			{ amount: '12.5', count: 1, windowCovers: true },
		]);
		list();
		expect(await totals(TOTALS)).toEqual([]);
	});

	test('for several users each, whatever Limit a switch between the choices has left', async () => {
		list({}, {});
		const both = { userId: `${ALICE.id}, ${BOB.id}`, limit: 1, returnAll: false };
		expect(await totals({ ...TOTALS, ...both })).toMatchObject([
			{ userId: ALICE.id, direction: 'sent', count: 2 },
			{ userId: BOB.id, direction: 'received', count: 2 },
		]);
	});

	test.each([
		[{ returned: 'sums' }, /Return: "sums" is not/],
		[{ simplify: false }, /Return: Totals are not JSON of the service/],
	])('%j is refused', async (changes, message) => {
		for (const error of await node.refused({ ...TOTALS, ...changes }, 'Return'))
			expect(error.message).toMatch(message);
	});
});

describe('against the reference service', () => {
	const node = useNode(useService());

	test('the totals are those of the chain', async () => {
		const { address, id } = node.service.user('Nelly');
		const transfers = await node.service.chain.history(address);
		const items = await node.outputs({ ...TOTALS, userId: id });
		const { usd } = node.service.contracts;
		const received = transfers.filter(
			({ tokenAddress, direction }) =>
				tokenAddress === usd.toLowerCase() && direction === 'received',
		);
		const sum = received.reduce((total, { amount }) => total + parseUnits(amount, 6), 0n);
		expect(
			items.find((one) => one.symbol === 'SUSD' && one.direction === 'received'),
		).toMatchObject({
			amount: formatUnits(sum, 6).replace(/\.0$/, ''),
			count: received.length,
		});
		expect(items.reduce((total, { count }) => total + Number(count), 0)).toBe(transfers.length);
	});

	test('totals per person name who paid, and how much', async () => {
		const { service } = node;
		const { user, contracts } = service;
		const nelly = user('Nelly');
		for (const [from, amount] of [
			['Rahul Sen', '1500000'],
			['mika_dev', '2000000'],
			['Rahul Sen', '3000000'],
		] as const) {
			await service.submit(from, 'usd', 'mint(address,uint256)', [user(from).address, amount]);
			await service.submit(from, 'usd', 'transfer(address,uint256)', [nelly.address, amount]);
		}
		const items = await node.outputs({ ...PER_PERSON, userId: nelly.id });
		const received = items.filter(
			({ direction, tokenAddress }) =>
				direction === 'received' && tokenAddress === contracts.usd.toLowerCase(),
		);
		const { address: rahul } = user('Rahul Sen');
		const { address: mika } = user('mika_dev');
		expect(received).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ who: 'Rahul Sen', whoAddress: rahul, amount: '4.500001' }),
				expect.objectContaining({ who: 'mika_dev', whoAddress: mika, amount: '2' }),
			]),
		);
	});
});
