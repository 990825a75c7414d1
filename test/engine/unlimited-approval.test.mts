/** An approval of everything is made by the word for it, which stands in the node. */
import type { IDataObject } from 'n8n-workflow';

import { BOB, TOKEN, TokenSends } from './support/token-service.mts';

const sends = TokenSends.prepare();
const MAX = (2n ** 256n - 1n).toString();

const write = (abi: string, args: readonly unknown[]): IDataObject => ({
	...{ resource: 'contract', functionSource: 'signature', operation: 'write' },
	...{ contractAddress: TOKEN, abi, argumentsMode: 'json', args: JSON.stringify(args) },
});

const approve = (amount: string, abi = 'approve(address,uint256)') => write(abi, [BOB.id, amount]);

async function refusal(changes: IDataObject, policy: IDataObject = {}): Promise<string> {
	const { error } = await sends.run(changes, {}, { credential: sends.credential(policy) });
	expect(error).toMatchObject({ context: { details: { outcome: 'refused' } } });
	expect(sends.writes).toEqual([]);
	return error?.message ?? '';
}

test.each([MAX, (2n ** 255n).toString(), `0x${'f'.repeat(64)}`])(
	'%s is refused',
	async (amount) => {
		const by = ['increaseAllowance(address,uint256 tokenId)', 'increaseApproval(address,uint256)'];
		const large = [approve(amount), ...by.map((abi) => approve(amount, abi))];
		for (const changes of [...large, approve(MAX, 'approve(address,uint256 tokenId)')])
			expect(await refusal(changes)).toContain('approves an unlimited amount');
	},
);

test('is made where the word is written, and by no other function', async () => {
	const { items } = await sends.run(approve('unlimited'));
	expect(items[0]?.json.summary).toContain(`for GOOGLE-2 (0xb2b2…b2b2): any amount`);
	expect(sends.writes).toMatchObject([{ args: [BOB.address, MAX] }]);
	sends.service.reset();
	const { error } = await sends.run(write('transfer(address,uint256)', [BOB.id, 'unlimited']));
	expect(error?.message).toContain('"unlimited" is not an amount');
	expect(await refusal(approve('unlimited'), { amountLimits: `1 ${TOKEN}` })).toContain('Limits');
});

test.each([
	['={{ JSON.stringify($json.args) }}', /The word unlimited does not stand in the node/],
	["={{ ['GOOGLE-2', $json.all ? 'unlimited' : '1'] }}", undefined],
])('has its word in the node, not in data: %s', async (args, refused) => {
	const items = [{ args: [BOB.id, 'unlimited'], all: true }];
	const { error } = await sends.run({ ...approve(''), args }, {}, { items });
	expect(sends.writes).toHaveLength(refused === undefined ? 1 : 0);
	expect(error?.message ?? '').toMatch(refused ?? /^$/);
});

test('of a numbered token is none', async () => {
	const hash = (2n ** 255n + 5n).toString();
	const { items } = await sends.run(approve(hash, 'approve(address,uint256 tokenId)'));
	expect(items[0]?.json).toMatchObject({ submitted: true, spender: BOB.id });
});
