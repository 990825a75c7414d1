/** Compares what the service tells with the chain: it must be so, or open. */
import { getAddress, ZeroAddress } from 'ethers';
import { COIN, TOKEN, type Told } from '../scripted-service.mts';
import { tokenBalanceAt } from '../scripted-token.mts';
import { judgeHistory } from './judge-history.mts';
import { fieldsOf, type Order, type Scene } from './scene.mts';
import { dataOf, DEPTH, keyOf } from './template.mts';
import { SECRET } from './values.mts';

/** The statuses of answers that leave a question open. */
const OPEN = [202, 409, 424, 429, 503];

/** The statuses of answers that say that nothing was signed. */
const REFUSED = [403, 424, 429];

/** What `decimals()` of the token returns. */
const DECIMALS = JSON.stringify({ type: 'BigNumber', hex: '0x06' });

/** What an answer says in short. */
export function inShort({ status, data }: Told): string {
	const text = `${status} ${JSON.stringify(data)}`;
	return text
		.replace(/0x[0-9a-f]{40,}/gi, '0x…')
		.replace(/localhost:\d+|127\.0\.0\.1:\d+/g, '…')
		.slice(0, 160);
}

/** Notes an answer that is neither true nor open. */
function refute(scene: Scene, what: string, told: Told): void {
	scene.faults.add(`${what}: ${inShort(told)}`);
}

/** Judges whether an answer holds a key of the operator that stands in an error of an endpoint. */
function judgeSecret(scene: Scene, told: Told): void {
	if (JSON.stringify(told.data)?.includes(SECRET)) refute(scene, 'a key of the operator', told);
}

/** How the nonce of an order is used in the chain. */
export function useOf(scene: Scene, order: Order) {
	const used = order.nonce === undefined ? undefined : scene.usedAt(order.nonce);
	if (!used) return undefined;
	const { to, data } = used.one.transaction;
	const isCall = data === dataOf(order.number);
	const isEmpty = to === ZeroAddress && data === '0x';
	const kind = isEmpty ? 'CANCELLED' : 'FOREIGN';
	const status = used.one.status === 1 ? 'SUCCESS' : 'REVERTED';
	return {
		used,
		truth: isCall ? status : kind,
		isFinal: scene.chain.head - used.block.number >= DEPTH,
	};
}

/** Judges the state of a transaction of the wallet. */
function judgeState(scene: Scene, order: Order, told: Told): void {
	const { status: said, final, minedHash, blockNumber, confirmations } = fieldsOf(told.data);
	if (OPEN.includes(told.status)) return;
	const what = `the transaction of order ${order.number}`;
	if (told.status !== 200) return refute(scene, what, told);
	const { used, truth, isFinal } = useOf(scene, order) ?? {};
	const isNamed =
		said === 'FOREIGN' || (minedHash === used?.one.hash && blockNumber === used?.block.number);
	const isTrue = said === 'PENDING' ? final !== true : said === truth && isNamed;
	const depth = scene.chain.head - (used?.block.number ?? 0) + 1;
	if (isTrue && Number(confirmations) > depth) refute(scene, `too many blocks above ${what}`, told);
	if (isTrue && final === true && isFinal === false) refute(scene, `${what}, too early`, told);
	if (!isTrue && final === true) refute(scene, what, told);
	else if (!isTrue) scene.early.add(`${what}: ${inShort(told)}`);
	const end = final === true ? String(said) : undefined;
	if (order.ended !== undefined && order.ended !== end) refute(scene, `${what}, again`, told);
	order.ended ??= end;
}

/** Whether the bytes of an order have left. */
const isSent = ({ chain }: Scene, { number }: Order): boolean =>
	[...chain.received.values()].some(({ data }) => data === dataOf(number));

/** Judges the answer to an order, or to a question about its write. */
export function judgeOrder(scene: Scene, order: Order, told: Told): void {
	const { status: said, hash } = fieldsOf(told.data);
	const isRefused = REFUSED.includes(told.status) || (told.status === 200 && said === 'FAILED');
	if (order.hash === undefined && isRefused && isSent(scene, order)) {
		refute(scene, `order ${order.number} was sent`, told);
	}
	judgeSecret(scene, told);
	if (OPEN.includes(told.status)) return;
	const { truth } = useOf(scene, order) ?? {};
	const isReplaced = truth === 'FOREIGN' || truth === 'CANCELLED';
	const isClosed = told.status === 403 && fieldsOf(told.data).code === 'wallet_closed';
	const isForeign = [...scene.orders.values()].some(
		(one) => useOf(scene, one)?.truth === 'FOREIGN',
	);
	const isReceived = [scene.chain, scene.liar.chain].some((chain) =>
		chain.received.has(String(hash)),
	);
	const isTrue =
		(told.status === 200 && said === 'SUCCESS' && isReceived) ||
		(told.status === 200 && said === 'FAILED' && isReplaced) ||
		(isClosed && isForeign);
	if (!isTrue) refute(scene, `order ${order.number}`, told);
}

