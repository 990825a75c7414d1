/**
 * A model of n8n and a service, by which the rule of Retry is judged: lists and loops, waits, crashes with and without saved
 * progress, runs that n8n invents, lost answers, lists and values that change, and Retries of Retries.
 */
import type { Asked } from '../../../../../nodes/WalletService/writes/retry/decide.ts';
import type { Random } from './random.mts';
import type { Rule, Totals, Write } from './rule.mts';

/** A row of the list, which a person wants to be paid once. */
interface Row {
	readonly id: number;
	readonly call: string;
}

/** What n8n keeps of a place while its process runs. */
type Known = Write & { readonly isLost?: boolean };

/** Hashes in the output of a run, or `invented`. */
type KeptRun = readonly number[] | 'invented';

class Crash extends Error {}

/** One workflow with its executions. */
export class Workflow {
	readonly #rule: Rule;

	readonly #random: Random;

	readonly #totals: Totals;

	readonly #service = new Map<string, Write>();

	readonly #paidRows = new Set<number>();

	readonly #wanted = new Map<string, number>();

	readonly #people: number;

	readonly #isChanging: boolean;

	readonly #isLoop: boolean;

	readonly #continues: boolean;

	readonly #isSaved: boolean;

	readonly #batch: number;

	#rows: Row[];

	#runs: KeptRun[] = [];

	/** Index of the first row of the next pass. */
	#at = 0;

	#isRetry = false;

	/** Whether the list has changed since the first execution. */
	#hasMoved = false;

	// What one process knows; a restart empties both.
	#memory = new Map<string, Known>();

	#used = new Set<string>();

	constructor(rule: Rule, random: Random, totals: Totals) {
		this.#rule = rule;
		this.#random = random;
		this.#totals = totals;
		this.#isChanging = random.is(0.15);
		this.#isLoop = random.is(0.5);
		this.#continues = random.is(0.5);
		this.#isSaved = random.is(0.5);
		this.#people = 1 + random.below(4);
		this.#batch = 1 + random.below(2);
		this.#rows = Array.from({ length: 1 + random.below(5) }, () => this.#newRow());
	}

	#newRow(): Row {
		const call = `${this.#random.below(this.#people)}:${this.#random.below(2)}`;
		const wanted = this.#wanted.get(call) ?? 0;
		this.#wanted.set(call, wanted + 1);
		return { id: [...this.#wanted.values()].reduce((sum, count) => sum + count), call };
	}

	/** The process restarts. */
	#restart(): void {
		this.#memory = new Map();
		this.#used = new Set();
	}

	/** n8n dies, and may invent a run. */
	#crash(): never {
		if (this.#random.is(0.5)) this.#runs.push('invented');
		throw new Crash();
	}

