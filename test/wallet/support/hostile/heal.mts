/** What must be right again once all endpoints are honest, and what may have been paid. */
import { setTimeout } from 'node:timers/promises';
import { senderOf } from '../scripted-block.mts';
import { COIN, TOKEN, type Told } from '../scripted-service.mts';
import { tokenBalanceAt } from '../scripted-token.mts';
import { inShort, isDepositListed, useOf } from './judge.mts';
import { entriesIn, trueEntries, without } from './judge-history.mts';
import { fieldsOf, type Scene } from './scene.mts';
import { BERT, dataOf, GAS_CAPS, NATIVE_PER_DAY } from './template.mts';

const BLOCK_MS = 250;
const EVERY_MS = 700;
/**
 * How often it is checked whether everything is right: without help for about a minute, and after a command for a while. The
 * service runs in the same process, so that a busy machine slows both down alike.
 */
const ALONE = 80;
const HELPED = 25;

/** The order that is sent at the end. */
const NEXT = 9;

export interface Healing {
	/** What was still wrong at the end. */
	wrong: string | undefined;
	/** Whether a documented command was needed. */
	isHelped: boolean;
	seconds: number;
}

/** What is wrong with the orders. */
async function wrongOrder(scene: Scene): Promise<string | undefined> {
	if (!scene.orders.get(NEXT)?.hash) await scene.order(NEXT);
	for (const order of scene.orders.values()) {
		const { number } = order;
		if (order.hash === undefined || (await scene.isUnstored(order))) await scene.order(number);
		const { hash, last } = order;
		if (hash === undefined) return `order ${number}: ${last ? inShort(last) : 'not sent'}`;
		const told = await scene.scripted.get(`/transactions/${hash}`);
		const { status, final } = fieldsOf(told.data);
		const use = useOf(scene, order);
		if (final === true) order.ended ??= String(status);
		if (final !== true || status !== use?.truth) {
			return `order ${number} is ${use?.truth ?? 'in no block'}: ${inShort(told)}`;
		}
		if (status === 'REVERTED') return `order ${number} is reverted`;
	}
	return undefined;
}

/** What is wrong with the balances. */
async function wrongBalance({ scripted, wallet, chain }: Scene): Promise<string | undefined> {
	const { get } = scripted;
	const user = `/users/${wallet.id}`;
	const native = await get(`${user}/balance`);
	const { balance } = fieldsOf(fieldsOf(native.data)[COIN]);
	if (balance !== String(chain.balanceAt(wallet.address))) return `balance: ${inShort(native)}`;
	const token = await get(`${user}/balance/${TOKEN}`);
	const held = fieldsOf(fieldsOf(token.data)[TOKEN]);
	const amount = String(tokenBalanceAt(chain, scripted.token, wallet.address));
	const isHeld = held.balance === amount && held.decimals === '6' && held.symbol === 'USDX';
	return isHeld ? undefined : `balance of the token: ${inShort(token)}`;
}

async function wrongHistory(scene: Scene): Promise<string | undefined> {
	const { scripted, wallet } = scene;
	await scripted
		.run()
		.history.catchUp()
		.catch(() => undefined);
	const told = await scripted.get(`/users/${wallet.id}/history`);
	if (told.status !== 200) return `history: ${inShort(told)}`;
	const truth = trueEntries(scene).map(({ text }) => text);
	const listed = entriesIn(told);
	const [more, less] = [without(listed, truth), without(truth, listed)];
	if (more[0] !== undefined) return `the history lists ${more[0].slice(66)}`;
	return less[0] && `the history lacks ${less[0].slice(66)}`;
}

async function wrongDeposit({ scripted, template }: Scene): Promise<string | undefined> {
	const told = await scripted.get(`/transactions/${template.deposited}`);
	const isRight = isDepositListed(told) && fieldsOf(told.data).note === undefined;
	return isRight ? undefined : `the deposit: ${inShort(told)}`;
}

async function wrongReadiness({ scripted }: Scene): Promise<string | undefined> {
	const told: Told = await scripted.run().ask({ method: 'GET', url: '/readyz', headers: {} });
	return told.status === 200 ? undefined : `readiness: ${inShort(told)}`;
}

/** The first thing that is wrong. */
async function findWrong(scene: Scene): Promise<string | undefined> {
	if (!scene.isRunning && !(await scene.start())) return 'the service does not start';
	return (
		(await wrongOrder(scene)) ??
		(await wrongHistory(scene)) ??
		(await wrongBalance(scene)) ??
		(await wrongDeposit(scene)) ??
		(await wrongReadiness(scene))
	);
}

/** Waits until everything is right. Another program's transaction closes the wallet, which only the operator opens. */
export async function heal(scene: Scene): Promise<Healing> {
	const { chain, scripted, wallet } = scene;
	scene.tellTruth();
	chain.startMining(BLOCK_MS);
	const begun = performance.now();
	let isHelped = false;
	for (let left = ALONE; ; left--) {
		const wrong = await findWrong(scene);
		if (wrong === undefined || left <= (isHelped ? 0 : -HELPED)) {
			return { wrong, isHelped, seconds: Math.round((performance.now() - begun) / 1_000) };
		}
		const isForeign = scene.orders.get(1)?.ended === 'FOREIGN';
		if (!isHelped && (left <= 0 || isForeign)) {
			// It refuses as long as a reorganisation can change what it finds.
			isHelped = await scripted.command('wallet', 'reconcile', wallet.id).then(
				() => true,
				() => false,
			);
			if (isHelped) left = Math.max(left, HELPED);
		}
		await setTimeout(EVERY_MS);
	}
}

/** Notes what was signed, or carried out, beyond the limits. */
export function account(scene: Scene): void {
	const { chain, wallet, faults } = scene;
	const own = wallet.address.toLowerCase();
	const dearest = chain.blocks.reduce((most, { baseFee }) => (baseFee > most ? baseFee : most), 0n);
	const most = 10n * (dearest + chain.tip);
	for (const transaction of chain.received.values()) {
		const { maxFeePerGas, gasPrice, gasLimit, to } = transaction;
		// What another program signed is not the service's.
		if (senderOf(transaction) !== own || to?.toLowerCase() === BERT) continue;
		const price = maxFeePerGas ?? gasPrice ?? 0n;
		if (price > GAS_CAPS.price) faults.add(`signed above maxGasPrice: ${price} wei`);
		if (price * gasLimit > GAS_CAPS.cost)
			faults.add(`signed above maxGasCost: ${price * gasLimit} wei`);
		if (price > most) faults.add(`signed at ten times the market: ${price} wei`);
	}
	const paid = chain.history().filter(({ one }) => one.from === own);
	const spent = paid.reduce((sum, { one }) => sum + one.gasUsed * one.price, 0n);
	if (spent > NATIVE_PER_DAY) faults.add(`paid above the limit of a day: ${spent} wei`);
	for (const { number } of scene.orders.values()) {
		const times = paid.filter(({ one }) => one.transaction.data === dataOf(number)).length;
		if (times > 1) faults.add(`order ${number} was carried out ${times} times`);
	}
}
