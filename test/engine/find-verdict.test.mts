/** History: Find Transfer takes nothing for a transfer that is none, or another one. */
import type { INodeParameters } from 'n8n-workflow';

import {
	hashOf,
	OTHER,
	OWN,
	SUBMITTED,
	TOKEN,
	useListedHistory,
} from './support/listed-history.mts';

const { find, found, history } = useListedHistory();

test.each<[told: INodeParameters, differs: string[]]>([
	[{ recipient: OTHER.id, token: TOKEN, amount: '12.50' }, []],
	[{ amount: '12.5' }, []],
	[{ amount: '12.6' }, ['amount']],
	[{ recipient: OWN.id }, []],
	[{ recipient: OWN.id, amount: '0' }, []],
	[{ recipient: OWN.id, amount: '12.5' }, ['amount']],
	[{ recipient: TOKEN }, ['recipient']],
	[{ token: OTHER.address, amount: '9' }, ['token', 'amount']],
])('of a transaction with a payment and a fee of 0, %j differs in %j', async (told, differs) => {
	const fee = { to: { username: '', address: OWN.address } };
	history.looks = [
		[{ hash: hashOf(7), hex: '0x00', said: fee }, { hash: hashOf(7) }, { hash: hashOf(8) }],
	];
	const [item = {}] = await found({ transactionHash: hashOf(7), ...told });
	const isSeen = differs.length === 0;
	expect([item.seen, item.matchedBy]).toEqual(isSeen ? [true, 'hash'] : [false, undefined]);
	expect(item.differs ?? []).toEqual(differs);
	const options = { ifNotFound: 'fail' };
	const { error } = await find({ transactionHash: hashOf(7), ...told, options });
	if (isSeen) expect(error).toBeUndefined();
	else expect(error?.message).toContain(`is listed, but not with this ${differs.join(', ')} (`);
});

test('no field of the service takes the place of what the node found, also without Simplify', async () => {
	const said = {
		summary: 'Refused',
		seen: false,
		matchedBy: 'content',
		windowCovers: true,
		checkedFor: -1,
		checkedAt: '',
	};
	history.looks = [[{ hash: hashOf(7), said }]];
	const [item = {}] = await found({ simplify: false }, [{ hash: hashOf(7) }]);
	expect(Object.entries(item).slice(0, 3)).toEqual([
		['summary', expect.stringMatching(/^Arrived: /)],
		['seen', true],
		['matchedBy', 'hash'],
	]);
	expect(item).toMatchObject({ hash: hashOf(7), to: { username: 'Rahul' } });
});

test.each(['FAILED', 'APPROVAL', 'PENDING', 'x'])(
	'an entry of the type %s is no transfer',
	async (type) => {
		history.looks = [[{ hash: hashOf(3), type }]];
		const item = { tokenAddress: TOKEN, to: OTHER.address, amount: '12.5', submittedAt: SUBMITTED };
		for (const findBy of ['hash', 'content']) {
			const input = [{ ...item, hash: hashOf(3) }];
			expect(await found({ options: { findBy } }, input)).toMatchObject([{ seen: false }]);
		}
	},
);

test('two equal transfers of which the service names no hash each serve an item', async () => {
	history.looks = [
		[
			{ hash: '', second: 9 },
			{ hash: '', second: 4 },
		],
	];
	const item = { tokenAddress: TOKEN, to: OTHER.address, amount: '12.5', submittedAt: SUBMITTED };
	expect(await found({ options: { findBy: 'content' } }, [item, item, item])).toMatchObject([
		{ seen: true, timestamp: '2026-11-21T12:00:04.000Z' },
		{ seen: true, timestamp: '2026-11-21T12:00:09.000Z' },
		{ seen: false },
	]);
});
