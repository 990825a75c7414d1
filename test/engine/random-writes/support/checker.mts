/**
 * Decides whether every write kept the rules, from two logs: what the service received and did, and what n8n was asked to do
 * and reported. It is independent of the node's code.
 */
import type { Ask, Call, Entry, Logs, NodeRun, Report } from './logs.mts';

export type Sent = Entry & { readonly run: NodeRun };
/** Equal items of a run, usually a single item. It is not known which of them was sent. */
export type Place = Readonly<{
	run: NodeRun;
	ask: Ask;
	items: number[];
	sent: Sent[];
	reports: Report[];
}>;
/** Both logs, and `must`, which records a broken rule. */
export type Case = Logs & { readonly all: Sent[]; must(holds: boolean, rule: string): void };

export const says = (text: unknown, word: unknown) =>
	String(text).toLowerCase().includes(String(word).toLowerCase());
export const isDone = ({ outcome }: Entry) => outcome === 'done';
export const isUnknown = ({ outcome }: Entry) => outcome === 'unknown';
const isKept = (entry: Entry) => isDone(entry) || isUnknown(entry);
export const sum = (all: readonly Call[]) => all.reduce((total, { value }) => total + value, 0n);
const tryOf = ({ from, run }: Sent) => run.tries.filter((start) => start <= from).length;
export const names = (text: string, items: readonly number[]) =>
	new RegExp(`\\bitem\\W{0,3}(${items.join('|')})\\b`, 'i').test(text);
/** Without an execution, a limit per execution applies to each call. */
export const budgetOf = ({ execution, scope }: NodeRun) => execution ?? scope;
/**
 * Calls that may have been sent, and so block an item that requests the same call elsewhere; a call that changes each time it is
 * read is never blocked.
 */
const blocking = (all: readonly Sent[], { run, ask, items }: Place) =>
	all.filter((one) => {
		const isSame = one.tag === ask.tag && one.address === ask.address && one.value === ask.value;
		const isElsewhere = one.run !== run || items.length > 1;
		return (
			!ask.isRandom && isSame && one.selector === ask.selector && isElsewhere && isUnknown(one)
		);
	});

/** What other calls of tools have sent that equals a call of one: it answers this call. */
export const equalOfTools = (run: NodeRun, ask: Ask, all: readonly Sent[]): Sent[] =>
	all.filter(
		(one) =>
			run.isTool &&
			one.run.isTool &&
			one.run !== run &&
			one.tag === ask.tag &&
			one.address === ask.address &&
			one.selector === ask.selector &&
			one.value === ask.value,
	);

export function isForbidden({ policy }: Logs, { address, selector, value }: Call): boolean {
	const isIn = (list: readonly string[], one: string) => list.length === 0 || list.includes(one);
	const isKnown = isIn(policy.contracts, address) && isIn(policy.functions, selector);
	return !policy.isOpen || !isKnown || value > policy.maxPerCall;
}

/** Whether an earlier write that requests the same call may have been sent. */
function isBarred({ canonical, from }: Sent, { all }: Case): boolean {
	const likes = all.filter((other) => isKept(other) && other.canonical === canonical);
	const before = likes.findLast((other) => other.to < from);
	return before !== undefined && isUnknown(before);
}

export function checkSendings(
	whole: Case,
	bars = isBarred,
	counts = isKept,
	isSentNow = isDone,
): void {
	const { all, must, ...logs } = whole;
	let busyUntil = 0;
	for (const one of all.toSorted((first, second) => first.from - second.from)) {
		const { run, arrivedAt, from } = one;
		const isLifted = run.asks.some(({ tag, isResend }) => tag === one.tag && isResend);
		must(one.isDirect, 'followed: sent to where an answer pointed');
		must(from > busyUntil, 'together: sent while another write was under way');
		must(arrivedAt < (run.stoppedAt ?? Infinity), 'stopped: sent after the stop');
		must(!isForbidden(logs, one), 'policy: sent what it forbids');
		must(!bars(one, whole) || isLifted, 'barred: sent although it may have been sent before');
		busyUntil = Math.max(busyUntil, one.to);
	}
	const isLifted = ({ run, tag }: Sent) =>
		run.asks.some((ask) => ask.tag === tag && (ask.isResend || ask.order !== undefined));
	const ofTools = all.filter((one) => one.run.isTool && isSentNow(one) && !isLifted(one));
	for (const equal of Map.groupBy(ofTools, ({ canonical }) => canonical).values())
		must(equal.length === 1, 'equal: a tool sent it twice');
	for (const spent of Map.groupBy(all.filter(counts), ({ run }) => budgetOf(run)).values()) {
		must(sum(spent) <= logs.policy.maxPerExecution, 'limit: more sent than an execution may');
	}
}

