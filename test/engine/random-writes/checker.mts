/**
 * Decides from two logs whether every write kept the rules: what the service received and did, and what n8n was asked
 * for and reported. It knows nothing of the node's code.
 */
import type { Ask, Call, Entry, Logs, NodeRun, Policy } from './logs.mts';

type Sent = Entry & { readonly run: NodeRun };
/** Notes the rule that is broken unless something holds. */
type Must = (holds: boolean, rule: string) => void;
/** Items of a run that ask for the same: one, unless they are equal. Which of them was sent cannot be seen. */
type Place = Readonly<{ run: NodeRun; ask: Ask; items: number[]; sent: Sent[] }>;

const lower = (value: unknown) => String(value).toLowerCase();
const isHash = (value: unknown) => /^0x[0-9a-f]{64}$/.test(lower(value));
const isKept = ({ outcome }: Entry) => outcome !== 'refused';
const isDone = ({ outcome }: Entry) => outcome === 'done';
const sum = (all: readonly Call[]) => all.reduce((total, { value }) => total + value, 0n);
const tryOf = ({ from, run }: Sent) => run.tries.filter((start) => start <= from).length;
/** A limit per execution counts by call where n8n gives no execution. */
const budgetOf = ({ execution, scope }: NodeRun) => execution ?? scope;

function isForbidden({ isOpen, ...policy }: Policy, { address, selector, value }: Call): boolean {
	const isListed = (list: readonly string[], one: string) =>
		list.length === 0 || list.includes(one);
	const isKnown = isListed(policy.contracts, address) && isListed(policy.functions, selector);
	return !isOpen || !isKnown || value > policy.maxPerCall;
}

/** An execution knows nothing of an answer that came after its stop. */
function asSeen(entry: Entry, run: NodeRun): Sent {
	const isCutOff = run.stoppedAt !== undefined && entry.to > run.stoppedAt;
	return { ...entry, run, ...(isCutOff && { outcome: 'unknown', hashes: [] }) };
}

function placesOf(run: NodeRun, all: readonly Sent[]): Place[] {
	const indexed = run.asks.map((ask, item) => ({ ask, item }));
	return [...Map.groupBy(indexed, ({ ask }) => ask.tag).values()].flatMap((equal) => {
		const items = equal.map(({ item }) => item);
		const of = (ask: Ask) => all.filter((one) => one.run === run && one.tag === ask.tag);
		return equal.slice(0, 1).map(({ ask }) => ({ run, ask, items, sent: of(ask) }));
	});
}

/** Whether a write of unknown outcome bars its like from a later tool call. */
const bars = (one: Sent, { run, from }: Pick<Sent, 'run' | 'from'>) =>
	one.outcome === 'unknown' &&
	one.to < from &&
	one.run !== run &&
	one.run.node === run.node &&
	one.run.isTool;

function checkSendings({ policy, lines, token }: Logs, all: readonly Sent[], must: Must): void {
	let busyUntil = 0;
	for (const one of all.toSorted((first, second) => first.from - second.from)) {
		const { run, canonical, arrivedAt, from } = one;
		const isBarred = all.some((other) => bars(other, one) && other.canonical === canonical);
		must(one.isDirect, 'followed: sent to where an answer pointed');
		must(from > busyUntil, 'together: sent while another write was under way');
		must(arrivedAt < (run.stoppedAt ?? Infinity), 'stopped: sent after the stop');
		must(!isForbidden(policy, one), 'policy: sent what it forbids');
		must(
			!isBarred || !run.isTool || run.asks.some(({ isResend }) => isResend),
			'barred: sent again by a tool',
		);
		busyUntil = Math.max(busyUntil, one.to);
	}
	for (const spent of Map.groupBy(all.filter(isKept), ({ run }) => budgetOf(run)).values()) {
		must(sum(spent) <= policy.maxPerExecution, 'limit: more sent than an execution may');
	}
	must(!lines.some((line) => line.includes(token)), 'token: in the log');
}

function checkPlace({ run, ask, items, sent }: Place, { lines }: Logs, must: Must): void {
	const kept = sent.filter(isKept);
	const isAfterDone = items.length === 1 && sent.slice(0, -1).some(isDone);
	const perTry = [...Map.groupBy(kept, tryOf).values()];
	must(!isAfterDone && perTry.every(({ length }) => length <= items.length), 'twice: sent again');
	must(
		kept.filter((one) => !ask.isResend || isDone(one)).length <= items.length,
		'twice: sent again',
	);
	must(ask.wish === 'send' || sent.length === 0, 'wish: sent what must not be');
	for (const one of sent) {
		const { address, selector, value, hashes } = one;
		must(
			address === ask.address && selector === ask.selector && value === ask.value,
			'altered: not as asked',
		);
		const words = [run.node, run.execution ?? '', ...hashes].map(lower);
		const isLine = (line: string) =>
			words.every((word) => lower(line).includes(word)) &&
			items.some((item) => new RegExp(`\\bitem\\W{0,3}${item}\\b`, 'i').test(line));
		must((!isKept(one) && hashes.length === 0) || lines.some(isLine), 'log: no line for a write');
	}
}

