/**
 * `npm start`: runs a real n8n with the node installed, against the sandbox and its chain, until Ctrl-C.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareExamples } from '../compare/compare-examples.mts';
import { agrees, describeComparison } from '../compare/comparison.mts';
import { n8nState } from '../files/paths.mts';
import { ownerOf, type Owner } from '../n8n/owner.mts';
import { report } from '../process/console.mts';
import { interruption } from '../process/interruption.mts';
import { sandboxTokens } from '../sandbox/tokens.mts';
import { startWorkbench, type Workbench } from './workbench.mts';

/** Lines of two columns, aligned with the values of the banner. */
function table(rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([first]) => first.length));
	const lines = rows.map(([first, second]) => `${first.padEnd(width)}  ${second}`);
	return lines.join(`\n${' '.repeat(16)}`);
}

/** Addresses, users, tokens and the first steps, for newcomers. */
function banner({ n8n, sandbox }: Workbench, { email, password }: Owner): string {
	const users = sandbox.users.map(({ username, id }) => [username, id] as const);
	const tokens = sandboxTokens(sandbox).map(({ symbol, name, address }) => {
		return [address, symbol === '' ? name : `${symbol}  ${name}`] as const;
	});
	const [first] = sandbox.users;
	return `
  n8n editor    ${n8n.url}
  e-mail        ${email}
  password      ${password}
  the service   ${sandbox.baseUrl}  (API description: ${sandbox.baseUrl}/openapi.json)

  users         ${table(users)}

  tokens        ${table(tokens)}

  access token  ${first?.accessToken}  (${first?.username}, for an n8n of your own on this machine)

  First: sign in, open the workflow "Start here", and click "Execute workflow".
  Then open "Send a token" and click "Execute workflow": it sends 1.5 SUSD to Rahul Sen.

  Everything runs on this machine and holds test money only. Ctrl-C stops it.
`;
}

/** Executes the examples; returns true if every operation agrees with the chain. */
async function runOnce({ n8n, client, sandbox }: Workbench): Promise<boolean> {
	const comparisons = await compareExamples(n8n.url, client, sandbox);
	comparisons.map(describeComparison).forEach((line) => console.log(line));
	const different = comparisons.filter((comparison) => !agrees(comparison));
	report(
		different.length === 0
			? `${comparisons.length} operations match the chain`
			: `${different.length} of ${comparisons.length} operations differ from the chain`,
	);
	return different.length === 0;
}

/** Runs until an interruption, a failure, or the end of `--once`; returns the exit code. */
async function run(
	userFolder: string,
	{ once, fresh, reload }: Record<'once' | 'fresh' | 'reload', boolean>,
): Promise<number> {
	const interrupted = interruption();
	const starting = startWorkbench({ userFolder, fresh, restoreExamples: once, reload, report });
	const started = await Promise.race([starting, interrupted]);
	// Everything started so far ends with this process.
	if (started === undefined) return 1;
	try {
		const failure = Promise.race([interrupted.then(() => undefined), started.failed]);
		if (once) {
			const agreed = await Promise.race([runOnce(started), failure]);
			if (typeof agreed === 'string') report(agreed);
			return agreed === true ? 0 : 1;
		}
		console.log(banner(started, await ownerOf(userFolder)));
		const reason = await failure;
		report(reason ?? 'stopping');
		return reason === undefined ? 0 : 1;
	} finally {
		await started.stop();
		report('stopped sandbox and n8n');
	}
}

const USAGE = `npm start                 with the editor, for trying it out
npm start -- --once       executes every example, compares it with the chain, and ends
npm start -- --fresh      deletes n8n's state from earlier starts
npm start -- --reload     rebuilds and reloads the node whenever a source changes (npm run dev)
npm start -- --state DIR  keeps n8n's state in DIR instead of .local/n8n`;

function readArguments() {
	const options = {
		once: { type: 'boolean', default: false },
		fresh: { type: 'boolean', default: false },
		reload: { type: 'boolean', default: false },
		state: { type: 'string', default: n8nState },
		help: { type: 'boolean', default: false },
	} as const;
	try {
		return parseArgs({ options }).values;
	} catch (error) {
		console.error(`${(error as Error).message}\n\n${USAGE}`);
		process.exit(2);
	}
}

const values = readArguments();
if (values.help) {
	console.log(USAGE);
	process.exit(0);
}
try {
	process.exit(await run(resolve(values.state), values));
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exit(1);
}
