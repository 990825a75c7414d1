/**
 * `npm start`: a real n8n with the node installed, over the sandbox and its chain, until Ctrl-C.
 *
 *   npm start                 with the editor, for trying it out
 *   npm start -- --once       executes every example, compares it with the chain, and ends
 *   npm start -- --fresh      forgets what earlier starts left in n8n
 *   npm start -- --reload     rebuilds and reloads the node whenever a source changes (`npm run dev`)
 *   npm start -- --state DIR  keeps the state of n8n there instead of in .local/n8n
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { banner } from './banner.mts';
import { report } from '../process/console.mts';
import { interruption } from '../process/interruption.mts';
import { compareExamples } from '../compare/compare-examples.mts';
import { agrees, describeComparison } from '../compare/comparison.mts';
import { n8nState } from '../files/paths.mts';
import type { Workbench } from './workbench.mts';
import { startWorkbench } from './workbench.mts';

/** Executes the examples; true when every operation gave what the chain says. */
async function runOnce({ userFolder, n8n, sandbox }: Workbench): Promise<boolean> {
	const comparisons = await compareExamples(userFolder, n8n.url, sandbox);
	comparisons.map(describeComparison).forEach((line) => console.log(line));
	const different = comparisons.filter((comparison) => !agrees(comparison));
	report(
		different.length === 0
			? `${comparisons.length} operations gave exactly what the chain says`
			: `${different.length} of ${comparisons.length} operations differ from the chain`,
	);
	return different.length === 0;
}

interface Choices {
	once: boolean;
	fresh: boolean;
	reload: boolean;
}

async function run(userFolder: string, { once, fresh, reload }: Choices): Promise<number> {
	const interrupted = interruption();
	const starting = startWorkbench({ userFolder, fresh, restoreExamples: once, reload, report });
	const started = await Promise.race([starting, interrupted]);
	// What has started so far ends with this process.
	if (started === undefined) return 1;
	try {
		const failure = Promise.race([interrupted.then(() => undefined), started.failed]);
		if (once) {
			const agreed = await Promise.race([runOnce(started), failure]);
			if (typeof agreed === 'string') report(agreed);
			return agreed === true ? 0 : 1;
		}
		console.log(banner(started));
		const reason = await failure;
		report(reason ?? 'stopping');
		return reason === undefined ? 0 : 1;
	} finally {
		await started.stop();
		report('stopped sandbox and n8n');
	}
}

const { values } = parseArgs({
	options: {
		once: { type: 'boolean', default: false },
		fresh: { type: 'boolean', default: false },
		reload: { type: 'boolean', default: false },
		state: { type: 'string', default: n8nState },
	},
});
try {
	process.exit(await run(resolve(values.state), values));
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exit(1);
}
