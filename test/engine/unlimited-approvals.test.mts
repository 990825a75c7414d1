/** Approvals that never run down are made only if the word `unlimited` is in the node itself, and never by a number. */
import type { IDataObject } from 'n8n-workflow';

import { callOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const MAX = (2n ** 256n - 1n).toString();
const APPROVE = 'approve(address,uint256)';
const approve = (amount: unknown, abi = APPROVE): IDataObject => callOf(abi, [BOB.id, amount]);
/** The same by fields; the amount can be an expression. */
const fields = (amount: unknown, more: IDataObject = {}): IDataObject => ({
	...approve(''),
	argumentsMode: 'fields',
	abi: 'approve(address to, uint256 amount)',
	arguments: {
		mappingMode: 'defineBelow',
		value: { 'to (address)': BOB.address, 'amount (uint256)': amount },
	},
	...more,
});
const all = (value: string) => ({ arguments: { mappingMode: 'defineBelow', value } });

describe('a number that never runs down', () => {
	const S32 = `0x${'11'.repeat(32)}`;
	const AUTHORIZED =
		'WithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)';
	const by: Record<string, (amount: string) => unknown[]> = {
		[APPROVE]: (amount) => [BOB.id, amount],
		'approve(address spender, uint256 tokenId)': (amount) => [BOB.id, amount],
		'approve(address, uint256 _id)': (amount) => [BOB.id, amount],
		'increaseAllowance(address,uint256 nftId)': (amount) => [BOB.id, amount],
		'increaseApproval(address,uint256)': (amount) => [BOB.id, amount],
		'approveAndCall(address,uint256,bytes)': (amount) => [BOB.id, amount, '0x'],
		'approveDelegation(address,uint256)': (amount) => [BOB.id, amount],
		'approve(address,uint256,uint256)': (amount) => [BOB.id, '7', amount],
		'approve(address,address,uint160,uint48)': (amount) => [TOKEN, BOB.id, amount, '9'],
		'permit(address,address,uint256,uint256,bytes)': (amount) => [
			...[ALICE.id, BOB.id, amount, MAX, '0x00'],
		],
		'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': (amount) => [
			...[ALICE.id, BOB.id, amount, MAX, '27', S32, S32],
		],
		'delegationWithSig(address,address,uint256,uint256,uint8,bytes32,bytes32)': (amount) => [
			...[ALICE.id, BOB.id, amount, MAX, '27', S32, S32],
		],
		[`approve${AUTHORIZED}`]: (amount) => [ALICE.id, BOB.id, amount, '0', MAX, S32, '27', S32, S32],
		[`increaseAllowance${AUTHORIZED}`]: (amount) => [
			...[ALICE.id, BOB.id, amount, '0', MAX, S32, '27', S32, S32],
		],
	};
	const numbers = [96n, 112n, 128n, 160n].map((bits) => 2n ** bits - 1n);
	const NEVER = [...numbers, 2n ** 96n - 2n, 2n ** 128n, 10n ** 40n, 2n ** 160n - 10n ** 18n];

	test.each(Object.keys(by))('is refused by %s', async (abi) => {
		const wide = abi.includes('uint160')
			? []
			: [2n ** 200n, 2n ** 254n, 2n ** 255n, 2n ** 256n - 1n];
		for (const number of [...NEVER, ...wide]) {
			const call = callOf(abi, by[abi]?.(String(number)) ?? []);
			expect((await node.refusal(call)).message).toContain('approves an unlimited amount');
		}
		expect(node.service.writes).toEqual([]);
	});

	test.each(Object.keys(by))('is not a large amount of a real token, by %s', async (abi) => {
		// The supplies of SHIB and ELON, 10^15 tokens with 18 decimals, and a sixth of what 96 bits hold.
		for (const number of [10n ** 33n, 2n ** 96n / 6n, 2n ** 96n])
			await node.items(callOf(abi, by[abi]?.(String(number)) ?? []));
		expect(node.service.writes).toHaveLength(3);
	});

	test('is the ID of an NFT, if the contract says that it is one, except the largest', async () => {
		const id = (2n ** 255n + 5n).toString();
		for (const abi of [APPROVE, 'approve(address,uint256 tokenId)']) {
			expect((await node.refusal(approve(id, abi))).message).toContain('unlimited amount');
			node.service.reports({ isNft: true });
			expect(await node.items(approve(id, abi))).toMatchObject([{ submitted: true }]);
			node.service.reset();
			expect((await node.refusal(approve(MAX, abi))).message).toContain('unlimited amount');
			node.service.reports({ isNft: false });
		}
	});

	test('is refused for a failure of the service if the contract cannot be asked', async () => {
		node.service.script = ({ body }) =>
			body.includes('supportsInterface') ? { status: 503 } : undefined;
		const call = { ...approve(String(2n ** 255n)), options: { maxTries: 1 } };
		expect(await node.refusal(call)).toMatchObject({ code: 'service-error' });
	});

	test('is an approval with DAI, whose permit has no amount', async () => {
		const abi = 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)';
		const permit = (allowed: unknown) =>
			callOf(abi, [ALICE.id, BOB.id, '1', '0', allowed, '27', S32, S32]);
		for (const allowed of [true, 'true'])
			expect((await node.refusal(permit(allowed))).message).toMatch(/unlimited amount/);
		await node.items(permit('unlimited'));
		await node.items(permit(false));
		const [granted, ended] = node.service.writes.map(({ args }) => args[4]);
		expect([granted, ended]).toEqual(['true', 'false']);
	});

	test('is no concern of a function that takes back, moves or burns', async () => {
		for (const abi of ['decreaseAllowance(address,uint256)', 'burn(address,uint256)'])
			await node.items(approve(MAX, abi));
		expect(node.service.writes).toHaveLength(2);
	});
});

