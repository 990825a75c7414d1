/** A credential with expressions: each item goes out with its own token, however the others look. */
import { storeCall } from './support/contract-calls.mts';
import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});

const ITEMS = 200;
const ODD_ITEM = 33;

test.each([
	['its own token', '={{ $json.accessToken }}'],
	['a token of its own instead of the usual one', '={{ $json?.odd || "USUAL" }}'],
	['a token by its place', `={{ $itemIndex === ${ODD_ITEM} ? "wrong" : "USUAL" }}`],
	['a token by the item of another node', '={{ $("Start").item.json.accessToken }}'],
])('one item among many with %s', async (_name, accessToken) => {
	const usual = service.user().accessToken;
	const items = Array.from({ length: ITEMS }, (_unused, index) =>
		index === ODD_ITEM ? { odd: 'wrong', accessToken: 'wrong' } : { accessToken: usual },
	);
	const result = await engine.run({
		parameters: { resource: 'user', operation: 'get' },
		credential: { ...service.credential(), accessToken: accessToken.replace('USUAL', usual) },
		items,
		node: { onError: 'continueRegularOutput' },
	});
	const failed = result.items.filter(({ json }) => json.error !== undefined);
	expect(failed.map(({ json, pairedItem }) => [pairedItem, json.error])).toEqual([
		[{ item: ODD_ITEM }, expect.stringContaining('The access token was rejected')],
	]);
});

test('each write goes out with the token of its own item', async () => {
	const users = (['Nelly', 'Rahul Sen', 'Nelly', 'mika_dev'] as const).map(service.user);
	const { items } = await engine.run({
		parameters: storeCall(service.contracts.shapes),
		credential: { ...service.credential(), accessToken: '={{ $json.accessToken }}' },
		items: users.map(({ accessToken }) => ({ accessToken })),
	});
	const senders = await Promise.all(
		items.map(async ({ json }) => (await service.chain.getTransaction(String(json.hash)))?.from),
	);
	expect(senders).toEqual(users.map(({ address }) => address));
});
