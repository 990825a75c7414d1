/** The proof of verdicts: what the node reports about transactions on a wild chain is what the chain was. */
import { setTimeout } from 'node:timers/promises';
import { toBeHex, Transaction } from 'ethers';
import type { Payer } from '../../../tools/wallet/installed-service.mts';
import { freePort } from '../../../tools/network/ports.mts';
import { startNetwork } from '../../../tools/wallet/network.mts';
import { Resources } from '../../support/resources.mts';
import { Asker } from './asker.mts';
import { kindOf, lateness, type Asked, type Reported } from './judge.mts';
import { NEVER } from './orders.mts';
import { payloadOf, submit } from './payment.mts';
import { randomNumbers } from '../../support/random-numbers.mts';
import { argumentsOf, PAY, RecordedChain } from './recorded-chain.mts';
import { watchRounds } from './rounds.mts';
import { changeSettings } from './settings.mts';
import { BLOCK_MS, makeWeather } from './weather.mts';
import { installWildService } from './wild-service.mts';

export interface VerdictProof {
	/** How often each kind of verdict was given, and how many of them said that nothing can change it. */
	kinds: Map<string, number>;
	final: number;
	false: number;
	/** Those that only say, while an endpoint lies, what is not certain. */
	open: number;
	/** Verdicts that were true only before the question, and by how much at most, in milliseconds. */
	late: number;
	latestMs: number;
	events: Map<string, number>;
	seconds: number;
}

const PAYERS = 8;
const ASKERS = 12;
/** Longest pause of a payer between two payments. */
const PAUSE_MS = 1_500;
/** Share of the questions that follow when nothing changes any more. */
const CALM_SHARE = 0.25;
/** Payments before the first question. */
const WARM_UP = 20;

interface Case {
	asked: Asked;
	reported: Reported;
	/** Whether nothing changes any more, and all endpoints are honest. */
	isCalm: boolean;
}

