/** Who may receive tokens, and how many: Allowed Recipients and Token Limits per Execution of a credential. */
import type { IDataObject } from 'n8n-workflow';

import { failed, json, LOST } from './support/answers.mts';
import { callOf as write, sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, CAROL, TOKEN, valueOf } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const OTHER_TOKEN = `0x${'d4'.repeat(20)}`;
const AMOUNT = { amount: '={{ $json.amount }}' };
const PAY = write('pay() payable', [], { options: { nativeCoin: '={{ $json.amount ?? 1 }} wei' } });

/** Changes that include a resource are a complete write; others are applied to Token: Send. */
const parametersOf = (changes: IDataObject) => ('resource' in changes ? changes : sendOf(changes));

const run = async (changes: IDataObject, policy: IDataObject, more: RunSettings = {}) =>
	await node.items(parametersOf(changes), {
		node: CONTINUE,
		credential: node.service.credential(policy),
		...more,
	});

const SENT = { submitted: true };
/** The item of a refused write. */
const refused = (words: RegExp) => ({ error: expect.stringMatching(words) });

async function refusal(changes: IDataObject, policy: IDataObject): Promise<string> {
	const credential = node.service.credential(policy);
	return (await node.refusal(parametersOf(changes), { credential })).message;
}

describe('Allowed Recipients', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['a listed address', {}, { allowedRecipients: `${CAROL}\n0x${'B2'.repeat(20)}` }],
		['a listed user', {}, { allowedRecipients: `DISCORD-9, ${BOB.id}` }],
		['the wallet of a listed user', { recipient: BOB.address }, { allowedRecipients: BOB.id }],
		['a list of text entries', {}, { allowedRecipients: [CAROL, BOB.id] }],
		['a function by name', write('mint(address)', [CAROL]), { allowedFunctions: 'mint(address)' }],
	])('%s passes', async (_name, changes, policy) => {
		const given = { allowedRecipients: BOB.id, ...policy };
		expect(await run(changes, given)).toMatchObject([SENT]);
	});

	test.each<[string, IDataObject, RegExp]>([
		['another address', { recipient: CAROL }, /0xc3c3.* is not in the list/],
		['an operator', write('setApprovalForAll(address,bool)', [CAROL, true]), /0xc3c3/],
		['an unknown function', write('pay(address)', [BOB.id]), /pay\(address\) \(0x0c11dedd\)/],
		['native coin', PAY, /the recipient of pay\(\) .*is unknown/],
	])('%s is refused', async (_name, changes, message) => {
		const said = await refusal(changes, { allowedRecipients: `${BOB.id}, ${BOB.address}` });
		expect(said).toContain('rule "Allowed Recipients"');
		expect(said).toMatch(message);
	});

	test.each<[string, IDataObject]>([
		['Token: Send', {}],
		['an argument', write('transfer(address,uint256)', [BOB.id, '1'])],
	])('names the person in place of a wallet: %s', async (_name, changes) => {
		const said = async (username?: string) => {
			node.service.profiles[BOB.id] = { ...BOB, username };
			return await refusal(changes, { allowedRecipients: CAROL });
		};
		const rule = /rule "Allowed Recipients": /.source;
		const who = /Rahul Sen \(GOOGLE-2, 0xb2b2…b2b2\) is not in the list/.source;
		expect(await said('Rahul Sen')).toMatch(new RegExp(`${rule}${who}`));
		expect(await said()).toContain('"Allowed Recipients": GOOGLE-2 (0xb2b2…b2b2) is not in');
	});

	test.each<[string, IDataObject]>([
		['Allowed Contracts', { allowedContracts: CAROL }],
		['Token Limits per Execution', { amountLimits: `1 ${CAROL}` }],
	])('a token is named, too: %s', async (rule, policy) => {
		const said = (await refusal({}, policy)).toLowerCase();
		expect(said).toContain(`rule "${rule.toLowerCase()}": `);
		expect(said).toContain(`susd (${TOKEN.toLowerCase()}) is not in the list`);
	});

	test('is judged before Token Limits per Execution', async () => {
		const policy = { allowedRecipients: BOB.id, amountLimits: `1 ${TOKEN}` };
		expect(await refusal({ recipient: CAROL }, policy)).toContain('rule "Allowed Recipients"');
	});

	test('native coin goes to a listed recipient, or to an allowed contract', async () => {
		const policy = { allowedRecipients: BOB.id, allowedFunctions: 'pay()' };
		const neither = /would receive .*1 wei.* and is neither in the list nor in Allowed Contracts/;
		expect(await refusal(PAY, policy)).toMatch(neither);
		for (const list of [{ allowedContracts: TOKEN }, { allowedRecipients: TOKEN }]) {
			expect(await run(PAY, { ...policy, ...list })).toMatchObject([SENT]);
		}
	});

	test('a listed user is looked up for each write, and a new wallet is another recipient', async () => {
		let asked = 0;
		node.service.script = ({ path }) => {
			if (path !== `/v1/users/${BOB.id}`) return undefined;
			// The first look-up resolves the recipient for the whole run.
			return json({ ...BOB, address: ++asked <= 2 ? BOB.address : CAROL });
		};
		const items = await run({}, { allowedRecipients: BOB.id }, { items: [{}, {}] });
		expect(items).toMatchObject([SENT, refused(/0xb2b2\w+ is not in the list/)]);
		expect(node.service.writes).toHaveLength(1);
	});

	test.each([404, 500, 403])('a look-up that fails with %d causes a refusal', async (status) => {
		node.service.script = ({ path }) => (path.endsWith(BOB.id) ? json({}, status) : undefined);
		const changes = { recipient: CAROL, options: { maxTries: 1 } };
		const said = await refusal(changes, { allowedRecipients: BOB.id });
		expect(said).toContain('rule "Allowed Recipients": the user "GOOGLE-2" cannot be looked up');
	});
});

