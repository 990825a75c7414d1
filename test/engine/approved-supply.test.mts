/** Approvals of more than there is, and of everything by the nature of the function, are unlimited. */
import type { IDataObject } from 'n8n-workflow';

import { callOf, sendOf, transferOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, CAROL, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

/** Ten million tokens with 6 decimals. */
const SUPPLY = 10n ** 13n;
const APPROVE = 'approve(address,uint256)';
const approve = (amount: unknown, abi = APPROVE) => callOf(abi, [BOB.id, amount]);
const suppliesRead = () => node.service.reads.filter((name) => name === 'totalSupply').length;

beforeEach(() => node.service.reports({ totalSupply: String(SUPPLY) }));

/** Checks that calls are sent. */
async function sends(...calls: IDataObject[]): Promise<void> {
	for (const call of calls) await node.items(call);
	expect(node.service.writes).toHaveLength(calls.length);
	node.service.reset();
}

const UNLIMITED = /approves an unlimited amount/;

describe('an approval of more than the total supply', () => {
	test.each<[string, (amount: string) => unknown[]]>([
		[APPROVE, (amount) => [BOB.id, amount]],
		['approve(address spender, uint256 tokenId)', (amount) => [BOB.id, amount]],
		['increaseAllowance(address,uint256)', (amount) => [BOB.id, amount]],
		['approveAndCall(address,uint256,bytes)', (amount) => [BOB.id, amount, '0x']],
		['approve(address,uint256,uint256)', (amount) => [BOB.id, '7', amount]],
		['approve(address,address,uint160,uint48)', (amount) => [CAROL, BOB.id, amount, '9']],
		[
			'permit(address,address,uint256,uint256,bytes)',
			(amount) => [ALICE.id, BOB.id, amount, '9', '0x00'],
		],
	])('is refused by %s, and one of all of it is sent', async (abi, args) => {
		for (const amount of [SUPPLY + 1n, 10n ** 30n, 2n ** 127n]) {
			const { message } = await node.refusal(callOf(abi, args(String(amount))));
			expect(message).toContain(
				`"${amount}" approves an unlimited amount, more than the total supply`,
			);
		}
		await sends(callOf(abi, args(String(SUPPLY))), callOf(abi, args('0')));
	});

	test('is refused in whole tokens, by a form and by the word from data', async () => {
		expect((await node.refusal(approve('10000000.000001 token'))).message).toMatch(UNLIMITED);
		await sends(approve('10000000 token'), approve('unlimited'));
		const args = '={{ ["GOOGLE-2", $json.amount] }}';
		const call = callOf(APPROVE, [], { args });
		const { error } = await node.run(call, { items: [{ amount: String(SUPPLY + 1n) }] });
		expect(error?.message).toMatch(UNLIMITED);
	});

	test('asks the token that an argument names, and the kind of the item', async () => {
		await node.items(callOf('approve(address,address,uint160,uint48)', [CAROL, BOB.id, '5', '9']));
		await node.items(callOf('approve(address,uint256,uint256)', [BOB.id, '7', '5']));
		const reads = node.service.requests.filter(({ body }) => body.includes('totalSupply'));
		expect(reads.map(({ body }) => JSON.parse(body) as IDataObject)).toMatchObject([
			{ address: CAROL, args: [] },
			{ address: TOKEN, args: ['7'] },
		]);
	});

	test('reads the supply once for all items', async () => {
		const args = '={{ ["GOOGLE-2", String($itemIndex + 1)] }}';
		await node.items(callOf(APPROVE, [], { args }), { items: [{}, {}, {}] });
		expect([node.service.writes.length, suppliesRead()]).toEqual([3, 1]);
	});

	test('reads no supply for other writes', async () => {
		const calls = [
			...[sendOf(), transferOf('5'), transferOf('1.5 SUSD'), approve('unlimited'), approve('0')],
			approve('7', 'decreaseAllowance(address,uint256)'),
			callOf('setApprovalForAll(address,bool)', [BOB.id, true]),
		];
		for (const call of calls) await node.items(call);
		expect([node.service.writes.length, suppliesRead()]).toEqual([calls.length, 0]);
	});

	test.each<[string, unknown]>([
		['has no such function', undefined],
		['cannot be asked', 503],
		['gives another answer', 'many'],
	])('is judged by its size alone if the contract %s', async (_why, totalSupply) => {
		node.service.reports({ totalSupply });
		const options = { maxTries: 1 };
		await sends({ ...approve('10000000000000000000000'), options });
		expect((await node.refusal({ ...approve(2n ** 200n + ''), options })).message).toMatch(
			UNLIMITED,
		);
	});

	test('is the ID of an NFT, if the contract says that it is one', async () => {
		node.service.reports({ totalSupply: '3', isNft: true });
		await sends(approve('40'), approve('40', 'approve(address to, uint256 tokenId)'));
		node.service.reports({ isNft: false });
		expect((await node.refusal(approve('40'))).message).toMatch(UNLIMITED);
	});

	test('is no matter of a delegation: what may be borrowed has no supply yet', async () => {
		await sends(approve(String(SUPPLY + 1n), 'approveDelegation(address,uint256)'));
	});
});

describe('a permit of Permit2', () => {
	const details = (amount: unknown) => ({ token: CAROL, amount, expiration: '9', nonce: '0' });
	const DETAILS = '(address token, uint160 amount, uint48 expiration, uint48 nonce)';
	const SINGLE = `permit(address owner, (${DETAILS} details, address spender, uint256 sigDeadline) permitSingle, bytes signature)`;
	const BATCH = SINGLE.replace(`${DETAILS} details`, `${DETAILS}[] details`);
	const single = (amount: unknown) =>
		callOf(SINGLE, [
			ALICE.id,
			{ details: details(amount), spender: BOB.id, sigDeadline: '9' },
			'0x00',
		]);
	const batch = (...amounts: unknown[]) =>
		callOf(BATCH, [
			ALICE.id,
			{ details: amounts.map(details), spender: BOB.id, sigDeadline: '9' },
			'0x00',
		]);
	const MAX = String(2n ** 160n - 1n);

	test.each([MAX, String(2n ** 96n - 1n), String(SUPPLY + 1n)])(
		'of %s is refused',
		async (amount) => {
			expect((await node.refusal(single(amount))).message).toMatch(
				/^permitSingle\.details\.amount \(uint160\): "\d+" approves an unlimited amount/,
			);
			expect((await node.refusal(batch('5', amount))).message).toContain('details[1].amount');
		},
	);

	test('of an amount, or by the word in the node, is sent', async () => {
		await node.items(single('5'));
		await node.items(single('unlimited'));
		await node.items(batch('5', 'unlimited'));
		const amounts = node.service.writes.map(({ args }) => args[1]?.match(/\d{40,}/)?.[0]);
		expect(amounts).toEqual([undefined, MAX, MAX]);
	});

	test('is refused by the word from data, and taken by the word in an expression', async () => {
		const permit = (amount: string) =>
			callOf(SINGLE, [], {
				args: `={{ ["DISCORD-1", { details: { token: "${CAROL}", amount: ${amount}, expiration: "9", nonce: "0" }, spender: "GOOGLE-2", sigDeadline: "9" }, "0x00"] }}`,
			});
		const items = [{ word: 'unlimited', unlimited: 'unlimited' }];
		for (const amount of ['$json.word', '$json["unlimited"]', '"unli" + "mited"']) {
			const { error } = await node.run(permit(amount), { items });
			expect(error?.message).toContain('The word unlimited comes from data or a model');
		}
		expect(node.service.writes).toEqual([]);
		await node.items(permit('"unlimited"'), { items });
		expect(node.service.writes).toHaveLength(1);
	});
});

describe('an approval of everything by the nature of its function', () => {
	const items = [{ to: BOB.address, all: true, text: 'true', abi: 'approve(address)' }];
	const byArgs = (abi: string, args: string): IDataObject => callOf(abi, [], { args });

	test.each(['approve(address)', 'authorizeOperator(address)'])(
		'is sent if the node names %s, and refused from data',
		async (abi) => {
			await node.items(byArgs(abi, '={{ [$json.to] }}'), { items });
			await node.items(byArgs(`=${abi}`, '={{ [$json.to] }}'), { items });
			expect(node.service.writes).toHaveLength(2);
			node.service.reset();
			for (const from of [`={{ $json.abi }}`, `={{ $json.abi.replace("x", "${abi}") }}`]) {
				const { error } = await node.run(byArgs(from, '={{ [$json.to] }}'), {
					items: [{ ...items[0], abi }],
				});
				expect(error?.message).toContain(
					`${abi} approves an unlimited amount, and comes from data`,
				);
			}
			await expect(node.tool(callOf("={{ $fromAI('abi') }}", [BOB.id]), { abi })).rejects.toThrow(
				'unlimited amount',
			);
			expect(node.service.writes).toEqual([]);
		},
	);

	test('by setOperator of ERC-6909 needs the word, and ends with false', async () => {
		const abi = 'setOperator(address,bool)';
		for (const allowed of [true, 'true'])
			expect((await node.refusal(callOf(abi, [BOB.id, allowed]))).message).toMatch(UNLIMITED);
		const { error } = await node.run(byArgs(abi, '={{ [$json.to, $json.all] }}'), { items });
		expect(error?.message).toMatch(UNLIMITED);
		await node.items(callOf(abi, [BOB.id, 'unlimited']));
		await node.items(callOf(abi, [BOB.id, false]));
		expect(node.service.writes.map(({ args }) => args[1])).toEqual(['true', 'false']);
		const credential = node.service.credential({ allowedRecipients: ALICE.address });
		node.service.reset();
		const call = callOf(abi, [BOB.id, 'unlimited']);
		expect((await node.refusal(call, { credential })).message).toContain('"Allowed Recipients"');
	});

	const FOR_ALL = 'setApprovalForAll(address,bool)';
	const toggle = (value: unknown, abi = FOR_ALL) => ({
		...callOf(abi, []),
		argumentsMode: 'fields',
		arguments: {
			mappingMode: 'defineBelow',
			value: { 'argument 1 (address)': BOB.address, 'argument 2 (bool)': value },
		},
	});

	test.each<[string, IDataObject]>([
		['a switch', toggle(true)],
		['a field', toggle('true')],
		['an expression', toggle('={{ true }}')],
		['a choice', toggle('={{ $json.all ? true : false }}')],
		['a list', callOf(FOR_ALL, [BOB.id, true])],
		['an expression for the list', byArgs(FOR_ALL, '={{ [$json.to, true] }}')],
		['text with the rest from data', byArgs(FOR_ALL, '=["{{ $json.to }}", true]')],
		['false from data', byArgs(FOR_ALL, '={{ [$json.to, !$json.all] }}')],
	])('by setApprovalForAll is sent with true in %s', async (_where, call) => {
		await node.items(call, { items });
		expect(node.service.writes).toHaveLength(1);
	});

	test.each<[string, IDataObject]>([
		['data', byArgs(FOR_ALL, '={{ [$json.to, $json.all] }}')],
		['text of data', byArgs(FOR_ALL, '={{ [$json.to, $json.text] }}')],
		['a field from data', toggle('={{ $json.all }}')],
		['a comparison', toggle('={{ $json.all === true }}')],
		['a negation', toggle('={{ !!$json.all && "true" !== "x" }}')],
		['a text', toggle('={{ "it is true" ? $json.all : false }}')],
		['a function from data', byArgs('={{ $json.abi }}', '={{ [$json.to, true] }}')],
	])('by setApprovalForAll is refused with true from %s', async (_where, call) => {
		const { error } = await node.run(call, { items: [{ ...items[0], abi: FOR_ALL }] });
		expect(error?.message).toMatch(/approves an unlimited amount, and comes from data or a model/);
		expect(node.service.writes).toEqual([]);
	});
});