export async function proveVerdicts(cases: number, seed: number): Promise<VerdictProof> {
	await using resources = new Resources();
	const { rpcUrl } = await resources.use(startNetwork(NEVER));
	const chain = new RecordedChain(rpcUrl, 'anvil');
	const wild = await installWildService(resources, rpcUrl, chain, PAYERS);
	const { service, payers, db, kill, openTransactions } = wild;
	const metricsPort = await freePort();
	await changeSettings(service, { metricsPort });
	const asker = await resources.use(Asker.start());
	const random = randomNumbers(seed);
	const any = <T,>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
	const began = performance.now();
	let [isFair, isSettled] = [false, false];
	let number = 0;
	const elsewhere: string[] = [];
	const payUntilFair = async (payer: Payer): Promise<void> => {
		while (!isFair) {
			number += 1;
			const own = number;
			const call = { abi: PAY, args: argumentsOf(payloadOf(own), own) };
			await submit(service.url, payer, `order ${own}`, call, 20_000);
			await setTimeout(random() * PAUSE_MS);
			if (own % 5 > 0) continue;
			const raw = await chain.payElsewhere(payloadOf(-own), own);
			if (raw !== undefined) elsewhere.push(raw);
		}
	};
	const choose = async (): Promise<{ asked: Asked; by: Payer } | undefined> => {
		const by = any(payers);
		const operation = random() < 0.8 ? 'get' : 'find';
		const dice = random();
		if (by && dice < 0.05) {
			const hash = toBeHex(BigInt(Math.floor(random() * 2 ** 50)) + 1n, 32);
			return { by, asked: { hash, raw: undefined, isOwn: false, operation } };
		}
		if (by && dice < 0.15) {
			const raw = any(elsewhere.slice(-40));
			const hash = raw === undefined ? null : Transaction.from(raw).hash;
			return hash === null ? undefined : { by, asked: { hash, raw, isOwn: false, operation } };
		}
		const rows = await db
			.selectFrom('attempts')
			.innerJoin('writes', 'writes.id', 'attempts.write_id')
			.innerJoin('attempts as first', (join) =>
				join.onRef('first.write_id', '=', 'writes.id').on('first.no', '=', 1),
			)
			.select(['attempts.hash', 'first.raw', 'wallet_id', 'attempts.kind', 'attempts.no'])
			.select(['state', 'status'])
			.orderBy('attempts.created_at', 'desc')
			.limit(400)
			.execute();
		// Each situation as often as any other, however rare it is.
		const situations = Map.groupBy(rows, ({ kind, no, state, status }) =>
			[kind, no > 1, state, status].join(),
		);
		const row = any(any([...situations.values()]) ?? []);
		const owner = row && payers[row.wallet_id];
		if (!row || !owner || !by) return undefined;
		const isOwn = dice < 0.85 || by === owner;
		const { hash, raw } = row;
		return { by: isOwn ? owner : by, asked: { hash, raw, isOwn, operation } };
	};
	const given: Case[] = [];
	const askUntil = async (count: number, isCalm: boolean): Promise<void> => {
		while (given.length < count) {
			const chosen = await choose();
			if (!chosen) {
				await setTimeout(BLOCK_MS);
				continue;
			}
			const { asked, by } = chosen;
			const waitUpTo = isCalm || random() < 0.6 ? 0 : 1 + Math.floor(random() * 5);
			const reported = await asker.ask(service.url, by, asked, waitUpTo);
			if (kindOf(reported, asked.operation) === undefined) {
				chain.count(`error ${reported.error?.code}`);
			} else if (given.length < count) {
				given.push({ asked, reported, isCalm });
			}
		}
	};
	const askAll = async (count: number, isCalm = false): Promise<void> => {
		await Promise.all(Array.from({ length: ASKERS }, () => askUntil(count, isCalm)));
	};
	await wild.start();
	const keys = payers.map(({ key }) => key);
	const isOver = () => isFair;
	const metrics = `http://127.0.0.1:${metricsPort}/metrics`;
	const watching = watchRounds(metrics, chain.rounds, isOver);
	const weather = makeWeather(chain, { seed, keys, reverts: 0.2, isOver, kill, openTransactions });
	const operator = wild.reconcile(() => isSettled);
	const paying = payers.map(payUntilFair);
	while (number < WARM_UP) await setTimeout(BLOCK_MS);
	const inStorm = Math.floor(cases * (1 - CALM_SHARE));
	await askAll(inStorm);
	isFair = true;
	await Promise.all([weather, watching, ...paying]);
	await wild.settle();
	isSettled = true;
	await operator;
	await askAll(cases, true);
	const proof: VerdictProof = {
		kinds: new Map(),
		final: 0,
		false: 0,
		open: 0,
		late: 0,
		latestMs: 0,
		events: chain.events,
		seconds: Math.round((performance.now() - began) / 1_000),
	};
	const now = Date.now();
	// Only now, because a change is recorded after it has taken place.
	for (const { asked, reported, isCalm } of given) {
		const since = isCalm ? reported.begun : chain.knownSince(reported);
		const kind = kindOf(reported, asked.operation) ?? '';
		const lateMs = lateness(chain.chronicle, asked, reported, since);
		const isFinal = reported.json?.final === true;
		const atEnd = { ...reported, begun: now, ended: now };
		const isLasting = !isFinal || lateness(chain.chronicle, asked, atEnd, now) === 0;
		proof.kinds.set(kind, (proof.kinds.get(kind) ?? 0) + 1);
		if (isFinal) proof.final += 1;
		const isOpen = kind === 'PENDING' || kind === 'not found';
		if (!isCalm && isOpen && typeof reported.json?.note === 'string') {
			proof.open += 1;
			continue;
		}
		if (lateMs === undefined || !isLasting) {
			proof.false += 1;
			console.error('false:', asked, reported, { since, lateMs, isLasting });
		} else if (lateMs > 0) {
			proof.late += 1;
			proof.latestMs = Math.max(proof.latestMs, lateMs);
		}
	}
	chain.provider.destroy();
	return proof;
}
