import type { Ignorer } from '@stryker-mutator/api/ignore';

/** Properties whose text people read. */
const FOR_PEOPLE = new Set([
	...['message', 'hint', 'description', 'displayName', 'placeholder', 'action', 'subtitle'],
]);

/** Three words in a row make a sentence. */
const SENTENCE = /\p{L}+[,:]?\s+\S+\s+\S/u;

/** The members of Babel's path and nodes that are read here. */
interface Path {
	readonly node: {
		readonly type: string;
		readonly value?: unknown;
		readonly key?: { readonly name?: string };
		readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
	};
	readonly parentPath?: Path;
}

const textOf = ({ node }: Path): string | undefined => {
	if (node.type === 'StringLiteral') return String(node.value);
	if (node.type !== 'TemplateLiteral') return undefined;
	return (node.quasis ?? []).map(({ value }) => value.raw).join('_');
};

/** Leaves out the wording of texts for people: it decides nothing, and tests should not depend on all of it. */
export const wordsForPeople: Ignorer = {
	shouldIgnore(path) {
		const text = textOf(path as Path);
		if (text === undefined) return undefined;
		const { parentPath } = path as Path;
		const isForPeople =
			parentPath?.node.type === 'ObjectProperty' && FOR_PEOPLE.has(parentPath.node.key?.name ?? '');
		return isForPeople || SENTENCE.test(text) ? 'Wording for people' : undefined;
	},
};
