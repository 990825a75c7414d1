/** What limits allow for spenders and contracts that they do not list. */
import type { IDataObject } from 'n8n-workflow';

import { callOf as write } from './support/kinds-of-writes.mts';
import { ALICE, BOB, CONTRACT, TOKEN } from './support/scripted-world.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const EVE = `0x${'e5'.repeat(20)}`;
const S32 = `0x${'11'.repeat(32)}`;
const SENT = { submitted: true };
const limit = (amount: string) => ({ amountLimits: `${amount} ${TOKEN}` });

const run = async (call: IDataObject, policy: IDataObject) =>
	await node.items(call, { node: CONTINUE, credential: node.service.credential(policy) });

const refusal = async (call: IDataObject, policy: IDataObject) =>
	await node.refusal(call, { credential: node.service.credential(policy) });

describe('an approval is taken back from anyone', () => {
	const limits = { allowedRecipients: BOB.id, amountLimits: `9 ${CONTRACT}` };
	const zero: [abi: string, args: unknown[]][] = [
		['approve(address,uint256)', [EVE, '0']],
		['approve(address,uint256 tokenId)', [EVE, '0']],
		['setApprovalForAll(address,bool)', [EVE, false]],
		['decreaseAllowance(address,uint256)', [EVE, '5']],
		['decreaseApproval(address,uint256)', [EVE, '5']],
		['revokeOperator(address)', [EVE]],
		[
			'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
			[ALICE.id, EVE, '0', '1', '27', S32, S32],
		],
		['permit(address,address,uint256,uint256,bytes)', [ALICE.id, EVE, '0', '1', '0x']],
		[
			'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
			[ALICE.id, EVE, '1', '0', false, '27', S32, S32],
		],
		['approve(address,address,uint160,uint48)', [TOKEN, EVE, '0', '0']],
		['approve(address,uint256)', [`0x${'0'.repeat(40)}`, '42']],
	];

	test.each(zero)('by %s %j', async (abi, args) => {
		expect(await run(write(abi, args), limits)).toMatchObject([SENT]);
		for (const [policy, rule] of [
			[{ allowWrites: false }, 'Allow Writes'],
			[{ allowedContracts: CONTRACT }, 'Allowed Contracts'],
			[{ allowedFunctions: 'transfer(address,uint256)' }, 'Allowed Functions'],
		] as const) {
			node.service.reset();
			const { message } = await refusal(write(abi, args), { ...limits, ...policy });
			expect(message).toContain(`rule "${rule}"`);
		}
	});

	test.each<[string, IDataObject, abi: string, args: unknown[]]>([
		['an NFT has the ID 0', { isNft: true }, 'approve(address,uint256)', [EVE, '0']],
		['an NFT with decimals', { isNft: true, decimals: 18 }, 'approve(address,uint256)', [EVE, '0']],
		['a contract without decimals', {}, 'approve(address,uint256)', [EVE, '0']],
		['a contract with 0 decimals', { decimals: 0 }, 'approve(address,uint256)', [EVE, '0']],
		['1', { decimals: 6 }, 'approve(address,uint256)', [EVE, '1']],
		['all', { isNft: true }, 'setApprovalForAll(address,bool)', [EVE, true]],
		['a transfer of 0', { decimals: 6 }, 'transfer(address,uint256)', [EVE, '0']],
	])('but not given: %s', async (_name, facts, abi, args) => {
		node.service.facts = facts;
		for (const [policy, rule] of [
			[{ allowedRecipients: BOB.id }, 'Allowed Recipients'],
			[{ amountLimits: `9 ${CONTRACT}` }, 'Token Limits per Execution'],
		] as const) {
			const { message } = await refusal(write(abi, args), policy);
			expect(message).toContain(`rule "${rule}"`);
		}
	});

	test('while native coin still needs its own permission', async () => {
		const paid = write('approve(address,uint256) payable', [EVE, '0'], {
			options: { nativeCoin: '1 wei' },
		});
		expect((await refusal(paid, limits)).message).toContain(
			'neither in the list nor in Allowed Contracts',
		);
	});
});

describe('Token Limits per Execution alone', () => {
	test.each<[abi: string, args: unknown[]]>([
		['transfer(address,uint256,bytes)', [EVE, '1', '0x']],
		['operatorSend(address,address,uint256,bytes,bytes)', [ALICE.id, EVE, '1', '0x', '0x']],
		['multicall(bytes[])', [['0xa9059cbb']]],
		['execute(address,uint256,bytes)', [TOKEN, '0', '0x']],
		['batchTransfer(address[],uint256[])', [[EVE], ['1']]],
		[
			'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
			[ALICE.id, EVE, '1', '0', '1', S32, '0x'],
		],
	])('refuse %s of any contract, unless it is in Allowed Functions', async (abi, args) => {
		for (const contractAddress of [TOKEN, CONTRACT, EVE]) {
			const { message } = await refusal(write(abi, args, { contractAddress }), limit('9'));
			expect(message).toMatch(
				/rule "Token Limits per Execution": .* could move any amount of a token/,
			);
		}
		const policy = { ...limit('9'), allowedFunctions: abi };
		expect(await run(write(abi, args), policy)).toMatchObject([SENT]);
	});

	test('count what Permit2 approves by the token in the call', async () => {
		const approve = (amount: string, token = TOKEN) =>
			write('approve(address,address,uint160,uint48)', [token, EVE, amount, '9'], {
				contractAddress: CONTRACT,
			});
		expect((await refusal(approve('1', EVE), limit('9'))).message).toContain('the token 0xe5');
		expect((await refusal(approve('9000001'), limit('9'))).message).toMatch(
			/would approve 9\.000001 SUSD/,
		);
		const [item] = await run(approve('9000000'), limit('9'));
		expect(item).toMatchObject({
			...SENT,
			summary: expect.stringContaining(`9000000 of ${TOKEN}`),
		});
	});
});
