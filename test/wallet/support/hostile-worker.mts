/** Runs the cases of the hostile endpoint that its parent names, several at the same time. */
import './node-sources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import type { Verdict } from './hostile/verdict.mts';

// Only now: they import the service, which imports sources of the node.
const { allCases } = await import('./hostile/cases.mts');
const { runCase } = await import('./hostile/run-case.mts');
const { makeTemplate } = await import('./hostile/template.mts');

/** What the parent asks for. */
interface Asked {
	name: string;
	isComplete: boolean;
}

const { path } = await temporaryFolder('hostile');
const template = makeTemplate(path);

async function verdictOf({ name, isComplete }: Asked): Promise<Verdict> {
	try {
		const one = allCases(isComplete).find((other) => other.name === name);
		if (!one) throw new Error('There is no such case');
		return await runCase(await template, one);
	} catch (error) {
		const faults = [`the case itself failed: ${String(error)}`];
		return { name, faults, early: [], isHelped: false, seconds: 0 };
	}
}

process.on('message', (asked: Asked) => {
	void verdictOf(asked).then((verdict) => process.send?.(verdict));
});
