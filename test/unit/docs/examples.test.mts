/** Each exported helper of these rooms has an example, and the example is true. */
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { ParamType } from 'ethers';

import { ServiceError } from '../../../nodes/WalletService/request/failure/service-error.ts';
import { root } from '../../../tools/files/paths.mts';
import { projectFiles } from '../../support/docs/documents.mts';
import { helpersOf, stepsOf } from '../support/docs/examples.mts';

const ROOMS = 'contract,values,request/http,writes';

/** Only n8n can make a context: examples with one are not run. */
const FROM_N8N = /\bcontext\b/;

async function sources() {
	const paths = await projectFiles(`nodes/WalletService/{${ROOMS}}/**/*.ts`);
	return await Promise.all(paths.map(async (path) => ({ path, helpers: await helpersOf(path) })));
}

/** All exports of the rooms, and what their examples need besides. */
async function scope(): Promise<Record<string, unknown>> {
	const modules = await Promise.all(
		(await sources()).map(async ({ path }): Promise<object> => await import(join(root, path))),
	);
	return Object.assign({ ParamType, ServiceError }, ...modules);
}

/** A value as written in an example. */
const written = (value: unknown): string =>
	inspect(value, { breakLength: Infinity }).replaceAll('[ ', '[').replaceAll(' ]', ']');

/** Whether a written value is the promised one; "…" matches anything. */
function isAs(text: string, promised: string): boolean {
	const parts = promised.split('…').map((part) => part.replace(/[^\w\s]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

interface Result {
	readonly result: string;
	readonly promised: string;
}

/** The results of an example's steps, with what their comments promise. */
async function runExample(example: string, names: Record<string, unknown>): Promise<Result[]> {
	const body = stepsOf(example).map(({ code, result }) => {
		const noted = `await note(async () => (${code.replace(/;$/, '')}), ${JSON.stringify(result)});`;
		return result === undefined ? code : noted;
	});
	const results: Result[] = [];
	const failed = (error: unknown) => (error instanceof Error ? `throws ${error.name}` : 'throws');
	const note = async (act: () => Promise<unknown>, promised: string) =>
		results.push({ result: await act().then(written, failed), promised });
	const all = { ...names, note };
	const made = new Function(...Object.keys(all), `return (async () => { ${body.join('\n')} })();`);
	await Reflect.apply(made, undefined, Object.values(all));
	return results;
}

test('each exported helper has an example', async () => {
	const helpers = (await sources()).flatMap(({ path, helpers: own }) =>
		own.map((helper) => ({ ...helper, label: `${basename(path)}: ${helper.name}` })),
	);
	expect(helpers.length).toBeGreaterThan(90);
	const without = helpers.filter(({ examples }) => examples.length === 0);
	expect(without.map(({ label }) => label)).toEqual([]);
	const unused = helpers.filter(
		({ name, examples }) => !examples.every((example) => new RegExp(`\\b${name}\\b`).test(example)),
	);
	expect(unused.map(({ label }) => label)).toEqual([]);
});

test('the examples give what they promise', async () => {
	const names = await scope();
	const examples = (await sources())
		.flatMap(({ helpers }) => helpers.flatMap((helper) => helper.examples))
		.filter((example) => !FROM_N8N.test(example) && stepsOf(example).some(({ result }) => result));
	expect(examples.length).toBeGreaterThan(80);
	const wrong = [];
	for (const example of examples) {
		for (const { result, promised } of await runExample(example, names)) {
			if (!isAs(result, promised)) wrong.push({ example, result });
		}
	}
	expect(wrong).toEqual([]);
});