function checkReports(
	{ run, ask, items, sent }: Place,
	{ policy, isUnreachable }: Logs,
	all: readonly Sent[],
	must: Must,
): void {
	const reports = run.reports.filter(({ item }) => item !== undefined && items.includes(item));
	const errors = reports.flatMap(({ error }) => error ?? []);
	const thrown = run.reports.find(({ json }) => json === undefined)?.error;
	const done = sent.filter(isDone);
	const unclaimed = new Set(run.stoppedAt === undefined ? done : sent);
	for (const { json, error, isErrorOutput } of reports) {
		must(
			json === undefined || isErrorOutput === (error !== undefined && run.hasErrorOutput),
			'output: the wrong one',
		);
		if (json === undefined || error !== undefined || (ask.wish === 'show' && 'calldata' in json))
			continue;
		const match = [...unclaimed].find(
			({ hash }) => isHash(hash) && lower(hash) === lower(json.hash),
		);
		must(match !== undefined, 'lie: reported as sent, and was not');
		if (match === undefined) continue;
		must((json.replayed === true) === tryOf(match) < run.tries.length, 'replayed: said wrongly');
		unclaimed.delete(match);
	}
	if (run.stoppedAt !== undefined) return;
	const isNamed = ({ hash }: Sent) => lower(thrown?.text).includes(lower(hash));
	must(thrown === undefined ? unclaimed.size === 0 : done.every(isNamed), 'done: not reported');

	const last = sent.at(-1);
	const isNews = last !== undefined && !isDone(last) && tryOf(last) === run.tries.length;
	const unknown = sent.filter(({ outcome }) => outcome === 'unknown');
	const isBarred =
		run.isTool && all.some((one) => one.tag === ask.tag && bars(one, { run, from: Infinity }));
	const toSay = ask.isResend ? (last?.outcome === 'unknown' ? 1 : 0) : unknown.length;
	const said = errors.filter(({ details }) => details.outcome === 'unknown').length;
	const isOpen = ask.isResend
		? (unknown.length > 0 && !isNews) || last?.outcome === 'refused'
		: sent.length === 0 && isBarred;
	must(
		isOpen || said === Math.min(toSay, thrown === undefined ? items.length : 1),
		'unknown: said wrongly',
	);
	for (const { details } of errors) {
		must(/^(refused|unknown)$/.test(lower(details.outcome)), 'outcome: not said');
		must(typeof details.code === 'string' && details.code !== '', 'code: none');
	}
	const owed = ask.isResend ? [] : unknown;
	for (const hash of [...owed, ...(isNews && items.length === 1 ? [last] : [])].flatMap(
		({ hashes }) => hashes,
	)) {
		const isShown = errors.some(
			({ message, details }) =>
				lower(message).includes(hash) && lower(JSON.stringify(details.hashes)).includes(hash),
		);
		must(isShown, 'hash: not in the error');
	}
	const budget = sum(all.filter((one) => budgetOf(one.run) === budgetOf(run))) + ask.value;
	const isOverBudget = ask.value > 0n && budget > policy.maxPerExecution;
	const isRight =
		ask.wish === 'refuse' || isForbidden(policy, ask) || isOverBudget || isBarred || isUnreachable;
	must(isRight || sent.length >= errors.length + done.length, 'needless: refused without a reason');
}

/** The rules that were broken, each once. */
export function brokenRules(logs: Logs): string[] {
	const broken = new Set<string>();
	const must: Must = (holds, rule) => {
		if (!holds) broken.add(rule);
	};
	const all = logs.service.flatMap((entry) => {
		const run = logs.runs.find(({ scope }) => scope === entry.scope);
		return run === undefined ? [] : [asSeen(entry, run)];
	});
	must(all.length === logs.service.length, 'nobody: sent by no run');
	checkSendings(logs, all, must);
	for (const run of logs.runs) {
		const isWhole =
			run.stoppedAt === undefined && run.reports.every(({ json }) => json !== undefined);
		const isOnce = (item: number) =>
			run.reports.filter((report) => report.item === item).length === 1;
		must(!isWhole || run.asks.every((_, item) => isOnce(item)), 'missing: not one report an item');
		must(!JSON.stringify(run.reports).includes(logs.token), 'token: in a report');
		for (const place of placesOf(run, all)) {
			checkPlace(place, logs, must);
			checkReports(place, logs, all, must);
		}
	}
	return [...broken];
}