function checkSent({ run, ask, items, sent }: Place, { lines, must }: Case): void {
	const kept = sent.filter(isKept);
	const isAfterDone = items.length === 1 && sent.slice(0, -1).some(isDone);
	const perTry = [...Map.groupBy(kept, tryOf).values()];
	must(!isAfterDone && perTry.every(({ length }) => length <= items.length), 'twice: sent again');
	must((ask.isResend ? kept.filter(isDone) : kept).length <= items.length, 'twice: sent again');
	must(ask.wish === 'send' || sent.length === 0, 'wish: sent what must not be');
	for (const one of sent) {
		const isSame = one.address === ask.address && one.selector === ask.selector;
		must(isSame && one.value === ask.value, 'altered: not as asked');
		const words = [run.node, run.execution ?? '', ...one.hashes];
		const isLogged = lines.some(
			(line) => names(line, items) && words.every((word) => says(line, word)),
		);
		must(isLogged || (!isKept(one) && one.hashes.length === 0), 'log: no line for a write');
	}
}

/** Checks that a write reported as done was done at this very place, and that every write that was done is reported. */
function checkDone({ run, ask, sent, reports }: Place, { all, must }: Case): void {
	const unclaimed = new Set(sent.filter((one) => isDone(one) || run.stoppedAt !== undefined));
	for (const { json, error, isErrorOutput } of reports) {
		must(isErrorOutput === (error !== undefined && run.hasErrorOutput), 'output: the wrong one');
		if (error !== undefined || (ask.wish === 'show' && json.submitted === false)) continue;
		const isIt = ({ hash }: Sent) => hash !== undefined && says(json.hash, hash);
		if (
			json.replayed === true &&
			equalOfTools(run, ask, all).some((one) => isDone(one) && isIt(one))
		)
			continue;
		const match = [...unclaimed].find(isIt);
		must(match !== undefined, 'lie: reported as sent, and was not');
		if (match === undefined) continue;
		must((json.replayed === true) === tryOf(match) < run.tries.length, 'replayed: said wrongly');
		unclaimed.delete(match);
	}
	const isNamed = [...unclaimed].every(({ hash }) => says(run.ending?.text, hash));
	must(isNamed || run.stoppedAt !== undefined, 'done: not reported');
}

