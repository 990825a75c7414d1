/** Which address the trigger takes for the wallet of a user: without the right one, nothing would be received. */
import type { Activation } from './support/poller.mts';
import { Poller } from './support/poller.mts';
import { useScriptedService } from './support/scripted-service.mts';
import { failureOf, useNodeTypes } from './support/trigger-service.mts';

const USER = 'DISCORD-1';
const WALLET = `0x${'1a'.repeat(20)}`;
const OTHER = `0x${'2b'.repeat(20)}`;
const HISTORY = '/history';

const service = useScriptedService();
const nodeTypes = useNodeTypes();
/** What the service answers. */
let user: { id?: string; address: string };
let entries: object[];

beforeEach(() => {
	user = { id: USER, address: WALLET };
	entries = [];
	service().script = ({ path }) => ({
		body: JSON.stringify(path.endsWith(HISTORY) ? entries : user),
	});
});

/** A transfer comes to the top of the history. */
function add(address: string, chainId?: number): void {
	const count = entries.length + 1;
	entries.unshift({
		type: 'TRANSFER',
		to: { username: address, platform: 'SANDBOX', address },
		amount: {
			...{ valueBn: { type: 'BigNumber', hex: '0x07' }, decimals: 0, tokenAddress: OTHER },
			chainId,
		},
		timestamp: new Date(count * 1000).toISOString(),
		hash: `0x${String(count).padStart(64, '0')}`,
	});
}

const watch = (more: Partial<Activation> = {}, emitExisting = false): Poller =>
	new Poller(nodeTypes(), {
		parameters: {
			...{ event: 'newTransfer', userIds: USER, direction: 'received' },
			options: { maxTries: 1, emitExisting },
		},
		credential: { baseUrl: service().baseUrl, accessToken: 'secret', userId: '' },
		...more,
	});

/** How often the profile was asked for since the last look. */
function lookUps(): number {
	const count = service().requests.filter(({ path }) => !path.endsWith(HISTORY)).length;
	service().reset();
	return count;
}

test('a wallet that has another address by now still receives', async () => {
	const trigger = watch();
	expect(await trigger.poll()).toBeUndefined();
	user = { id: USER, address: OTHER };
	add(OTHER);
	expect(await trigger.poll()).toMatchObject([{ direction: 'received', toAddress: OTHER }]);
	add(OTHER);
	expect(await trigger.poll()).toMatchObject([{ direction: 'received' }]);
});

test('the profile of another user is not believed, and loses nothing', async () => {
	const trigger = watch();
	await trigger.poll();
	user = { id: 'DISCORD-2', address: OTHER };
	add(WALLET);
	add(OTHER);
	expect((await failureOf(trigger.poll())).message).toMatch(/expected the user "DISCORD-1"/);
	user = { id: USER, address: OTHER };
	expect(await trigger.poll()).toMatchObject([{ toAddress: OTHER }]);
});

test('the address is looked up when the trigger is switched on, and for new entries to somebody else only', async () => {
	const before = watch();
	await before.poll();
	expect(lookUps()).toBe(1);
	add(WALLET);
	expect(await before.poll()).toHaveLength(1);
	expect(lookUps()).toBe(0);
	add(OTHER);
	await before.poll();
	expect(lookUps()).toBe(1);
	await before.poll();
	expect(lookUps()).toBe(0);
	user = { id: USER, address: OTHER };
	const after = watch({ staticData: before.staticData, activation: 'init' });
	await after.poll();
	expect(lookUps()).toBe(1);
	add(OTHER);
	expect(await after.poll()).toHaveLength(1);
	expect(lookUps()).toBe(0);
});

test('a credential of another application, on another chain, is a new start', async () => {
	add(WALLET, 1);
	const before = watch();
	await before.poll();
	entries = [];
	add(WALLET, 2);
	add(WALLET, 2);
	const after = watch({ staticData: before.staticData });
	expect(await after.poll()).toBeUndefined();
	add(WALLET, 2);
	expect(await after.poll()).toHaveLength(1);
});

test('there, the address of the wallet is that of the other chain', async () => {
	add(WALLET, 1);
	add(WALLET, 1);
	entries.pop();
	const trigger = watch({}, true);
	await trigger.poll();
	// All that the wallet has there is older than what was known here.
	entries = [];
	user = { id: USER, address: OTHER };
	add(OTHER, 2);
	expect(await trigger.poll()).toMatchObject([{ direction: 'received', toAddress: OTHER }]);
});
