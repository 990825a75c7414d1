import { isObject } from '../../values/objects';
import { inOneLine } from '../../values/quote';

/** A status' name (RFC 9110, section 15, and earlier names) without spaces, which adds nothing to the status. */
const STATUS_NAME =
	/^(?:http|err(?:or)?){0,4}(?:badrequest|unauthori[sz]ed|paymentrequired|forbidden|notfound|methodnotallowed|notacceptable|proxyauthenticationrequired|requesttimeout|conflict|gone|lengthrequired|preconditionfailed|(?:content|payload|requestentity)toolarge|(?:request)?uritoolong|unsupportedmediatype|rangenotsatisfiable|expectationfailed|misdirectedrequest|unprocessable(?:content|entity)|locked|faileddependency|tooearly|(?:upgrade|precondition)required|toomanyrequests|requestheaderfieldstoolarge|unavailableforlegalreasons|internal|(?:internal)?server|notimplemented|badgateway|service(?:temporarily)?unavailable|gatewaytimeout|versionnotsupported|networkauthenticationrequired|requestfailedwithstatuscode|error|http)(?:http|error|exception){0,4}$/i;

/**
 * Members of an answer with words for people, in order of preference; their names are compared without case and separators.
 * The first sentence counts, otherwise the first code.
 *
 * `errors`: GraphQL, JSON:API, ASP.NET, Laravel, Rails. `violations`: Quarkus. `issues`: Zod. `validation`: Celebrate. `message`: NestJS, Fastify, Spring, and
 * inside the others. `reason`: ethers 5, whose `error` says less.
 * `msg`: FastAPI. `shortMessage`: ethers, viem. `error_description`: OAuth2. `detail`: RFC 9457, Django. `error`: Express, Rails; elsewhere a status' name.
 * `faultstring`, `fault`, `text`: Apigee, SOAP.
 */
const SPEAKING =
	'errors violations issues validation invalidparams modelstate message msg shortmessage defaultmessage errormessage faultstring errordescription detail details description reason error fault text title code'.split(
		' ',
	);

/** Maximum length of the words: with the node's own, about three lines of an error in n8n. */
const LONGEST_WORDS = 250;
/** Maximum number of characters in which the words of one text are looked for. */
const MAX_READ = 10_000;
/** Maximum number of objects and lists that are searched for words: a hostile answer could otherwise take seconds. */
const MAX_OBJECTS = 100;

/** Shortens text to the length of its words, at the end of a word if possible. */
function cutShort(text: string): string {
	if (text.length <= LONGEST_WORDS) return text;
	const start = text.slice(0, LONGEST_WORDS - 1);
	const end = start.lastIndexOf(' ');
	return `${start.slice(0, end > LONGEST_WORDS / 2 ? end : LONGEST_WORDS)}…`;
}

/** Turns a service's text into a clause: one line, without final punctuation. */
export function asClause(text: string): string {
	return inOneLine(text).replace(/(?<![.,;:])[.,;:]+$/, '');
}

/** Whether a service's text adds information to the HTTP status, unlike `Not Found`. */
export function saysMore(text: string): boolean {
	const clause = asClause(text);
	return /[\p{L}\p{N}]/u.test(clause) && !STATUS_NAME.test(clause.replace(/[^\p{L}]/gu, ''));
}

/** Whether a service's text is a readable sentence, not a code or JSON. */
export function isSentence(text: string): boolean {
	return saysMore(text) && /^[^{[<]\S*\s/.test(text.trimStart());
}

/**
 * Finds the service's own words in the JSON value of an answer, at most 250 characters; empty if there are none.
 *
 * @example wordsIn({ error: 'Bad Request', message: ['to is sanctioned'] }) // 'to is sanctioned'
 */
export function wordsIn(value: unknown, room = { left: MAX_OBJECTS }): string {
	if (typeof value === 'string')
		return cutShort(value.slice(0, MAX_READ).replace(/\s+/g, ' ').trim());
	if (!isObject(value) || (room.left -= 1) < 0) return '';
	const members = Object.entries(value).slice(0, MAX_OBJECTS);
	const join = (texts: string[]) => cutShort(texts.join('; '));
	if (Array.isArray(value))
		return join(members.map(([, member]) => wordsIn(member, room)).filter(saysMore));
	const named = new Map(
		members.map(([name, one]) => [name.toLowerCase().replace(/[_-]/g, ''), one]),
	);
	const said = SPEAKING.map((name) => wordsIn(named.get(name), room)).filter(Boolean);
	// Fields with their violations. Texts beside a code or a status' name, such as a stack trace, are not for people.
	const fields = members
		.filter(([, member]) => said.length === 0 || isObject(member))
		.map(([name, member]) => [name, wordsIn(member, room)] as const)
		.filter(([, words]) => isSentence(words));
	const others = [join(fields.map((field) => field.join(': '))), said.find(saysMore), said[0]];
	return said.find(isSentence) ?? others.find(Boolean) ?? '';
}

/**
 * Joins parts of a message into sentences.
 *
 * @example asSentences(['Is it there?', '', 'Check again.', 'Item 1']) // 'Is it there? Check again. Item 1'
 */
export function asSentences(parts: readonly string[]): string {
	const said = parts.filter((part) => part !== '');
	return said
		.map((part, index) => (index < said.length - 1 && !/[.?!]$/.test(part) ? `${part}.` : part))
		.join(' ');
}
