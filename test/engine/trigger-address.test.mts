/** The address that the trigger uses as a user's wallet: with a wrong one, no transfer would count as received. */
import { hashOf } from './support/answers.mts';
import type { Activation, Poller } from './support/poller.mts';
import { useScriptedService } from './support/scripted-service.mts';
import type { ListedTransfer } from './support/scripted-world.mts';
import { ALICE, BOB } from './support/scripted-world.mts';
import { failureOf, useTrigger } from './support/trigger-service.mts';

const { poller, service } = useTrigger(useScriptedService());

/** Alice's wallet at first, and later. */
const [WALLET, OTHER] = [ALICE.address, BOB.address];

/** Newest first. */
let entries: ListedTransfer[];

beforeEach(() => {
	entries = [];
	service().script = () => void (service().looks = [entries]);
});

const add = (address: string, chainId = 1): void => {
	const second = entries.length + 1;
	const to = { username: address, platform: 'SANDBOX', address };
	const valueBn = { type: 'BigNumber', hex: '0x07' };
	const amount = { valueBn, decimals: 0, tokenAddress: OTHER, chainId };
	entries.unshift({ hash: hashOf(second), second, said: { to, amount } });
};

const profileIs = (address: string, id = ALICE.id) => {
	service().profiles[ALICE.id] = { id, address };
};

const watch = (more: Partial<Activation> = {}, emitExisting = false): Poller => {
	const parameters = { event: 'newTransfer', userIds: ALICE.id, direction: 'received' };
	return poller({ ...parameters, options: { maxTries: 1, emitExisting } }, more);
};

/** Requests for the profile since the last call. */
function lookUps(): number {
	const count = service().requests.filter(({ path }) => !path.endsWith('/history')).length;
	service().reset();
	return count;
}

test('a wallet whose address has changed still receives', async () => {
	const trigger = watch();
	expect(await trigger.poll()).toBeUndefined();
	profileIs(OTHER);
	add(OTHER);
	expect(await trigger.poll()).toMatchObject([{ direction: 'received', toAddress: OTHER }]);
	add(OTHER);
	expect(await trigger.poll()).toMatchObject([{ direction: 'received' }]);
});

test('the profile of another user is an error and loses nothing', async () => {
	const trigger = watch();
	await trigger.poll();
	profileIs(OTHER, BOB.id);
	add(WALLET);
	add(OTHER);
	expect((await failureOf(trigger.poll())).message).toMatch(/expected the user "DISCORD-1"/);
	profileIs(OTHER);
	expect(await trigger.poll()).toMatchObject([{ toAddress: OTHER }]);
});

test('the address is looked up when the trigger is switched on, and only for new entries to other addresses', async () => {
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
	profileIs(OTHER);
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
	// On the other chain, all transfers of the wallet are older than those known here.
	entries = [];
	profileIs(OTHER);
	add(OTHER, 2);
	expect(await trigger.poll()).toMatchObject([{ direction: 'received', toAddress: OTHER }]);
});
