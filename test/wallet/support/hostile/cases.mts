/** All cases, as a table: method, field, lie and moment. */
import type { Lie } from '../scripted-endpoint.mts';
import type { MomentName } from './moment-names.mts';
import type { Scene } from './scene.mts';
import { STORIES_OF_ANSWERS } from './stories-of-answers.mts';
import { STORIES_OF_CHAIN } from './stories-of-chain.mts';
import { TARGETS, type Target } from './targets.mts';
import { bend, ERRORS, KINDS, WHOLE, type Bend } from './values.mts';

export interface HostileCase {
	name: string;
	moment: MomentName;
	/** Which endpoint lies; the first one is asked first. */
	liar: 0 | 1;
	lie(scene: Scene): void;
}

type Untimed = Pick<HostileCase, 'lie'> & { what: string; moments: readonly MomentName[] };

/** Lies about those requests of a method that are meant. */
function about(
	{ method, isMeant = () => true, ...target }: Target,
	what: string,
	lie: Lie,
): Untimed {
	return {
		what: `${target.name} ${what}`,
		moments: target.moments,
		lie: ({ liar }) =>
			liar.lie(method, async (request, honest) =>
				isMeant(request) ? await lie(request, honest) : honest(),
			),
	};
}

/** Changes the value at a path. */
function bent(path: string, lie: Bend): Lie {
	return (_request, honest) => {
		const answer = honest();
		if (!('result' in answer)) return answer;
		return { result: bend(answer.result, path === '' ? [] : path.split('.'), lie) };
	};
}

function casesOf(target: Target): Untimed[] {
	const fields = target.fields.flatMap(([path, kind]) =>
		Object.entries(KINDS[kind]).map(([name, lie]) =>
			about(target, `${path === '' ? '' : `${path}: `}${name}`, bent(path, lie)),
		),
	);
	if (target.hasWhole !== true) return fields;
	return [
		...fields,
		...Object.entries(WHOLE).map(([name, lie]) =>
			about(target, `as a whole: ${name}`, bent('', lie)),
		),
		...Object.entries(ERRORS).map(([name, error]) =>
			about(target, `error: ${name}`, () => ({ error })),
		),
		about(target, 'without a result', () => undefined),
	];
}

/** How often the second endpoint lies instead of the first one: in each so many cases. */
const SECOND = 4;

/**
 * The cases in a fixed order.
 *
 * @param isComplete whether each lie is told at each of its moments, by either endpoint; otherwise lies about one field are
 * told at one of them, in turn, and stories at each
 */
export function allCases(isComplete: boolean): HostileCase[] {
	const timed = ({ what, lie }: Untimed, moment: MomentName, liar: 0 | 1): HostileCase => {
		const name = `${moment} / ${what}${liar === 1 ? ' (second)' : ''}`;
		return { name, moment, liar, lie };
	};
	const at = (one: Untimed, moments: readonly MomentName[]) =>
		[0, 1].flatMap((liar) => moments.map((moment) => timed(one, moment, liar === 0 ? 0 : 1)));
	const fields = TARGETS.flatMap(casesOf);
	const stories = [...STORIES_OF_CHAIN, ...STORIES_OF_ANSWERS].map(
		([what, lie, moments]): Untimed => ({ what, lie, moments }),
	);
	if (isComplete) return [...stories, ...fields].flatMap((one) => at(one, one.moments));
	return [
		...stories.flatMap((one) => one.moments.map((moment) => timed(one, moment, 0))),
		...fields.map((one, index) => {
			const moment = one.moments[index % one.moments.length] ?? 'start';
			const turn = Math.floor(index / one.moments.length);
			return timed(one, moment, turn % SECOND === SECOND - 1 ? 1 : 0);
		}),
	];
}