describe('Token Limits per Execution', () => {
	const limit = (amount: string) => ({ amountLimits: `${amount} ${TOKEN.toLowerCase()}` });

	test('count what an execution moves or approves, in whole tokens', async () => {
		const items = ['100', '100', '100', '50', '0.000001'].map((amount) => ({ amount }));
		const error = expect.stringContaining(
			`rule "Token Limits per Execution": this execution already counts 200 SUSD (token ${TOKEN.toLowerCase()}) and would move 100 SUSD more; the limit is 250 SUSD`,
		);
		expect(await run(AMOUNT, limit('250'), { items })).toMatchObject([
			...[SENT, SENT, { error }, SENT, refused(/Token Limits per Execution/)],
		]);
	});

	test.each<[string, IDataObject, IDataObject, RegExp]>([
		['tokens', AMOUNT, limit('100'), /already counts 60 SUSD/],
		['native coin', PAY, { maxValuePerExecution: '100 wei' }, /\(60 wei\)/],
	])('leave out only refused writes: %s', async (_of, changes, policy, counted) => {
		node.service.answer(failed(), LOST);
		const items = ['60', '60', '50', '40', '1'].map((amount) => ({ amount }));
		// The second write has an unknown outcome, so its amount counts.
		const [first, second] = [refused(/no gas yet/), refused(/MAY have been sent/)];
		expect(await run(changes, policy, { items })).toMatchObject([
			...[first, second, refused(counted), SENT, refused(/100 /)],
		]);
		expect(node.service.writes).toHaveLength(3);
	});

	test('hold for 50 simultaneous calls', async () => {
		const [, routed] = await node.ways();
		const items = Array.from({ length: 50 }, (_, index) => ({ amount: `5.${10 + index}` }));
		const credential = node.service.credential(limit('100'));
		await node.run(sendOf(AMOUNT), { credential, items, node: CONTINUE }, routed);
		const moved = node.service.writes.map(({ args }) => Number(args[1]));
		const total = moved.reduce((sum, amount) => sum + amount, 0);
		expect(total <= 100_000_000 && total > 94_000_000).toBe(true);
	});

	const BATCH = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';
	const TRANSFER = 'transfer(address,uint256)';

	test.each<[abi: string, args: unknown[], message: RegExp, contractAddress?: string]>([
		[TRANSFER, [CAROL, '10000001'], /would move 10\.000001 SUSD; the limit is 10 SUSD/],
		['approve(address,uint256)', [CAROL, '10000001'], /would approve 10\.000001/],
		[TRANSFER, [CAROL, '1'], /token 0xd4d4.* is not in the list/, OTHER_TOKEN],
		['mint(address,uint256)', [CAROL, '1'], /mint\(.* could move any amount/],
		['setApprovalForAll(address,bool)', [CAROL, true], /approves every token of the contract/],
		[BATCH, [ALICE.id, CAROL, ['1', '2'], ['6', '5'], '0x'], /would move 11 /],
	])('%s %j is refused', async (abi, args, message, contractAddress = TOKEN) => {
		node.service.reports({ isItems: abi === BATCH });
		const said = await refusal(write(abi, args, { contractAddress }), limit('10'));
		expect(said).toContain('rule "Token Limits per Execution"');
		expect(said).toMatch(message);
	});

	test.each([undefined, 0, 18])(
		'an NFT with decimals of %j counts as 1, however it is moved or approved',
		async (decimals) => {
			node.service.facts = { isNft: true, decimals };
			const by = [ALICE.id, CAROL, '42'];
			const items = [
				...['safeTransferFrom(address,address,uint256)', 'transferFrom(address,address,uint256)'],
				...['approve(address,uint256 amount)', 'approve(address,uint256 tokenId)'],
				...['transfer(address,uint256)', 'increaseAllowance(address,uint256)'],
				'safeTransferFrom(address,address,uint256)',
			].map((abi) => ({ abi, args: abi.includes('From') ? by : by.slice(1) }));
			const changes = write('={{ $json.abi }}', [], { args: '={{ $json.args }}' });
			const last = refused(/already counts 6 .* would move 1 .* limit is 6 /);
			const sent = items.slice(1).map(() => SENT);
			expect(await run(changes, limit('6'), { items })).toMatchObject([...sent, last]);
		},
	);

	test('a contract that also has tokens with decimals is not counted below them', async () => {
		node.service.facts = { isNft: true, decimals: 6 };
		const FROM = 'transferFrom(address,address,uint256)';
		for (const [abi, ...before] of [[TRANSFER], [FROM, ALICE.id], ['approve(address,uint256)']]) {
			const said = await refusal(write(`${abi}`, [...before, CAROL, '11000000']), limit('10'));
			expect(said).toMatch(/would (?:move|approve) 11 .*limit is 10 /);
		}
	});

	const ITEMS = 'safeTransferFrom(address,address,uint256,uint256,bytes)';

	test('a quantity counts only if the contract reports ERC-1155, and ERC-1155 alone', async () => {
		const send = write(ITEMS, [ALICE.id, CAROL, '7', '5', '0x']);
		for (const facts of [{ isNft: true }, {}, { isNft: true, isItems: true }, { decimals: 6 }]) {
			node.service.facts = facts;
			expect(await refusal(send, limit('10'))).toMatch(/does not report support for ERC-1155/);
		}
		node.service.facts = { isItems: true };
		const items = [{}, {}, {}];
		expect(await run(send, limit('10'), { items })).toMatchObject([SENT, SENT, refused(/10 /)]);
	});

	test('a token that does not report NFTs is not counted by pieces', async () => {
		const abi = 'safeTransferFrom(address,address,uint256)';
		const said = await refusal(write(abi, [ALICE.id, CAROL, '10000000']), limit('10'));
		expect(said).toMatch(
			/rule "Token Limits per Execution": 0xd8da.* does not report support for ERC-721/,
		);
	});

	test.each([undefined, 500, 300, 'six'])('decimals of %j cause a refusal', async (decimals) => {
		node.service.reports({ decimals });
		const changes = write(TRANSFER, [CAROL, '1'], { options: { maxTries: 1 } });
		const said = await refusal(changes, limit('10'));
		expect(said).toMatch(/rule "Token Limits per Execution": the decimals of 0xd8da.* cannot be/);
	});

	test('decimals are read for each write: an amount converted with other decimals is refused', async () => {
		const answers = [6, 6, 2];
		node.service.script = ({ body }) =>
			body.includes('decimals()') ? valueOf(answers.shift() ?? 2) : undefined;
		const items = await run({ amount: '1' }, limit('10'), { items: [{}, {}] });
		const second = refused(/decimals of 0xd8da.* have changed from 6 to 2/);
		expect(items).toMatchObject([SENT, second]);
	});

	test('Try Without Sending applies them, and reserves nothing', async () => {
		const items = [{ amount: '8' }, { amount: '8' }, { amount: '11' }];
		const changes = { preview: true, ...AMOUNT };
		const tried = { submitted: false };
		const third = refused(/would move 11 SUSD; the limit is 10 SUSD/);
		expect(await run(changes, limit('10'), { items })).toMatchObject([tried, tried, third]);
		expect(node.service.writes).toEqual([]);
	});
});
