/** Histories as the trigger reads them: the entries that are transfers, and the address of the receiving wallet. */
import { hashOf } from './support/answers.mts';
import type { Activation, Poller } from './support/poller.mts';
import { useScriptedService } from './support/scripted-service.mts';
import type { ListedTransfer } from './support/scripted-world.mts';
import { ALICE, BOB } from './support/scripted-world.mts';
import { failureOf, useTrigger } from './support/trigger-service.mts';

const { poller, service } = useTrigger(useScriptedService());

/** Alice's first wallet, and her later one. */
const [WALLET, OTHER] = [ALICE.address, BOB.address];

/** The history, newest entry first. */
let entries: ListedTransfer[];

beforeEach(() => {
	entries = [];
	service().script = () => void (service().looks = [entries]);
});

/** Adds an entry to the history, by default for Alice's first address. */
const add = (address = WALLET, chainId = 1): void => {
	const second = entries.length + 1;
	const to = { username: address, platform: 'SANDBOX', address };
	const valueBn = { type: 'BigNumber', hex: '0x07' };
	const amount = { valueBn, decimals: 0, tokenAddress: OTHER, chainId };
	entries.unshift({ hash: hashOf(second), second, said: { to, amount } });
};

const profileIs = (address: string, id = ALICE.id) => {
	service().profiles[ALICE.id] = { id, address };
};

const watch = (
	more: Partial<Activation> = {},
	emitExisting = false,
	direction = 'received',
): Poller => {
	const parameters = { event: 'newTransfer', userIds: ALICE.id, direction };
	return poller({ ...parameters, options: { maxTries: 1, emitExisting } }, more);
};

/** Number of requests for the profile since the last call. */
function lookUps(): number {
	const requests = service().requests.splice(0);
	return requests.filter(({ path }) => !path.endsWith('/history')).length;
}

test('an entry that is not a transfer starts nothing until it has become one', async () => {
	const none = { to: undefined, amount: undefined, timestamp: undefined };
	const bare = { ...none, hash: undefined, explorerUrl: undefined };
	const list = (...types: string[]) => {
		const listed = types.map((type, index) => ({ hash: hashOf(index), second: index, type }));
		entries = [...listed, { hash: hashOf(9), type: 'APPROVAL', said: bare }];
	};
	const trigger = watch({}, true, 'any');
	const all = ['FAILED', 'transfer', 'PENDING'];
	list(...all);
	expect(await trigger.poll()).toMatchObject([{ hash: hashOf(1) }]);
	list(...all, 'APPROVAL');
	expect(await trigger.poll()).toBeUndefined();
	list('FAILED', 'transfer', 'TRANSFER', 'APPROVAL');
	expect(await trigger.poll()).toMatchObject([{ hash: hashOf(2) }]);
});

test('a wallet receives after a change of its address, and a profile of another user loses nothing', async () => {
	const trigger = watch();
	await trigger.poll();
	profileIs(OTHER, BOB.id);
	add();
	add(OTHER);
	expect((await failureOf(trigger.poll())).message).toMatch(/expected the user "DISCORD-1"/);
	profileIs(OTHER);
	expect(await trigger.poll()).toMatchObject([{ direction: 'received', toAddress: OTHER }]);
	add(OTHER);
	expect(await trigger.poll()).toMatchObject([{ direction: 'received' }]);
});

test('the address is looked up at activation, and later only for new entries to other addresses', async () => {
	const before = watch();
	await before.poll();
	expect(lookUps()).toBe(1);
	add();
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

test('on another chain, the address of the wallet there counts', async () => {
	add();
	add();
	entries.pop();
	const trigger = watch({}, true);
	await trigger.poll();
	// On the other chain, all transfers of the wallet are older than the known ones on this chain.
	entries = [];
	profileIs(OTHER);
	add(OTHER, 2);
	expect(await trigger.poll()).toMatchObject([{ direction: 'received', toAddress: OTHER }]);
});