/** Checks that a write that may have been done is reported as unknown with its hashes, and none is refused needlessly. */
function checkSaid(place: Place, { all, must, ...logs }: Case): void {
	const { run, ask, items, sent, reports } = place;
	const [last, blocks] = [sent.at(-1), blocking(all, place)];
	const isBarred = blocks.length > 0;
	// A successful repetition at the same place makes up for a write of unknown outcome.
	const unknown = ask.isResend && sent.some(isDone) ? [] : sent.filter(isUnknown);
	const here = items.includes(run.ending?.item ?? -1) ? run.ending : undefined;
	const errors = [...reports.flatMap(({ error }) => error ?? []), here ?? []].flat();
	if (run.ending !== undefined && here === undefined) {
		const words = [run.ending.text, ...unknown.flatMap(({ hashes }) => hashes)];
		const rows = items.map((item) => item + 1);
		const isReported = names(words[0], rows) && words.every((word) => says(words[0], word));
		must(unknown.length === 0 || isReported, 'unknown: not in the error of a later try');
		return;
	}
	const newest = last !== undefined && tryOf(last) === run.tries.length ? [last] : [];
	const toSay = Math.min(unknown.length, here === undefined ? items.length : 1);
	const open = errors.filter(({ details }) => details.outcome === 'unknown');
	const mayAll = isBarred && open.length > toSay;
	must(open.length === toSay || mayAll, 'unknown: said wrongly');
	for (const { message } of sent.length === 0 ? open : []) {
		const isShown = blocks.some(({ hashes }) => hashes.every((hash) => says(message, hash)));
		must(isShown, 'hash: not of what bars it');
	}
	for (const { details } of errors) {
		must(/^(refused|unknown)$/.test(String(details.outcome)), 'outcome: not said');
		must(typeof details.code === 'string' && details.code !== '', 'code: none');
	}
	const owed = [...(ask.isResend ? [] : unknown), ...(items.length === 1 ? newest : [])];
	for (const hash of owed.flatMap((one) => (isDone(one) ? [] : one.hashes))) {
		const isShown = errors.some((one) => says(one.message, hash) && says(one.details.hashes, hash));
		must(isShown, 'hash: not in the error');
	}
	const kept = all.filter((one) => isKept(one) && budgetOf(one.run) === budgetOf(run));
	// A list that is checked before its first write counts its earlier items, sent or not.
	const ofRun = sum(kept.filter((one) => one.run === run));
	const before = run.ending === undefined ? [] : run.asks.slice(0, run.ending.item);
	const earlier = sum(before);
	// What is sent again counts again, because both may arrive.
	const again = sum(before.filter(({ isResend }) => isResend));
	const ahead = earlier > ofRun ? earlier - ofRun : 0n;
	const spent = sum(kept) + (again > ahead ? again : ahead);
	const isOver = ask.value > 0n && spent + ask.value > logs.policy.maxPerExecution;
	const isDue =
		ask.wish === 'refuse' || ask.mayFail || isForbidden(logs, ask) || isOver || isBarred;
	const isTried = logs.isUnreachable || sent.length >= errors.length + sent.filter(isDone).length;
	must(isDue || isTried, 'needless: refused without a reason');
}

/** The rules about a place, and about all attempts together. */
export interface Rules {
	readonly together: (whole: Case) => void;
	readonly ofPlace: (place: Place, whole: Case) => void;
}

const RULES: Rules = {
	together: checkSendings,
	ofPlace(place, whole) {
		checkSent(place, whole);
		checkDone(place, whole);
		if (place.run.stoppedAt === undefined) checkSaid(place, whole);
	},
};

/** The broken rules, each once: name and meaning. */
export function brokenRules(logs: Logs, rules = RULES): string[] {
	const broken = new Set<string>();
	const all = logs.service.flatMap((entry) =>
		logs.runs.filter(({ scope }) => scope === entry.scope).map((run) => ({ ...entry, run })),
	);
	const must: Case['must'] = (holds, rule) => void (holds || broken.add(rule));
	const whole: Case = { ...logs, all, must };
	must(all.length === logs.service.length, 'nobody: sent by no run');
	const shown = JSON.stringify([logs.lines, logs.runs.map((run) => [run.reports, run.ending])]);
	must(!shown.includes(logs.token), 'token: shown');
	rules.together(whole);
	for (const run of logs.runs) {
		const of = (items: number[]) => run.reports.filter(({ item = -1 }) => items.includes(item));
		const isOnce = (_: Ask, item: number) => of([item]).length === 1;
		const { ending } = run;
		// A list that is refused as a whole names no item, and sends none.
		const isNone = ending?.item === undefined && all.every((one) => one.run !== run);
		const isOf = (ending?.item ?? -1) in run.asks || (run.asks.length > 1 && isNone);
		const isWhole = ending ? isOf : run.asks.every(isOnce);
		must(isWhole || run.stoppedAt !== undefined, 'missing: a report');
		for (const [tag, [ask]] of Map.groupBy(run.asks, (one) => one.tag)) {
			const items = [...run.asks.keys()].filter((item) => run.asks[item].tag === tag);
			const sent = all.filter((one) => one.run === run && one.tag === tag);
			rules.ofPlace({ run, ask, items, sent, reports: of(items) }, whole);
		}
	}
	return [...broken];
}
