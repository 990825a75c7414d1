/** What Token: Send and Contract: Write give out is found by History: Find Transfer on the real chain, with nothing typed. */
import type { IDataObject, INode, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { Engine, NODE, startNode, walletServiceNode } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

async function outputOf(parameters: INodeParameters, item: IDataObject = {}): Promise<IDataObject> {
	const credential = service.credential();
	const { items, error } = await engine.run({ parameters, credential, items: [item] });
	expect(error).toBeUndefined();
	return items[0]?.json ?? {};
}

const send = (): INodeParameters => ({
	...{ resource: 'token', operation: 'send', token: service.contracts.usd, amount: '0.25' },
	recipient: service.user('Rahul Sen').id,
});
const write = (): INodeParameters => ({
	...{ resource: 'contract', operation: 'write', functionSource: 'signature' },
	...{ contractAddress: service.contracts.usd, argumentsMode: 'json' },
	abi: 'transfer(address to, uint256 amount) returns (bool)',
	args: JSON.stringify([service.user('Rahul Sen').address, '0.35 token']),
});

test.each([
	['Token: Send', '0.25', send],
	['Contract: Write', '0.35', write],
] as const)('behind %s', async (_name, amount, parametersOf) => {
	const written = await outputOf(parametersOf());
	const find = { resource: 'history', operation: 'find' };
	for (const findBy of ['hash', 'content']) {
		const found = await outputOf({ ...find, options: { findBy }, waitUpTo: 10 }, written);
		expect(found).toMatchObject({ seen: true, matchedBy: findBy, hash: written.hash, amount });
	}
	const readOnly = { ...written, hash: `0x${'00'.repeat(32)}` };
	expect(await outputOf(find, readOnly)).toMatchObject({ seen: false });
});

test('behind a Find Transfer that has not seen it, another one looks for the same', async () => {
	const options = { findBy: 'content' };
	const find = { resource: 'history', operation: 'find', options };
	const sought = {
		...{ tokenAddress: service.contracts.usd.toLowerCase(), to: service.user('Rahul Sen').id },
		submittedAt: new Date().toISOString(),
	};
	const amount = '0.45';
	const notSeen = await outputOf(find, { ...sought, amount: `${amount}0` });
	expect(notSeen).toMatchObject({ seen: false, ...sought, amount });
	const written = await outputOf({ ...send(), amount });
	const found = await outputOf({ ...find, waitUpTo: 10 }, notSeen);
	expect(found).toMatchObject({ seen: true, matchedBy: 'content', hash: written.hash, amount });
});

test('above its output stands that its own execution has sent, which looking again would repeat', async () => {
	const hintsAfter = async (nodes: INode[], mode: WorkflowExecuteMode) => {
		const connections = Object.fromEntries(
			nodes
				.slice(1)
				.map(({ name }, index) => [
					String(nodes[index]?.name),
					{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
				]),
		);
		const run = await engine.runWorkflow(nodes, connections, service.credential(), [{}], { mode });
		const { data, hints } = run.data.resultData.runData[NODE]?.at(-1) ?? {};
		expect(data?.main[0]?.[0]?.json).toHaveProperty('seen');
		return hints?.map(({ message }) => message);
	};
	const find = walletServiceNode({ resource: 'history', operation: 'find' });
	const sender = walletServiceNode(send(), { name: 'Send', id: 'send' });
	const pin = expect.stringMatching(/^This execution also sent a transaction\. .* pin the output/);
	expect(await hintsAfter([startNode(), sender, find], 'manual')).toEqual([pin]);
	expect(await hintsAfter([startNode(), sender, find], 'trigger')).toEqual([]);
	const lookOnly = walletServiceNode({
		...{ resource: 'history', operation: 'find', options: { findBy: 'hash' } },
		transactionHash: `0x${'00'.repeat(32)}`,
	});
	expect(await hintsAfter([startNode(), lookOnly], 'manual')).toEqual([]);
});
