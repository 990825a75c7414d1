/**
 * The rules at a service that keeps each write under a key: no place and no order is carried out twice, an outcome stays unknown
 * only if the service does not answer, and nothing is reported as sent that was not.
 */
import type { Case, Place, Sent } from './checker.mts';
import {
	brokenRules,
	budgetOf,
	checkSendings,
	equalOfTools,
	isDone,
	isForbidden,
	isUnknown,
	names,
	says,
	sum,
} from './checker.mts';
import type { Entry, Logs, NodeRun } from './logs.mts';

/** Whether a request let the service carry out a write. */
const isCarriedOut = ({ hash, isRepeat }: Entry) => hash !== undefined && isRepeat !== true;
const orderOf = ({ run, tag }: Sent) => run.asks.find((ask) => ask.tag === tag)?.order;
/** A call, as far as an item states it. */
const likeOf = ({ tag, address, selector, value }: Omit<Place['ask'], 'wish'> | Sent) =>
	JSON.stringify([tag, address, selector, String(value)]);

/** Whether an attempt had left open at a time, or for its run, what became of its write. */
function isOpen({ key, to, scope }: Sent, { all, looks = [] }: Case, at?: number): boolean {
	const isLater = (one: Pick<Entry, 'key' | 'scope' | 'to'>) =>
		one.key === key && one.to > to && (at === undefined ? one.scope === scope : one.to < at);
	const isDecided =
		looks.some((look) => look.isAnswered && isLater(look)) ||
		all.some((one) => (isDone(one) || one.isEnded === true) && isLater(one));
	return !isDecided;
}

/** Whether another write, under another key, that requests the same call may still be carried out. */
function isBarred(one: Sent, whole: Case): boolean {
	return whole.all.some((other) => {
		const isSame = other.key === one.key || (other.run === one.run && other.tag === one.tag);
		const areOrders = orderOf(one) !== undefined && orderOf(other) !== undefined;
		const isBefore = other.to < one.from && other.canonical === one.canonical;
		return isBefore && !isSame && !areOrders && isUnknown(other) && isOpen(other, whole, one.from);
	});
}

function checkOrders({ all, must }: Case): void {
	const ofOrders = all.filter((one) => isCarriedOut(one) && orderOf(one) !== undefined);
	for (const paid of Map.groupBy(ofOrders, orderOf).values()) {
		must(paid.length === 1, 'order: carried out twice');
	}
}

/** Whether n8n's log has a line of the items of a run that names a write, or says that its outcome is unknown. */
export const isLogged = (
	{ hash }: Pick<Entry, 'hash'>,
	{ node, execution = '' }: NodeRun,
	items: readonly number[],
	lines: readonly string[],
): boolean =>
	lines.some(
		(line) =>
			names(line, items) &&
			[node, execution].every((word) => says(line, word)) &&
			(says(line, hash) || says(line, 'unknown outcome')),
	);

function checkSent({ run, ask, items, sent }: Place, { lines, must }: Case): void {
	must(sent.filter(isCarriedOut).length <= items.length, 'twice: carried out again');
	must(ask.wish === 'send' || sent.length === 0, 'wish: sent what must not be');
	for (const one of sent) {
		const isSame = one.address === ask.address && one.selector === ask.selector;
		must(isSame && one.value === ask.value, 'altered: not as asked');
		if (!isCarriedOut(one)) continue;
		must(isLogged(one, run, items, lines), 'log: no line for a write');
	}
}

