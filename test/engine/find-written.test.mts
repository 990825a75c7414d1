/** What Token: Send and Contract: Write give out is found by History: Find Transfer on the real chain, with nothing typed. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { Service } from './support/service.mts';

let engine: Engine;
let service: Service;

beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), Service.start()]);
});
afterEach(async () => await service.reset());
afterAll(async () => await service.stop());

async function outputOf(parameters: INodeParameters, item: IDataObject = {}): Promise<IDataObject> {
	const credential = service.credential();
	const { items, error } = await engine.run({ parameters, credential, items: [item] });
	expect(error).toBeUndefined();
	return items[0]?.json ?? {};
}

const send = (): INodeParameters => ({
	...{ resource: 'token', operation: 'send', token: service.ready.contracts.usd, amount: '0.25' },
	recipient: service.user(1).id,
});
const write = (): INodeParameters => ({
	...{ resource: 'contract', operation: 'write', functionSource: 'signature' },
	...{ contractAddress: service.ready.contracts.usd, argumentsMode: 'json' },
	abi: 'transfer(address to, uint256 amount) returns (bool)',
	args: JSON.stringify([service.user(1).address, '0.35 token']),
});

test.each([
	['Token: Send', '0.25', send],
	['Contract: Write', '0.35', write],
] as const)('behind %s', async (_name, amount, parametersOf) => {
	const written = await outputOf(parametersOf());
	const find = { resource: 'history', operation: 'find' };
	for (const [findBy, matchedBy] of [
		['hash', 'hash'],
		['content', 'content'],
		['either', 'hash'],
	] as const) {
		const found = await outputOf({ ...find, findBy, waitUpTo: 10 }, written);
		expect(found).toMatchObject({ seen: true, matchedBy, hash: written.hash, amount });
	}
	const readOnly = { ...written, hash: `0x${'00'.repeat(32)}` };
	expect(await outputOf(find, readOnly)).toMatchObject({ seen: false, matchedBy: null });
});
