/**
 * The rules for a list of payments, whatever becomes of its executions: no row is paid twice, nothing false is reported, no
 * execution passes a limit, and nothing is refused that the law lets pass. It is independent of the node's code.
 */
import type { Report } from '../logs.mts';
import type { Limits, ListLogs, ListRun, Payment, Row, Sending, Session } from './logs.mts';
import { isLike, STEP } from './logs.mts';

type Must = (holds: boolean, rule: string) => void;
/** A request that has paid, or may have. */
type Paying = Sending & { readonly payment: Payment };

const isPaying = (one: Sending): one is Paying => one.payment !== undefined;
const isPaid = (one: Sending): one is Paying => isPaying(one) && one.hash !== undefined;
const hashOf = ({ json }: Report) => String(json.hash).toLowerCase();
const sum = (all: readonly Pick<Row, 'amount'>[]) =>
	all.reduce((total, { amount }) => total + amount, 0);
const limitOf = ({ perExecution, ofToken }: Limits) => perExecution ?? ofToken ?? Infinity;

/** Checks that each row is paid at most once; a list whose values and rows have both changed is not covered. */
function checkPaid({ rows, sendings, sessions, isChanging }: ListLogs, must: Must): void {
	if (isChanging && sessions.some(({ hasMoved }) => hasMoved)) return;
	const paid = sendings.filter(isPaid);
	for (const { payment } of paid) {
		const wanted = rows.filter((row) => isLike(row, payment)).length;
		const count = paid.filter((one) => isLike(one.payment, payment)).length;
		must(wanted > 0, 'altered: paid what no row asks for');
		must(count <= wanted || wanted === 0, 'twice: paid more often than rows ask for');
	}
}

/** What an execution has sent in a process, as far as that counts. */
const sentWith = ({ sendings, sessions }: ListLogs, { execution, process }: Session) =>
	sendings.filter((one): one is Paying => {
		const session = sessions.find(({ index }) => index === one.session);
		const isOwn = session?.execution === execution && session.process === process;
		return isOwn && isPaying(one) && (one.hash !== undefined || one.isLost);
	});

function checkLimits(logs: ListLogs, must: Must): void {
	const { limits, sendings, sessions } = logs;
	for (const { payment } of sendings.filter(isPaid))
		must(payment.amount <= (limits.perCall ?? Infinity), 'call: more than one may move');
	for (const session of sessions) {
		const total = sum(
			sentWith(logs, session)
				.filter(isPaid)
				.map(({ payment }) => payment),
		);
		must(total <= limitOf(limits), 'limit: more sent than an execution may');
	}
}

/** Checks that what is reported as paid was paid for this very row, and answers no other. */
function checkReported({ sendings }: ListLogs, session: Session, must: Must): void {
	const seen = new Set(session.kept);
	for (const { rows, reports } of session.runs) {
		for (const one of reports.filter(({ error }) => error === undefined)) {
			const row = rows[one.item ?? -1];
			const paid = sendings.find((sent) => isPaid(sent) && sent.hash === hashOf(one));
			const isIt = row !== undefined && paid?.payment && isLike(paid.payment, row);
			must(isIt === true, 'lie: reported as paid, and was not');
			must(!seen.has(hashOf(one)), 'lie: one payment for two rows');
			seen.add(hashOf(one));
			const isNew = paid === undefined || paid.session === session.index;
			must(isNew || one.json.replayed === true, 'replayed: not said');
		}
	}
}

const errorsOf = ({ reports, ending }: ListRun) =>
	[...reports.map(({ error }) => error), ending].flatMap((error) => error ?? []);

