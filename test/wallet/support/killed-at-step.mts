/** Serves like `wallet-service`, but kills itself the first time that a write reaches the step `KILL_AT`. */
import { serve } from '../../../service/src/cli/serve.mts';

await serve(process.env, {
	atStep(step) {
		if (step === process.env.KILL_AT) process.kill(process.pid, 'SIGKILL');
	},
});
process.exit(0);
