/** Whole tokens in arguments: services and tokens of several items, functions chosen by purpose, and tools. */
import type { IDataObject } from 'n8n-workflow';

import { LOST } from './support/answers.mts';
import { transferOf } from './support/kinds-of-writes.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const amountsOf = ({ writes }: ScriptedService) => writes.map(({ args }) => args[1]);

test('items that belong to different services count by the decimals of their own', async () => {
	await using other = await ScriptedService.start();
	other.facts = { decimals: 8, symbol: 'SUSD' };
	const baseUrl = `={{ $json.there ? '${other.baseUrl}' : '${node.service.baseUrl}' }}`;
	const items = [{ there: false }, { there: true }, { there: false }];
	const credential = node.service.credential({ baseUrl });
	const { error } = await node.run(transferOf('12.5 token'), { items, credential });
	expect(error).toBeUndefined();
	expect(amountsOf(node.service)).toEqual(['12500000', '12500000']);
	expect(amountsOf(other)).toEqual(['1250000000']);
});

test('items with different access tokens ask each for themselves', async () => {
	const credential = node.service.credential({ accessToken: '={{ $json.of }}' });
	const items = [{ of: 'one' }, { of: 'two' }, { of: 'one' }];
	await node.run(transferOf('12.5 token'), { items, credential });
	expect(node.service.reads).toEqual(['decimals', 'symbol', 'decimals', 'symbol']);
	expect(node.service.writes).toHaveLength(3);
});

describe('a function that was chosen by what it does', () => {
	const common = (writeFunction: string, value: IDataObject): IDataObject => ({
		...transferOf(''),
		...{ functionSource: 'commonFunction', writeFunction },
		arguments: { mappingMode: 'defineBelow', value },
	});
	const transfer = (amount: string | number): IDataObject =>
		common('ERC-20 transfer(address,uint256)', {
			...{ 'to (address)': BOB.address, 'amount (uint256)': amount },
		});

	test.each(['12', 12])('%j in a field says neither tokens nor base units', async (amount) => {
		const { error } = await node.run(transfer(amount));
		expect(error?.message).toBe('amount (uint256): "12" could mean whole tokens or base units');
		const hint = 'For 12 SUSD write 12 token; for base units write 12 base';
		expect(error?.description).toMatch(hint);
		expect(node.service.writes).toEqual([]);
	});

	test.each<[string, IDataObject, string]>([
		['tokens', transfer('12 token'), '12000000'],
		['base units', transfer('12 base'), '12'],
		[
			'JSON',
			{ ...transfer(''), argumentsMode: 'json', args: JSON.stringify([BOB.address, 12]) },
			'12',
		],
		[
			'the number of an NFT',
			common('ERC-721 approve(address,uint256)', {
				...{ 'to (address)': BOB.address, 'tokenId (uint256)': '12' },
			}),
			'12',
		],
	])('%s', async (_name, parameters, baseUnits) => {
		const { error } = await node.run(parameters);
		expect(error).toBeUndefined();
		expect(amountsOf(node.service)).toEqual([baseUnits]);
	});

	test.each([
		[6, { amount: '0.000005', symbol: 'SUSD' }],
		[undefined, {}],
		[503, {}],
	])('gives an amount as well, with the decimals %j', async (decimals, output) => {
		node.service.facts = { decimals, symbol: 'SUSD' };
		node.service.values = { '': ['5'] };
		const { items } = await node.run({
			...{ resource: 'contract', operation: 'read', contractAddress: TOKEN },
			...{ readFunction: 'ERC-20 totalSupply()', options: { maxTries: 1 } },
		});
		const explorerUrl = expect.any(String);
		expect(items[0]?.json).toEqual({ ...output, value: '5', status: 'SUCCESS', explorerUrl });
	});
});

describe('as a tool', () => {
	test('a call of unknown outcome is blocked however its amount is written', async () => {
		node.service.answer(LOST);
		const call = async (amount: string) => await node.tool(transferOf(amount));
		await expect(call('12.5 token')).rejects.toThrow(/MAY have been sent/);
		for (const amount of ['12.50 SUSD', '12500000', '12.5 * 10^6']) {
			const details = { code: 'not-sent-again', outcome: 'unknown' };
			await expect(call(amount)).rejects.toMatchObject({ context: { details } });
		}
		expect(await call('12.6 token')).toMatchObject({ submitted: true });
		expect(amountsOf(node.service)).toEqual(['12500000', '12600000']);
	});

	test('what is wrong is said in the message, which is all that a model gets', async () => {
		const call = async (amount: string) =>
			await node.tool(transferOf('={{ $json.amount }}'), { amount });
		await expect(call('12.5')).rejects.toThrow(/For 12\.5 SUSD write 12\.5 token/);
		await expect(call('12,5')).rejects.toThrow(/not a comma: 12\.5 token/);
		expect(node.service.writes).toEqual([]);
	});
});
