import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../files/json.mts';
import { readList, readObject, readText } from '../files/json.mts';
import { examplesDirectory } from '../files/paths.mts';

const FIRST = 'Start here';
const ORDER = 'Order of the Examples';

/** The names in the list that the first example shows. */
function listedIn(first: JsonObject | undefined): string[] {
	const nodes = readList(first?.nodes, `the nodes of ${FIRST}`);
	const notes = nodes.map((node) => readObject(node, 'a node'));
	const { parameters } = readObject(
		notes.find(({ name }) => name === ORDER),
		ORDER,
	);
	const content = readText(readObject(parameters, ORDER).content, ORDER);
	return [...content.matchAll(/^\d+\. \*\*(.*?)\*\*/gm)].map(([, name = '']) => name);
}

/** All example workflows: *Start here*, then the others as its note puts them in order. */
export async function orderedExamples(): Promise<JsonObject[]> {
	const files = (await readdir(examplesDirectory)).filter((file) => file.endsWith('.json'));
	const examples = await Promise.all(
		files.map(async (file) =>
			readObject(JSON.parse(await readFile(join(examplesDirectory, file), 'utf8')), file),
		),
	);
	const names = [FIRST, ...listedIn(examples.find(({ name }) => name === FIRST))];
	const placeOf = ({ name }: JsonObject) => names.indexOf(String(name));
	return examples.sort((one, other) => placeOf(one) - placeOf(other));
}
