/** Token: Send: to whom, and how a recipient is named. */
import type { IDataObject } from 'n8n-workflow';

import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const run = async (changes: IDataObject = {}) => await node.items(sendOf(changes));

describe('the recipient', () => {
	test('may be an address, and the token a choice of the form, with white space', async () => {
		const token = { __rl: true, mode: 'address', value: ` ${TOKEN} ` };
		const items = await run({ recipient: ` ${BOB.address} `, token });
		const summary = `Submitted: 12.5 SUSD to ${BOB.address}`;
		expect(items).toMatchObject([{ summary, recipient: BOB.address, to: BOB.address }]);
		const sent = { address: TOKEN, args: [BOB.address, '12500000'] };
		expect(node.service.writes).toMatchObject([sent]);
	});

	const ODD = '"Bob GOOGLE-3 a1a1...a1a1"';

	test.each([
		['Rahul Sen', 'Rahul Sen (GOOGLE-2, 0xb2b2…b2b2)', 'Rahul Sen'],
		['Bob\n\u202e(GOOGLE-3, 0xa1a1\u2026a1a1)', `${ODD} (GOOGLE-2, 0xb2b2…b2b2)`, ODD],
		['secret-token', 'access token removed (GOOGLE-2, 0xb2b2…b2b2)', 'access token removed'],
		['\u2800', 'GOOGLE-2 (0xb2b2…b2b2)', undefined],
		[17, 'GOOGLE-2 (0xb2b2…b2b2)', undefined],
	])('named %j is shown by that name beside the user ID', async (username, words, name) => {
		node.service.profiles[BOB.id] = { ...BOB, username };
		const [[sent], [tried]] = [await run(), await run({ preview: true })];
		expect(sent?.summary).toBe(`Submitted: 12.5 SUSD to ${words}`);
		expect(tried?.summary).toBe(`Would send 12.5 SUSD from DISCORD-1 to ${words}`);
		expect([sent, tried]).toMatchObject([{ recipient: BOB.id }, { recipient: BOB.id }]);
		expect([sent?.recipientName, tried?.recipientName]).toEqual([name, name]);
	});

	test.each([
		[{ recipient: ALICE.id }, '12.5 SUSD to DISCORD-1 (0xa1a1…a1a1)'],
		[
			{ recipient: ALICE.address, tokenStandard: 'erc721', pieceId: '42' },
			`SUSD #42 from DISCORD-1 (0xa1a1…a1a1) to DISCORD-1 (0xa1a1…a1a1)`,
		],
	])('is called your own wallet: %j', async (changes, words) => {
		const [sent] = await run(changes);
		expect(sent?.summary).toBe(`Submitted: ${words}, your own wallet`);
		const [tried] = await run({ ...changes, preview: true });
		expect(tried?.summary).toMatch(/, your own wallet$/);
	});

	test('is called your own wallet by its address, too, if the service says whose the token is', async () => {
		node.service.description = { user: { id: ALICE.id, address: ALICE.address.toLowerCase() } };
		const own = { recipient: ALICE.address };
		const words = `12.5 SUSD to ${ALICE.address}, your own wallet`;
		expect(await run(own)).toMatchObject([{ summary: `Submitted: ${words}` }]);
		const tried = {
			summary: `Would send 12.5 SUSD from DISCORD-1 to ${ALICE.address}, your own wallet`,
		};
		expect(await run({ ...own, preview: true })).toMatchObject([tried]);
	});

	test.each([
		['Rahul', /"Rahul" is neither a user ID nor a wallet address/],
		['  ', / is neither/],
		['DISCORD-1, GOOGLE-2', /"DISCORD-1, GOOGLE-2" is a list/],
		['DISCORD-1\nGOOGLE-2', / is a list/],
		...[`Anna ${BOB.address}`, `${BOB.address} (Anna)`, `Anna: ${BOB.address}`].map(
			(text): [string, RegExp] => [text, /contains text besides the address$/],
		),
		['={{ ["DISCORD-1"] }}', /\["DISCORD-1"\] is a list/],
		[`https://etherscan.io/token/${BOB.address}`, /is not a block explorer page of a wallet/],
		['={{ $json.nobody }}', /The expression returned nothing/],
		['={{ 5 }}', /5 is neither/],
		[BOB.address.slice(2), /"b2b2\w+" is not an address/],
		[`\u200b${BOB.address}`, /"\\u200b0xb2b2\w+" is not an address/],
		['0x12', / has 2 hexadecimal digits instead of 40/],
		['DISCORD-404', /No wallet address is known for the user "DISCORD-404"/],
		[`0x${'0'.repeat(40)}`, /"0x0+" is the zero address: tokens sent/],
		[TOKEN.toLowerCase(), / is the token's own contract/],
	])('%j is refused', async (recipient, message) => {
		const refusal = await node.refusal(sendOf({ recipient }));
		expect(refusal.message).toMatch(new RegExp(`^Recipient: .*${message.source}`));
	});
});
