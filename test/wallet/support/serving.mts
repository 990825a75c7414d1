/**
 * Serves like `wallet-service`, but kills itself the first time that a write reaches the step `KILL_AT`, and answers writes
 * within `ANSWER_MS`.
 */
import { serve } from '../../../service/src/cli/serve.mts';

const { KILL_AT, ANSWER_MS } = process.env;

await serve(process.env, {
	...(ANSWER_MS === undefined ? {} : { writes: { answerMs: Number(ANSWER_MS) } }),
	atStep(step) {
		if (step === KILL_AT) process.kill(process.pid, 'SIGKILL');
	},
});
process.exit(0);