describe('the word', () => {
	const data = { word: 'unlimited', amount: 'unlimited', unlimited: 'unlimited', all: true };
	const items = [{ ...data, unlimitedAmount: 'unlimited', args: [BOB.id, 'unlimited'] }];
	const asJson = (args: unknown) => ({ ...approve(''), args }) as IDataObject;

	test.each<[string, IDataObject]>([
		['data', fields('={{ $json.word }}')],
		['a field with this name', fields('={{ $json.unlimited }}')],
		['a field with this name in quotes', fields('={{ $json["unlimited"] }}')],
		['a field whose name contains it', fields('={{ $json.unlimitedAmount }}')],
		['a comment', fields('={{ /* "unlimited" is forbidden */ $json.word }}')],
		['a comparison', fields('={{ $json.word !== "unlimited" ? "5" : $json.amount }}')],
		['the other branch', fields('={{ $json.all ? $json.word : "unlimited" }}')],
		['the default of a value', fields('={{ $json.word ?? "unlimited" }}')],
		['a replacement', fields('={{ $json.word.replace("nothing", "unlimited") }}')],
		['a key', fields('={{ ({ "unlimited": $json.word })["unlimited"] }}')],
		['parts', fields('={{ "unli" + "mited" }}')],
		['another argument', fields('={{ $json.word }}', { note: 'unlimited' })],
		['the name of a parameter', asJson('={{ ({ "0": $json.args[0], "1": $json.word }) }}')],
		['a list', asJson('={{ $json.args }}')],
		['text', asJson('={{ JSON.stringify($json.args) }}')],
		['an element of text', asJson('=["GOOGLE-2", "{{ $json.word }}"]')],
		['an element of a list', asJson(['GOOGLE-2', '={{ $json.word }}'])],
		[
			'all fields',
			fields('', all('={{ ({ "to (address)": "GOOGLE-2", "amount (uint256)": $json.word }) }}')),
		],
	])('from %s is refused', async (_from, call) => {
		const { error } = await node.run(call, { items });
		expect(error?.message).toMatch(/The word unlimited comes from data or a model/);
		expect(node.service.writes).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['a field', fields('unlimited')],
		['an expression without braces', fields('=unlimited')],
		['double quotes', fields('={{ "unlimited" }}')],
		['single quotes', fields("={{ 'unlimited' }}")],
		['backticks', fields('={{ `unlimited` }}')],
		['a choice', fields('={{ $json.all ? "unlimited" : "5" }}')],
		['a choice by the word', fields('={{ $json.word === "unlimited" ? "unlimited" : "5" }}')],
		['a choice by a field of this name', fields('={{ $json["unlimited"] ? "unlimited" : "5" }}')],
		['a default', fields('={{ $json.none ?? "unlimited" }}')],
		['a list', asJson('={{ ["GOOGLE-2", "unlimited"] }}')],
		['text', asJson('=["GOOGLE-2", "unlimited"]')],
		['fixed text', approve('unlimited')],
		['a stored list', asJson(['GOOGLE-2', 'unlimited'])],
		['an object', asJson('={{ ({ "0": "GOOGLE-2", "1": "unlimited" }) }}')],
		[
			'all fields',
			fields('', all('={{ ({ "to (address)": "GOOGLE-2", "amount (uint256)": "unlimited" }) }}')),
		],
	])('in %s of the node is taken', async (_where, call) => {
		const { error } = await node.run(call, { items });
		expect(error).toBeUndefined();
		expect(node.service.writes).toMatchObject([{ args: [BOB.address, MAX] }]);
	});

	test('from a model is refused, also if its description forbids the word', async () => {
		for (const amount of ["'amount'", "'amount', 'Never say unlimited'", "'unlimited'"]) {
			const call = fields(`={{ $fromAI(${amount}) }}`);
			const key = amount.startsWith("'unl") ? 'unlimited' : 'amount';
			await expect(node.tool(call, { [key]: 'unlimited' })).rejects.toThrow('data or a model');
		}
		expect(node.service.writes).toEqual([]);
	});

	test('is judged for each item', async () => {
		const call = fields('={{ $itemIndex === 0 ? $json.word : "unlimited" }}');
		const settings = { items: [...items, ...items], node: CONTINUE };
		for (const { items: output } of await node.both(call, settings))
			expect(output.map(({ json }) => json)).toMatchObject([
				{ error: expect.stringContaining('data or a model') },
				{ submitted: true },
			]);
	});

	test('means the largest integer of its type, and only in an approval', async () => {
		const permit2 = 'approve(address,address,uint160,uint48)';
		await node.items(callOf(permit2, [TOKEN, BOB.id, 'unlimited', '9']));
		expect(node.service.writes).toMatchObject([
			{ args: [TOKEN, BOB.address, String(2n ** 160n - 1n), '9'] },
		]);
		node.service.reset();
		const transfer = callOf('transfer(address,uint256)', [BOB.id, 'unlimited']);
		expect((await node.refusal(transfer)).message).toContain('"unlimited" is not an amount');
	});

	test('is shown as any amount, and does not lift a limit', async () => {
		const [item] = await node.items(approve('unlimited'));
		expect(item?.summary).toContain(`for GOOGLE-2 (0xb2b2…b2b2): any amount`);
		node.service.reset();
		const credential = node.service.credential({ amountLimits: `1 ${TOKEN}` });
		const refused = await node.refusal(approve('unlimited'), { credential });
		expect(refused.message).toContain('rule "Token Limits per Execution"');
	});
});
