/** Compares the history that the service lists with the chain. */
import { blockLogForms } from '../scripted-forms.mts';
import type { Told } from '../scripted-service.mts';
import { addressIn } from '../scripted-transfer.mts';
import { fieldsOf, type Scene } from './scene.mts';
import { DEPTH } from './template.mts';

/** The number that transfers have with 6 decimals. */
const UNIT = 1_000_000;

interface TrueEntry {
	text: string;
	block: number;
}

/** The transfers of the wallet in the chain, each as one text. */
export function trueEntries({ chain, wallet }: Scene): TrueEntry[] {
	const own = wallet.address.toLowerCase();
	return chain.blocks.flatMap((block) =>
		blockLogForms(chain, block).flatMap(({ topics, data, transactionHash }) => {
			const [from, to] = [topics]
				.flat()
				.slice(1)
				.map((topic) => addressIn(String(topic)));
			if (from !== own && to !== own) return [];
			const time = new Date(block.time * 1_000).toISOString();
			const amount = Number(BigInt(String(data))) / UNIT;
			const text = [transactionHash, from, to, amount, 6, 'USDX', time].join(' ');
			return [{ text, block: block.number }];
		}),
	);
}

/** An entry of the history as one text. */
function textOf(entry: unknown): string {
	const { hash, from, to, amount, timestamp } = fieldsOf(entry);
	const { formatted, decimals, symbol } = fieldsOf(amount);
	const [sender, recipient] = [from, to].map((one) => String(fieldsOf(one).address).toLowerCase());
	return [hash, sender, recipient, formatted, decimals, symbol, timestamp].join(' ');
}

export const entriesIn = ({ data }: Told): string[] => [data].flat().map(textOf);

/** Entries that are in the first list, but not as often in the second. */
export function without(all: readonly string[], known: readonly string[]): string[] {
	const left = [...known];
	return all.filter((one) => {
		const place = left.indexOf(one);
		if (place >= 0) left.splice(place, 1);
		return place < 0;
	});
}

/** Blocks whose rows the database lists for a hash. */
async function blocksOf({ scripted }: Scene, entry: string): Promise<number[]> {
	const [hash = ''] = entry.split(' ');
	const rows = scripted.db.selectFrom('transfers').select('block').where('hash', '=', hash);
	return (await rows.execute()).map(({ block }) => Number(block));
}

/** Judges the history: what it lists must be so, and what was final once must be listed, unless it cannot be read. */
export async function judgeHistory(scene: Scene, told: Told): Promise<void> {
	if (told.status === 503 || told.status === 424) return;
	if (told.status !== 200) {
		scene.faults.add(`the history: ${told.status} ${JSON.stringify(told.data)}`);
		return;
	}
	const truth = trueEntries(scene);
	const listed = entriesIn(told);
	const { chain, template } = scene;
	for (const entry of without(
		listed,
		truth.map(({ text }) => text),
	)) {
		const blocks = await blocksOf(scene, entry);
		const isFinal = blocks.some((block) => chain.head - block >= DEPTH);
		(isFinal ? scene.faults : scene.early).add(`the history lists ${entry.slice(66)}`);
	}
	const old = truth.filter(({ block }) => block <= template.chain.head);
	for (const entry of without(
		old.map(({ text }) => text),
		listed,
	)) {
		scene.faults.add(`the history lacks ${entry.slice(66)}`);
	}
}