	/** The first execution, and up to three Retries. */
	execute(): void {
		for (let attempt = 0; attempt < 4; attempt++) {
			if (this.#isRetry) this.#totals.retries++;
			this.#restart();
			let isCrash = false;
			try {
				if (this.#passes()) return;
			} catch (error) {
				if (!(error instanceof Crash)) throw error;
				isCrash = true;
			}
			this.#keep(isCrash);
			this.#isRetry = true;
		}
	}

	/** What n8n has kept for a Retry: everything after an error, or with saved progress; else nothing, or one invented run. */
	#keep(isCrash: boolean): void {
		if (isCrash && !this.#isSaved) {
			const isInvented = this.#runs.at(-1) === 'invented' && this.#random.is(0.5);
			this.#runs = isInvented ? ['invented'] : [];
			this.#at = 0;
		}
		if (this.#at > 0 || !this.#random.is(0.3)) return;
		this.#hasMoved = true;
		const change = this.#random.below(3);
		if (change === 0) this.#rows = this.#rows.filter(({ id }) => !this.#paidRows.has(id));
		else if (change === 1) this.#rows = this.#rows.toReversed();
		else this.#rows = [this.#newRow(), ...this.#rows];
	}

	/** @returns whether the execution has succeeded */
	#passes(): boolean {
		const size = this.#isLoop ? this.#batch : Math.max(1, this.#rows.length);
		while (this.#at < this.#rows.length) {
			const hashes = this.#run(this.#rows.slice(this.#at, this.#at + size));
			if (hashes === undefined) return false;
			this.#runs.push(hashes);
			this.#at += size;
			// A Wait, after which another process continues.
			if (this.#isLoop && this.#random.is(0.2)) this.#restart();
		}
		return true;
	}

	/** A run of the node, with Retry on Fail. @returns the hashes in its output, unless it failed */
	#run(rows: readonly Row[]): number[] | undefined {
		for (let tries = 0; tries < 2; tries++) {
			const { hashes, hasFailed } = this.#try(rows);
			if (!hasFailed || (tries === 1 && this.#continues)) return hashes;
		}
		return undefined;
	}

	#try(rows: readonly Row[]): { hashes: number[]; hasFailed: boolean } {
		const run = this.#runs.filter((kept) => kept !== 'invented').length;
		const input = rows.map(({ id }) => id).join();
		const asked = rows.map(({ call }, item): Asked => {
			const value = this.#isChanging ? `${call}@${this.#random.below(1e6)}` : call;
			return { item, place: `${run}/${item}`, input, call: value };
		});
		const isNew = ({ place }: Asked) => !this.#memory.has(place);
		const plan = this.#isRetry ? this.#rule(this.#open(), asked.filter(isNew)) : undefined;
		const hashes: number[] = [];
		let hasFailed = false;
		for (const [item, one] of asked.entries()) {
			const row = rows[item];
			const sent = row && this.#item(row, one, plan);
			if (sent !== undefined) hashes.push(sent);
			else {
				hasFailed = true;
				if (!this.#continues) break;
			}
		}
		return { hashes, hasFailed };
	}

	/** Writes that neither stand in what n8n has kept nor have answered an item of this Retry. */
	#open(): Write[] {
		const kept = new Set(this.#runs.flatMap((run) => (run === 'invented' ? [] : run)));
		return [...this.#service.values()].filter(
			({ hash, key }) => !kept.has(hash) && !this.#used.has(key),
		);
	}

	/** @returns the hash with which an item is reported; `undefined` if it fails */
	#item(row: Row, asked: Asked, plan?: ReturnType<Rule>): number | undefined {
		const { item, place } = asked;
		if (this.#random.is(0.03)) this.#crash();
		const before = this.#memory.get(place);
		if (before && !before.isLost) return this.#report(row, before);
		const decided = before ? undefined : plan?.get(item);
		if (decided?.is === 'answer') {
			this.#used.add(decided.write.key);
			this.#memory.set(place, decided.write);
			return this.#report(row, decided.write);
		}
		if (decided?.is === 'conflict') {
			this.#totals.conflicts++;
			return undefined;
		}
		// Refused for sure.
		if (this.#random.is(0.1)) return undefined;
		const write = this.#put(row, before?.key ?? this.#freeKey(place), asked);
		if (this.#random.is(0.08)) this.#crash();
		const isLost = this.#random.is(0.08);
		this.#memory.set(place, { ...write, isLost });
		return isLost ? undefined : this.#report(row, write);
	}

	/** The first key of a place under which nothing was sent. */
	#freeKey(place: string): string {
		let [key, ordinal] = [place, 0];
		while (this.#service.has(key)) key = `${place}.${++ordinal}`;
		return key;
	}

	#put({ id, call }: Row, key: string, { place, input, call: value }: Asked): Write {
		this.#used.add(key);
		const known = this.#service.get(key);
		if (known) return known;
		const write = { key, place, input, call: value, hash: this.#service.size + 1 };
		this.#service.set(key, write);
		this.#paidRows.add(id);
		this.#totals.paid++;
		const isEqual = (one: Write) => one.call.split('@')[0] === call;
		const count = [...this.#service.values()].filter(isEqual).length;
		// Values and rows that have both changed are not covered.
		const isCovered = !(this.#isChanging && this.#hasMoved);
		if (isCovered && count > (this.#wanted.get(call) ?? 0)) this.#totals.doubled++;
		return write;
	}

	#report({ call }: Row, write: Write): number {
		if (!this.#isChanging && write.call !== call) this.#totals.falseReports++;
		return write.hash;
	}
}
