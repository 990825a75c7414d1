/** An answer that does not fit the declared types is passed on, and the node says so in the editor. */
import { Engine, NODE } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

async function readNegative() {
	const { items, run } = await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'read',
			contractAddress: service.contracts.shapes,
			abi: 'negative() view returns (int256)',
		},
		credential: service.credential(),
		items: [{}, {}, {}],
	});
	return { items, hints: run.data.resultData.runData[NODE]?.at(-1)?.hints };
}

test('items that do not fit come as they are, with one warning on the node for all of them', async () => {
	const body = '{"status":"SUCCESS","explorerUrl":"http://127.0.0.1/","response":"odd"}';
	await service.faults.add({ kind: 'wrong-shape', params: { body } });
	const { items, hints } = await readNegative();
	const warning = expect.stringMatching(/does not fit the return types: .*"odd".*int256/);
	const item = expect.objectContaining({ value: 'odd', warning });
	expect(items.map(({ json }) => json)).toEqual([item, item, item]);
	expect(hints).toEqual([
		{
			type: 'warning',
			location: 'outputPane',
			message: expect.stringMatching(
				/^Item \d: The answer does not fit the return types: .*int256/,
			),
		},
	]);
});

test('there is none when all answers fit', async () => {
	const { items, hints } = await readNegative();
	expect(items.map(({ json }) => json.warning)).toEqual([undefined, undefined, undefined]);
	expect(hints).toEqual([]);
});
