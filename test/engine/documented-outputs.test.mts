/** Every output in README and the documents is actual output of the nodes. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readDocuments } from '../support/docs/documents.mts';
import { jsonBlocks } from '../support/docs/markdown.mts';
import { listOperations } from '../support/operations.mts';
import { documentedRuns, latestHash } from './support/documented-runs.mts';
import { useTriggerService } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const { service, poller } = useTriggerService({ SANDBOX_WRITE_KEYS: '1' });
const node = useNode(service);

/** The outputs in the documents, by section. */
const shown = new Map<string, unknown>();
beforeAll(async () => {
	const documents = await readDocuments('{README,docs/errors,docs/trigger,docs/resources/*}.md');
	for (const { path, sections } of documents) {
		for (const { anchor, nodes } of sections) {
			for (const [index, block] of jsonBlocks(nodes).entries()) {
				const place = `${path}#${anchor}${index === 0 ? '' : `/${index + 1}`}`;
				shown.set(place, JSON.parse(block));
			}
		}
	}
});

/** The sections about the trigger, whose items come from polls. */
const TRIGGER = 'docs/trigger.md#an-item-of';
const TRANSFER = `${TRIGGER}-new-transfer`;
const CROSSING = `${TRIGGER}-balance-crossed-threshold`;
const VALUE = `${TRIGGER}-contract-value-changed`;

/** Replaces the parts of a value that differ between runs: the port of the sandbox, times, and hashes. */
function stable(value: unknown): unknown {
	return JSON.parse(
		JSON.stringify(value)
			.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:4010')
			.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
			.replace(/0x[0-9a-f]{64}(?![0-9a-f])/g, 'HASH'),
	);
}

test('every shown output has a run here, and every run is shown', () => {
	const places = [...Object.keys(documentedRuns(node.service)), TRANSFER, CROSSING, VALUE];
	expect([...shown.keys()].sort()).toEqual(places.sort());
});

test('every operation shows an output', () => {
	const runs = Object.values(documentedRuns(node.service));
	const shownFor = runs.map(([{ resource, operation }]) => `${resource}: ${operation}`);
	const own = listOperations().map((one) => `${one.resource.value}: ${one.operation.value}`);
	expect([...new Set(shownFor)].sort()).toEqual(own.sort());
});

test('the shown outputs are those of the node', async () => {
	const runs = documentedRuns(node.service, await latestHash(node.service));
	for (const [place, run] of Object.entries(runs)) {
		const { items, error } = await node.run(...run);
		expect(error).toBeUndefined();
		const output = stable(items.map(({ json }) => json));
		const example: unknown = expect.arrayContaining([stable(shown.get(place))]);
		expect({ [place]: output }).toEqual({ [place]: example });
	}
});

describe('of the trigger', () => {
	const ofGold = (parameters: INodeParameters): INodeParameters => ({
		userIds: node.service.user('mika_dev').id,
		token: node.service.contracts.gold,
		...parameters,
	});
	const expectShown = (items: IDataObject[] | undefined, place: string) =>
		expect(stable(items)).toEqual([stable(shown.get(place))]);

	test('a new transfer', async () => {
		const received = ofGold({ event: 'newTransfer', direction: 'received' });
		expectShown(await poller(received, { mode: 'manual' }).poll(), TRANSFER);
	});

	test('a balance below a threshold', async () => {
		const crossing = { event: 'balanceCrossedThreshold', asset: 'token', threshold: '5' };
		const trigger = poller(ofGold(crossing));
		expect(await trigger.poll()).toBeUndefined();
		const args = [node.service.user('anna-k').address, String(10n ** 19n)];
		await service().submit('mika_dev', 'gold', 'transfer(address,uint256)', args);
		expectShown(await trigger.poll(), CROSSING);
	});

	test('a value that meets a condition', async () => {
		const { shapes } = node.service.contracts;
		const trigger = poller({
			event: 'contractValue',
			contractAddress: shapes,
			functionSource: 'signature',
			abi: 'stored() view returns (uint256)',
			valueCondition: 'atLeast',
			conditionValue: '10',
		});
		await service().submit('anna-k', 'shapes', 'store(uint256)', ['7']);
		expect(await trigger.poll()).toBeUndefined();
		await service().submit('anna-k', 'shapes', 'store(uint256)', ['12']);
		expectShown(await trigger.poll(), VALUE);
	});
});
