/** Attempts to get around the limits of a token, by the API itself, and ordinary calls within them. */
import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../service/src/store/open.mts';
import { deploy } from '../support/deploy.mts';
import { inTests, useResources } from '../support/resources.mts';
import { thorough } from '../support/thorough.mts';
import { attacks } from './support/limit-attacks.mts';
import { limitsOf, ordinary, SPELLINGS } from './support/limit-calls.mts';
import type { LimitsName, World } from './support/limit-calls.mts';
import { LimitedCaller, type ApiCall } from './support/limited.mts';
import { DATABASES, install, type Installation } from './support/network-and-service.mts';

const ATTACKS = 300;
/** Ordinary calls: each in each spelling, and with `THOROUGH=16` a thousand. */
const ORDINARY = thorough(64);
const AT_ONCE = 8;
const ROUNDS_A_DAY = 10;
const MUCH = 10n ** 24n;

/** Deploys the contracts of a world, and gives the payer tokens of each. */
async function createWorld({ network, payers }: Installation): Promise<World> {
	const own = payers[0]?.address ?? '';
	const token = async (symbol: string, decimals: number) =>
		await deploy(network, 'SandboxToken', symbol, symbol, decimals);
	const [usd, gold] = [await token('SUSD', 6), await token('SGLD', 18)];
	const [art, items] = [await deploy(network, 'SandboxArt'), await deploy(network, 'SandboxItems')];
	const [shapes, payouts] = [await deploy(network, 'Shapes'), await deploy(network, 'Payouts')];
	// The deployer is the owner who allows the caller to spend.
	const owner = (await network.provider.getSigner()).address;
	const send = async ({ contract }: typeof usd, name: string, ...args: unknown[]) =>
		await (await contract.getFunction(name).send(...args)).wait();
	for (const contract of [usd, gold]) {
		for (const holder of [own, owner]) await send(contract, 'mint', holder, MUCH);
		await send(contract, 'approve', own, MUCH);
	}
	await send(art, 'mint', own, 1n);
	for (const id of [7n, 8n]) await send(items, 'mint', own, id, MUCH);
	return {
		usd: usd.address,
		gold: gold.address,
		art: art.address,
		items: items.address,
		shapes: shapes.address,
		payouts: payouts.address,
		own,
		owner,
		friend: `0x${'f1'.repeat(20)}`,
		thief: `0x${'bad0'.repeat(10)}`,
	};
}

/** The ways in which a call reaches the service. */
const ROUTES: ((limited: LimitedCaller, call: ApiCall) => ReturnType<LimitedCaller['write']>)[] = [
	async (limited, call) => await limited.write(call),
	async ({ client }, call) => await client.post('/contracts/method/write', call),
	async ({ client }, call) => {
		const headers = { 'idempotency-key': randomUUID() };
		return await client.post('/contracts/method/write', call, { headers });
	},
];

/** New callers with the limits of each name. */
async function newCallers(
	{ service, payers }: Installation,
	world: World,
): Promise<(name: LimitsName) => LimitedCaller> {
	const made = new Map<string, LimitedCaller>();
	for (const [name, limits] of Object.entries(limitsOf(world))) {
		made.set(name, await LimitedCaller.create(service, payers[0]?.id ?? '', limits));
	}
	return (name) => {
		const found = made.get(name);
		if (!found) throw new Error(`There are no limits ${name}`);
		return found;
	};
}

describe.each(DATABASES)('on %s', (database) => {
	const resources = useResources();
	const started = inTests(beforeAll, async () => {
		const installation = await install(resources, database);
		const world = await createWorld(installation);
		await resources.use(installation.service.start());
		return { installation, world };
	});

	test(`${ATTACKS} attacks are refused for their reason, and nothing is signed`, async () => {
		const { installation, world } = started();
		const { network, service } = installation;
		const caller = await newCallers(installation, world);
		const cases = attacks(world).flatMap(([name, call, reason]) =>
			SPELLINGS.map((spell) => ({ name, call: spell(call), reason })),
		);
		expect(cases.length).toBeGreaterThanOrEqual(ATTACKS);
		const before = await network.provider.getTransactionCount(world.own);
		const wrong: unknown[] = [];
		for (const [index, { name, call, reason }] of cases.entries()) {
			const route = ROUTES[index % ROUTES.length];
			if (!route) throw new Error('There is no route');
			const { status, data } = await route(caller(name), call);
			const isRefused = status === 403 && data.code === 'limit_exceeded' && reason.test(data.error);
			if (!isRefused) wrong.push({ name, call, status, data, reason });
		}
		expect(wrong).toEqual([]);
		const db = await openDatabase(service.database);
		expect(await db.selectFrom('writes').selectAll().execute()).toEqual([]);
		await db.destroy();
		expect(await network.provider.getTransactionCount(world.own)).toBe(before);
	});

	test(`${ORDINARY} ordinary calls within the limits are submitted`, async () => {
		const { installation, world } = started();
		const calls = ordinary(world);
		const all = Array.from({ length: Math.ceil(ORDINARY / calls.length) }, (_unused, round) =>
			calls.map(([name, call], index) => {
				return { name, call: SPELLINGS[(round + index) % SPELLINGS.length]?.(call) ?? call };
			}),
		).flat();
		const wrong: unknown[] = [];
		let caller = await newCallers(installation, world);
		for (let first = 0; first < all.length; first += AT_ONCE) {
			// The limits of a day are used up after some rounds.
			if (first > 0 && first % (ROUNDS_A_DAY * calls.length) === 0)
				caller = await newCallers(installation, world);
			const some = all.slice(first, first + AT_ONCE).map(async ({ name, call }) => {
				const { status, data } = await caller(name).write(call);
				if (data.status !== 'SUCCESS') wrong.push({ name, call, status, data });
			});
			await Promise.all(some);
		}
		expect(all.length).toBeGreaterThanOrEqual(ORDINARY);
		expect(wrong).toEqual([]);
	});
});
