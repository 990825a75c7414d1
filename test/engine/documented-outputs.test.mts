/** Every output that README and the documents show is what the node gives. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Document } from '../support/docs/documents.mts';
import { readDocument, readDocuments } from '../support/docs/documents.mts';
import { jsonBlocks } from '../support/docs/markdown.mts';
import { listOperations } from '../support/operations.mts';
import type { DocumentedRun } from './support/documented-runs.mts';
import { documentedRuns } from './support/documented-runs.mts';
import { Engine } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Service } from '../support/sandbox/service.mts';
import { createPoller, write } from './support/trigger-service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let nodeTypes: LoadedNodeTypes;
let service: Service;
/** What the documents show, by place. */
const shown = new Map<string, IDataObject>();

/** The places of the trigger, whose items come from polls. */
const TRANSFER = 'docs/trigger.md#an-item-of-new-transfer';
const CROSSING = 'docs/trigger.md#an-item-of-balance-crossed-threshold';
const VALUE = 'docs/trigger.md#an-item-of-contract-value-changed';

function readShown({ path, sections }: Document): void {
	for (const { anchor, nodes } of sections) {
		for (const [index, block] of jsonBlocks(nodes).entries()) {
			const place = `${path}#${anchor}${index === 0 ? '' : `/${index + 1}`}`;
			const item: IDataObject = JSON.parse(block);
			shown.set(place, item);
		}
	}
}

const resources = useResources();
beforeAll(async () => {
	[engine, nodeTypes, service] = await Promise.all([
		Engine.create(),
		LoadedNodeTypes.load(),
		resources.use(Service.start()),
	]);
	const own = ['README.md', 'docs/errors.md', 'docs/trigger.md'].map(readDocument);
	const documents = [...(await Promise.all(own)), ...(await readDocuments('docs/resources/*.md'))];
	documents.forEach(readShown);
});

/** A value without what differs from run to run: the port of the sandbox, times, and hashes. */
function stable(value: unknown): unknown {
	return JSON.parse(
		JSON.stringify(value)
			.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:4010')
			.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
			.replace(/0x[0-9a-f]{64}(?![0-9a-f])/g, 'HASH'),
	);
}

async function outputOf(run: DocumentedRun): Promise<IDataObject[]> {
	const result = await engine.run({ ...run, credential: service.credential() });
	expect(result.error).toBeUndefined();
	return result.items.map(({ json }) => json);
}

test('every shown output has a run here, and every run is shown', () => {
	const places = documentedRuns(service).map(({ shownAt }) => shownAt);
	expect([...shown.keys()].sort()).toEqual([...places, TRANSFER, CROSSING, VALUE].sort());
});

test('every operation shows an output', () => {
	const runs = documentedRuns(service).map(({ parameters }) => parameters);
	const shownFor = runs.map(({ resource, operation }) => `${resource}: ${operation}`);
	const own = listOperations().map(
		({ resource, operation }) => `${resource.value}: ${operation.value}`,
	);
	expect([...new Set(shownFor)].sort()).toEqual(own.sort());
});

test('they are what the node gives', async () => {
	for (const run of documentedRuns(service)) {
		const example = stable(shown.get(run.shownAt));
		const output = stable(await outputOf(run));
		expect({ [run.shownAt]: output }).toEqual({
			[run.shownAt]: expect.arrayContaining([example]),
		});
	}
});

describe('of the trigger', () => {
	const MIKA = 'mika_dev';
	const ANNA = 'anna-k';
	const watchGold = (service: Service, parameters: INodeParameters): INodeParameters => ({
		userIds: service.user(MIKA).id,
		token: service.contracts.gold,
		...parameters,
	});

	test('a new transfer', async () => {
		const parameters = watchGold(service, { event: 'newTransfer', direction: 'received' });
		const poller = createPoller(nodeTypes, service, parameters, { mode: 'manual' });
		expect(stable(await poller.poll())).toEqual([stable(shown.get(TRANSFER))]);
	});

	test('a balance below a threshold', async () => {
		const parameters = watchGold(service, {
			event: 'balanceCrossedThreshold',
			asset: 'token',
			threshold: '5',
		});
		const poller = createPoller(nodeTypes, service, parameters);
		expect(await poller.poll()).toBeUndefined();
		await write(service, MIKA, {
			address: service.contracts.gold,
			abi: 'transfer(address,uint256)',
			args: [service.user(ANNA).address, '10000000000000000000'],
		});
		expect(stable(await poller.poll())).toEqual([stable(shown.get(CROSSING))]);
	});

	test('a value that meets a condition', async () => {
		const { shapes } = service.contracts;
		const store = async (value: string): Promise<string> =>
			await write(service, ANNA, { address: shapes, abi: 'store(uint256)', args: [value] });
		const poller = createPoller(nodeTypes, service, {
			...{ event: 'contractValue', contractAddress: shapes, functionSource: 'signature' },
			abi: 'stored() view returns (uint256)',
			...{ valueCondition: 'atLeast', conditionValue: '10' },
		});
		await store('7');
		expect(await poller.poll()).toBeUndefined();
		await store('12');
		expect(stable(await poller.poll())).toEqual([stable(shown.get(VALUE))]);
	});
});
