/** Find Transfer and Wait Until on a real chain, with only a write's output item as input; its block is mined later. */
import type { IDataObject } from 'n8n-workflow';

import { useService } from '../support/sandbox/service.mts';
import { until } from '../support/until.mts';
import { storeCall } from './support/contract-calls.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { useNode, waited } from './support/use-node.mts';

const node = useNode(useService({ SANDBOX_BLOCK_SECONDS: '86400' }));

const mine = async (): Promise<unknown> => await node.service.chain.send('evm_mine', []);

async function outputOf(parameters: IDataObject, item: IDataObject = {}): Promise<IDataObject> {
	const [output = {}] = await node.items(parameters, { items: [item] });
	return output;
}

const send = (recipient: string, amount: string): IDataObject =>
	sendOf({ token: node.service.contracts.usd, recipient, amount });
const rahul = () => node.service.user('Rahul Sen');
const call = (): IDataObject =>
	storeCall(node.service.contracts.usd, {
		abi: 'transfer(address to, uint256 amount) returns (bool)',
		args: JSON.stringify([rahul().address, '0.35 token']),
	});

const find = (by: string, more: IDataObject = {}): IDataObject => ({
	resource: 'history',
	operation: 'find',
	options: { findBy: by },
	...more,
});

test.each<[string, amount: string, write: () => IDataObject]>([
	['Token: Send', '0.25', () => send(rahul().id, '0.25')],
	['Contract: Write', '0.35', call],
])('Find Transfer behind %s', async (_name, amount, write) => {
	const written = await outputOf(write());
	expect(await outputOf(find('hash'), written)).toMatchObject({ seen: false });
	await mine();
	for (const by of ['hash', 'content']) {
		const found = await outputOf(find(by, { waitUpTo: 10 }), written);
		expect(found).toMatchObject({ seen: true, matchedBy: by, hash: written.hash, amount });
	}
	const other = { ...written, hash: `0x${'ab'.repeat(32)}` };
	expect(await outputOf(find('hash'), other)).toMatchObject({ seen: false });
});

test('behind a Find Transfer that has not seen it, another one searches for the same transfer', async () => {
	const sought = {
		tokenAddress: node.service.contracts.usd.toLowerCase(),
		to: rahul().id,
		submittedAt: new Date().toISOString(),
	};
	const notSeen = await outputOf(find('content'), { ...sought, amount: '0.450' });
	expect(notSeen).toMatchObject({ seen: false, ...sought, amount: '0.45' });
	const { hash } = await outputOf(send(rahul().id, '0.45'));
	await mine();
	const found = await outputOf(find('content', { waitUpTo: 10 }), notSeen);
	expect(found).toMatchObject({ seen: true, matchedBy: 'content', hash, amount: '0.45' });
});

test('Contract: Read waits for the balance that a send makes', async () => {
	const { service } = node;
	const written = await outputOf(send(service.user('newcomer').id, '0.25'));
	const balance = (condition: IDataObject): IDataObject => ({
		resource: 'contract',
		operation: 'read',
		readFunction: 'ERC-20 balanceOf(address)',
		contractAddress: '={{ $json.tokenAddress }}',
		argumentsMode: 'json',
		args: '={{ [$json.to] }}',
		options: { decimals: 6, waitUntil: { until: condition } },
	});
	const arrived = { condition: 'atLeast', conditionValue: '0.25' };
	expect(await outputOf(balance({ ...arrived, waitUpTo: 0 }), written)).toMatchObject({
		met: false,
		value: '0',
		checkedFor: 0,
	});
	await service.faults.reset();
	const reading = outputOf(balance({ ...arrived, waitUpTo: 30 }), written);
	await until(async () => (await service.faults.requests()).length > 0);
	await mine();
	expect(await reading).toMatchObject({ met: true, value: '0.25' });
	const receipt = await service.chain.getTransactionReceipt(String(written.hash));
	expect(receipt?.status).toBe(1);
	expect(await outputOf(balance({ condition: 'changed', waitUpTo: 1 }), written)).toMatchObject({
		met: false,
		value: '0.25',
		checkedFor: waited(1),
	});
});
