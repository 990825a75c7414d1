import { InvalidInputError } from './invalid-input';
import { isObject } from './objects';
import { quote } from './quote';

const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:\.\d{1,9})?))?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** What the clocks of a time zone show at a moment, as if they stood in UTC. */
function clockAt(time: number, zone: string): number {
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone: zone,
		hourCycle: 'h23',
		...{ year: 'numeric', month: 'numeric', day: 'numeric' },
		...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
	});
	const shown = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
	const part = (type: Intl.DateTimeFormatPartTypes): number => shown.get(type) ?? 0;
	const seconds = Date.UTC(
		...([part('year'), part('month') - 1, part('day')] as const),
		...([part('hour'), part('minute'), part('second')] as const),
	);
	return seconds + (((time % 1000) + 1000) % 1000);
}

/** The moment at which the clocks of a zone show a time; where they show it never or twice, one that is near. */
function momentOf(clock: number, zone: string): number {
	const first = clock - (clockAt(clock, zone) - clock);
	return first - (clockAt(first, zone) - clock);
}

function parseIso(text: string, zone: string): number {
	const [, date, minutes = '00:00', seconds = '00', offset] = ISO.exec(text) ?? [];
	if (date === undefined) return NaN;
	const clock = Date.parse(`${date}T${minutes}:${seconds}Z`);
	// Some engines take the 30th of February for a day in March.
	const isReal = !Number.isNaN(clock) && new Date(clock).toISOString().startsWith(date);
	if (!isReal) return NaN;
	if (offset === undefined) return momentOf(clock, zone);
	return Date.parse(`${date}T${minutes}:${seconds}${offset.toUpperCase()}`);
}

/** The moment of a Date, or of a DateTime of n8n's expressions. */
function ofObject(value: object): number {
	const isTime = value instanceof Date || 'toMillis' in value;
	return isTime ? Number(value.valueOf()) : NaN;
}

/**
 * A moment: an ISO text, or a date and time as n8n's expressions and its calendar give it.
 *
 * @param zone the time zone that counts where the text names none, for example `Europe/Berlin`
 * @returns milliseconds since 1970
 * @throws InvalidInputError for anything else, also for a day that no calendar has.
 * @example parseTime('2026-11-21T13:28:22Z', { zone: 'UTC', parameter: 'since' }) // 1795267702000
 */
export function parseTime(
	value: unknown,
	{ zone, parameter }: { readonly zone: string; readonly parameter: string },
): number {
	const time = isObject(value)
		? ofObject(value)
		: typeof value === 'string'
			? parseIso(value.trim(), zone)
			: NaN;
	if (!Number.isNaN(time)) return time;
	throw new InvalidInputError({
		parameter,
		value,
		message: `${quote(value)} is not a time`,
		hint: 'Give a date and time such as 2026-11-21T13:28:22Z, or an expression such as {{ $now.minus({ days: 1 }) }}',
	});
}