/** Whether an answer about the final deposit lists what it moved. */
export function isDepositListed({ data }: Told): boolean {
	const { transfers } = fieldsOf(data);
	const [first, ...more] = [transfers].flat().map((one) => fieldsOf(fieldsOf(one).amount));
	return first?.formatted === 5 && first.symbol === 'USDX' && more.length === 0;
}

/** Judges what is told of the final deposit of a stranger. */
function judgeDeposit(scene: Scene, told: Told): void {
	if (OPEN.includes(told.status)) return;
	const { status, minedHash, blockNumber, transfers, confirmations, note } = fieldsOf(told.data);
	const placed = scene.chain.find(scene.template.deposited);
	const depth = scene.chain.head - (placed?.block.number ?? 0) + 1;
	if (Number(confirmations) > depth) refute(scene, 'too many blocks above the deposit', told);
	// What too few endpoints say is left out, and the answer says so.
	const isLeftOut = String(note).endsWith('not listed') && [transfers].flat().length === 0;
	const isPlaced = minedHash === placed?.one.hash && blockNumber === placed?.block.number;
	const isTrue = isLeftOut || isDepositListed(told);
	if (told.status === 200 && status === 'SUCCESS' && isPlaced && isTrue) return;
	refute(scene, 'the deposit', told);
}

/** Whether a balance was so since the beginning. */
function wasSo(scene: Scene, balance: unknown, balanceAt: (head: number) => bigint): boolean {
	const { chain, template } = scene;
	for (let head = template.chain.head; head <= chain.head; head++) {
		if (balance === String(balanceAt(head))) return true;
	}
	return false;
}

function judgeBalances(scene: Scene, native: Told, token: Told): void {
	const { chain, wallet, scripted } = scene;
	const { balance } = fieldsOf(fieldsOf(native.data)[COIN]);
	const isNative = wasSo(scene, balance, (head) => chain.balanceAt(wallet.address, head));
	if (!OPEN.includes(native.status) && !isNative) refute(scene, 'the balance', native);
	const held = fieldsOf(fieldsOf(token.data)[TOKEN]);
	const isHeld = wasSo(scene, held.balance, (head) =>
		tokenBalanceAt(chain, scripted.token, wallet.address, head),
	);
	const isToken = isHeld && held.decimals === '6' && held.symbol === 'USDX';
	if (!OPEN.includes(token.status) && !isToken) refute(scene, 'the balance of a token', token);
}

/** Judges whom the service blames: only the endpoint that lies may be. */
function judgeReadiness(scene: Scene, told: Told): void {
	if (told.status === 500) refute(scene, 'readiness', told);
	const [honest, liar] = [scene.honest, scene.liar].map(({ url }) => new URL(url).host);
	for (const one of [fieldsOf(told.data).problems].flat()) {
		const { code, text } = fieldsOf(one);
		const isNamed = (host = '') => String(text).includes(host);
		const isBlamed = String(code).startsWith('endpoint') && isNamed(honest) && !isNamed(liar);
		if (isBlamed) scene.faults.add(`the honest endpoint is blamed: ${String(code)}`);
	}
}

/** Asks for everything that the service tells, and judges it. */
export async function lookAt(scene: Scene): Promise<void> {
	const { scripted, wallet, template } = scene;
	const { get, run } = scripted;
	await run()
		.history.catchUp()
		.catch(() => undefined);
	const user = `/users/${wallet.id}`;
	judgeBalances(scene, await get(`${user}/balance`), await get(`${user}/balance/${TOKEN}`));
	await judgeHistory(scene, await get(`${user}/history`));
	judgeDeposit(scene, await get(`/transactions/${template.deposited}`));
	for (const order of scene.orders.values()) {
		if (order.hash === undefined || (await scene.isUnstored(order))) continue;
		judgeState(scene, order, await get(`/transactions/${order.hash}`));
		judgeOrder(scene, order, await get(`/writes/${encodeURIComponent(keyOf(order.number))}`));
	}
	const read = await scripted.post('/contracts/method/read', {
		address: getAddress(TOKEN),
		abi: 'decimals() view returns (uint8)',
	});
	const isRead = JSON.stringify(fieldsOf(read.data).response) === DECIMALS;
	if (!OPEN.includes(read.status) && !isRead) refute(scene, 'what a contract returns', read);
	judgeSecret(scene, read);
	if (run().log.some((line) => line.includes(SECRET))) scene.faults.add('a key is in the log');
	judgeReadiness(scene, await run().ask({ method: 'GET', url: '/readyz', headers: {} }));
}