/** Checks that all that was paid is reported, or said to be unknown. */
function checkDone({ sendings }: ListLogs, session: Session, must: Must): void {
	const said = JSON.stringify(session.runs).toLowerCase();
	const errors = session.runs.flatMap(errorsOf);
	const isUnsure = errors.some(({ details }) => details.outcome === 'unknown');
	for (const { hash, session: sender } of sendings.filter(isPaid)) {
		const isOwn = sender === session.index;
		must(!isOwn || isUnsure || said.includes(String(hash)), 'done: not reported');
	}
	for (const { details } of errors) {
		must(/^(refused|unknown)$/.test(String(details.outcome)), 'outcome: not said');
		must(typeof details.code === 'string' && details.code !== '', 'code: none');
	}
}

/** Whether a row is over a limit, by all that may count before it. */
function isOver(logs: ListLogs, session: Session, run: ListRun, row: Row): boolean {
	const { limits, stops, isRepeated, sessions } = logs;
	if (row.amount % STEP > (limits.perCall ?? Infinity)) return true;
	const before = run.rows.slice(0, run.rows.indexOf(row));
	const isContinued = sessions.some(
		(one) => one.execution === session.execution && one.index < session.index,
	);
	const isEarlier = (payment: Payment) => {
		const isBefore = before.some((one) => isLike(one, payment));
		const isInRun = run.rows.some((one) => isLike(one, payment));
		return isBefore || !isInRun || isRepeated || isContinued || session.runs.length > 1;
	};
	const sent = sentWith(logs, session)
		.map(({ payment }) => payment)
		.filter(isEarlier);
	// A list that is checked first counts the rows before, sent or not.
	const ahead = stops ? sum(before) : 0;
	return sum(sent) + ahead + row.amount > limitOf(limits);
}

/** Why an item may be refused, by code: each has its sentence of the law. */
function isDue(
	logs: ListLogs,
	session: Session,
	run: ListRun,
	code: unknown,
	row: Row | undefined,
): boolean {
	const { isKept, rows, sessions, isChanging } = logs;
	const own = logs.sendings.filter((one) => one.session === session.index);
	const isTroubled = own.some(({ isLost, isRefused }) => isLost || isRefused);
	const hasOrders = rows.some(({ order }) => order !== undefined);
	const isOfSeveral = rows.some(({ user }) => user !== rows[0]?.user);
	const isElsewhere = sessions.some(
		(one) => one.execution === session.execution && one.process !== session.process,
	);
	switch (code) {
		case 'policy-refused':
			return (row ? [row] : run.rows).some((one) => isOver(logs, session, run, one));
		case 'retry-conflict':
			// Section 4, rule 4.
			return session.isRetry && session.hasMoved;
		case 'order-conflict':
			// Section 2: another call under the key.
			return hasOrders && isChanging;
		case 'not-sent':
			// Section 4: the account of the first write, a process that does not know the first execution, an overtaken attempt.
			return session.isRivalled || (session.isRetry && (isOfSeveral || (!isKept && isElsewhere)));
		case 'unexpected-status':
			// Section 4: a rival begins an attempt, which overtakes those before.
			return isTroubled || session.isRivalled;
		case 'not-sent-again':
			// Section 5: what an earlier session may have sent.
			return isTroubled || logs.sendings.some(({ isLost }) => isLost);
		default:
			return isTroubled;
	}
}

function checkRefusals(logs: ListLogs, session: Session, must: Must): void {
	for (const run of session.runs) {
		for (const { item, details } of errorsOf(run)) {
			const isRight = isDue(logs, session, run, details.code, run.rows[item ?? -1]);
			must(isRight, `needless: refused without a sentence of the law, ${String(details.code)}`);
		}
		const isWhole = run.ending !== undefined || run.reports.length === run.rows.length;
		must(isWhole, 'missing: a report');
	}
}

/** The broken rules, each once: name and meaning. */
export function brokenListRules(logs: ListLogs): string[] {
	const broken = new Set<string>();
	const must: Must = (holds, rule) => void (holds || broken.add(rule));
	checkPaid(logs, must);
	checkLimits(logs, must);
	for (const session of logs.sessions) {
		if (session.isCrashed) continue;
		checkReported(logs, session, must);
		checkDone(logs, session, must);
		checkRefusals(logs, session, must);
	}
	return [...broken];
}
