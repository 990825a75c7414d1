/**
 * Serves like `wallet-service`, but kills itself the first time that a write reaches the step `KILL_AT`, stops the first time
 * at `STOP_AT` until it is continued, answers writes within `ANSWER_MS`, raises fees after `STUCK_MS`, gives writes up after
 * `TTL_MS`, counts limits `AHEAD_MS` later, and tops wallets up every `TOP_UP_EVERY_MS`.
 */
import { serve } from '../../../service/src/cli/serve.mts';

const { KILL_AT, STOP_AT, ANSWER_MS, STUCK_MS, TTL_MS, TOP_UP_EVERY_MS, AHEAD_MS } = process.env;

let hasStopped = false;

await serve(process.env, {
	...(ANSWER_MS === undefined ? {} : { writes: { answerMs: Number(ANSWER_MS) } }),
	...(STUCK_MS === undefined ? {} : { stuckMs: Number(STUCK_MS) }),
	...(TTL_MS === undefined ? {} : { ttlMs: Number(TTL_MS) }),
	...(TOP_UP_EVERY_MS === undefined ? {} : { topUpEveryMs: Number(TOP_UP_EVERY_MS) }),
	...(AHEAD_MS === undefined ? {} : { now: () => Date.now() + Number(AHEAD_MS) }),
	atStep(step) {
		if (step === KILL_AT) process.kill(process.pid, 'SIGKILL');
		if (step !== STOP_AT || hasStopped) return;
		hasStopped = true;
		process.kill(process.pid, 'SIGSTOP');
	},
});
process.exit(0);
