/** Behind a write whose block comes later, Contract: Read with Wait Until gives the value that it makes on the real chain. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { NEWCOMER } from './support/trigger-service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([
		Engine.create(),
		resources.use(Service.start({ SANDBOX_BLOCK_SECONDS: '86400' })),
	]);
});

async function outputOf(parameters: INodeParameters, item: IDataObject = {}): Promise<IDataObject> {
	const credential = service.credential();
	const { items, error } = await engine.run({ parameters, credential, items: [item] });
	expect(error).toBeUndefined();
	return items[0]?.json ?? {};
}

const balance = (until: INodeParameters): INodeParameters => ({
	...{ resource: 'contract', operation: 'read', readFunction: 'ERC-20 balanceOf(address)' },
	...{ contractAddress: '={{ $json.tokenAddress }}', argumentsMode: 'json' },
	args: '={{ [$json.to] }}',
	options: { decimals: 6, waitUntil: { until } },
});

test('until it has arrived', async () => {
	const written = await outputOf({
		...{ resource: 'token', operation: 'send', token: service.contracts.usd },
		...{ recipient: service.user(NEWCOMER).id, amount: '0.25' },
	});
	const arrived = { condition: 'atLeast', conditionValue: '0.25' };
	expect(await outputOf(balance({ ...arrived, waitUpTo: 0 }), written)).toMatchObject({
		...{ met: false, value: '0', checkedFor: 0 },
	});
	await service.faults.reset();
	const reading = outputOf(balance({ ...arrived, waitUpTo: 30 }), written);
	while ((await service.faults.requests()).length === 0);
	await service.chain.send('evm_mine', []);
	expect(await reading).toMatchObject({ met: true, value: '0.25' });
	const receipt = await service.chain.getTransactionReceipt(String(written.hash));
	expect(receipt?.status).toBe(1);
	expect(await outputOf(balance({ condition: 'changed', waitUpTo: 1 }), written)).toMatchObject({
		...{ met: false, value: '0.25', checkedFor: 1 },
	});
});
