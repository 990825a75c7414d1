const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY_NAME = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';

const FORMS = [
	// Sun, 06 Nov 1994 08:49:37 GMT
	new RegExp(`^${DAY_NAME}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
	// Sunday, 06-Nov-94 08:49:37 GMT
	new RegExp(`^${LONG_DAY_NAME}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`),
	// Sun Nov  6 08:49:37 1994
	new RegExp(`^${DAY_NAME} ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})$`),
];

/** A two-digit year is at most 50 years ahead; otherwise it is the latest earlier year with these digits. */
function fullYear(year: string, now: number): number {
	if (year.length === 4) return Number(year);
	const latest = new Date(now).getUTCFullYear() + 50;
	return latest - ((latest - Number(year)) % 100);
}

/**
 * The time of an HTTP date, in milliseconds since 1970, in one of the three forms that a recipient must accept (RFC 9110,
 * section 5.6.7). `Date.parse` is too lenient: it reads `-1` and `soon 5` as days of the year 2001.
 *
 * @param now reference time for a two-digit year, in milliseconds since 1970
 * @returns `undefined` for anything else, and for a day or time of day that does not exist
 * @example parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT', Date.now()) // 784111777000
 */
export function parseHttpDate(text: string, now: number): number | undefined {
	const groups = FORMS.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
	if (groups === undefined) return undefined;
	const { year = '', month = '', day = '', hour, minute, second } = groups;
	const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
	// 60 is a leap second.
	if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
	const midnight = Date.UTC(fullYear(year, now), MONTHS.indexOf(month), Number(day));
	// A day that the month lacks overflows into the next month.
	if (new Date(midnight).getUTCDate() !== Number(day)) return undefined;
	return midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