/** Checks that a write that is reported as done was carried out, and that every one that was is reported. */
function checkDone({ run, ask, sent, reports }: Place, { all, must }: Case): void {
	const own = new Set(sent.filter(isCarriedOut));
	const ofOrder = all.filter((one) => ask.order !== undefined && orderOf(one) === ask.order);
	const others = [...ofOrder, ...equalOfTools(run, ask, all)].filter(isCarriedOut);
	for (const { json, error, isErrorOutput } of reports) {
		must(isErrorOutput === (error !== undefined && run.hasErrorOutput), 'output: the wrong one');
		if (error !== undefined || (ask.wish === 'show' && json.submitted === false)) continue;
		const isIt = ({ hash }: Sent) => says(json.hash, hash);
		const match = [...own].find(isIt);
		must(match !== undefined || others.some(isIt), 'lie: reported as sent, and was not');
		must(match !== undefined || json.replayed === true, 'replayed: sent by another write');
		if (match !== undefined) own.delete(match);
	}
	const isTold = ({ hash }: Sent) =>
		says(run.ending?.text, hash) || reports.some(({ error }) => says(error?.text, hash));
	const open = [...reports.map(({ error }) => error), run.ending];
	const isUnsure = open.some((error) => error?.details.outcome === 'unknown');
	must(isUnsure || [...own].every(isTold) || run.stoppedAt !== undefined, 'done: not reported');
}

/** Checks that an outcome is unknown only where the service did not answer, and that nothing is refused needlessly. */
function checkSaid(place: Place, whole: Case): void {
	const { run, ask, items, sent, reports } = place;
	const { all, looks = [], must, ...logs } = whole;
	const here = items.includes(run.ending?.item ?? -1) ? run.ending : undefined;
	const errors = [...reports.flatMap(({ error }) => error ?? []), here ?? []].flat();
	if (run.ending !== undefined && here === undefined) return;
	const isElsewhere = (one: Sent) => one.run !== run || items.length > 1;
	const isLike = (one: Sent) => isElsewhere(one) && likeOf(one) === likeOf(ask);
	const isBlocked = all.some((one) => isLike(one) && isUnknown(one));
	const isUndecided = sent.some((one) => isUnknown(one) && isOpen(one, whole));
	for (const { message, details } of errors) {
		must(/^(refused|unknown)$/.test(String(details.outcome)), 'outcome: not said');
		must(typeof details.code === 'string' && details.code !== '', 'code: none');
		for (const { hash } of sent.filter(isCarriedOut)) {
			const isRefused = details.outcome === 'refused' && items.length === 1;
			const isConflict = details.code === 'order-conflict' && says(message, hash);
			must(!isRefused || isConflict, 'refused: said of what was carried out');
		}
		const isUnasked = looks.some(
			({ key, scope, isAnswered }) =>
				!isAnswered &&
				scope === run.scope &&
				(ask.order === undefined ? sent.some(isUnknown) : key.endsWith(` ${ask.order}`)),
		);
		const isOrderUnasked = logs.isUnreachable && ask.order !== undefined;
		const mayBeUnknown = isUndecided || isBlocked || isUnasked || isOrderUnasked;
		must(details.outcome === 'refused' || mayBeUnknown, 'unknown: although the service answered');
	}
	// An execution that could not end a key counts its write, also if another execution has ended it since.
	const isCounted = (one: Sent) =>
		isCarriedOut(one) ||
		(isUnknown(one) &&
			looks.some(({ scope, isAnswered }) => !isAnswered && scope === one.run.scope));
	const spent = sum(all.filter((one) => isCounted(one) && budgetOf(one.run) === budgetOf(run)));
	const earlier = sum(run.ending === undefined ? [] : run.asks.slice(0, run.ending.item));
	const isOver = ask.value > 0n && spent + earlier + ask.value > logs.policy.maxPerExecution;
	const isMute = looks.some((look) => look.scope === run.scope && !look.isAnswered);
	const isDue = ask.wish === 'refuse' || ask.mayFail || isForbidden(logs, ask) || isOver;
	const mayBe = isDue || isBlocked || isMute || ask.order !== undefined || logs.isUnreachable;
	must(mayBe || errors.length === 0 || sent.length > 0, 'needless: refused without a reason');
}

/** The broken rules of runs at a service that keeps writes, each once: name and meaning. */
export const brokenKeptRules = (logs: Logs): string[] =>
	brokenRules(logs, {
		together(whole) {
			checkSendings(whole, isBarred, isCarriedOut, isCarriedOut);
			checkOrders(whole);
		},
		ofPlace(place, whole) {
			checkSent(place, whole);
			checkDone(place, whole);
			if (place.run.stoppedAt === undefined) checkSaid(place, whole);
		},
	});
