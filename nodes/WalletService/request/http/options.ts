import type { INodeProperties } from 'n8n-workflow';

import { SECOND_MS } from '../../values/clock';
import { refuse } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';

export interface RequestSettings {
	/** Maximum number of requests in flight, 1 to 200; if `undefined`, the run adapts to the service. */
	readonly concurrency: number | undefined;
	/** Maximum number of attempts of one request, including the first. */
	readonly maxTries: number;
	/** Maximum time for all attempts and pauses of one item, in milliseconds. */
	readonly retryForMs: number;
	/** Maximum time for one attempt, in milliseconds. */
	readonly timeoutMs: number;
}

/** Bounds of the numbers in Options, and their initial values in the form. */
export const LIMITS = {
	concurrency: { default: 10, min: 1, max: 200 },
	maxTries: { default: 4, min: 1, max: 20 },
	retryFor: { default: 120, min: 0, max: 3600 },
	timeout: { default: 60, min: 1, max: 3600 },
} as const;

function numberOption(
	displayName: string,
	name: keyof typeof LIMITS,
	description: string,
): INodeProperties {
	const { default: shown, min, max } = LIMITS[name];
	return {
		displayName,
		name,
		type: 'number',
		typeOptions: { minValue: min, maxValue: max },
		default: shown,
		placeholder: `e.g. ${shown}`,
		description,
	};
}

/** Options for retries and timeouts, shared with the trigger. */
export const retryOptions: INodeProperties[] = [
	numberOption(
		'Max Tries',
		'maxTries',
		'How many times to try a request if the service is busy or cannot be reached. A write is retried only if it certainly did not go through.',
	),
	numberOption(
		'Give Up After (Seconds)',
		'retryFor',
		'Maximum time for one item, including all retries and pauses',
	),
	numberOption('Timeout (Seconds)', 'timeout', 'How long to wait for one answer from the service'),
];

/** Options of every operation. Those of writes are read for each item, the others once per run, from the first item. */
export const requestOptions: INodeProperties[] = [
	{
		...numberOption(
			'Concurrency',
			'concurrency',
			'Maximum number of concurrent requests (1 to 200). Without this option, the node adapts: it raises the number until the service refuses a request.',
		),
		displayOptions: { hide: { '/operation': ['write', 'send'] } },
	},
	...retryOptions,
	{
		displayName: 'Send Again',
		name: 'sendAgain',
		type: 'boolean',
		default: false,
		description:
			'Whether to send a write even if it was sent minutes ago in the editor or by the retried execution, or if the same call may have succeeded. The transaction may then happen twice.',
		displayOptions: { show: { '/operation': ['write', 'send'] } },
	},
];

function readNumber(value: unknown, name: keyof typeof LIMITS): number {
	const { min, max } = LIMITS[name];
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isCount = name === 'concurrency' || name === 'maxTries';
	const isInRange = typeof number === 'number' && number >= min && number <= max;
	if (isInRange && (!isCount || Number.isInteger(number))) return number;
	const what = isCount ? 'a whole number' : 'a number';
	const problem = `${quote(value)} is not ${what} from ${min} to ${max}`;
	return refuse(['options', name], problem, `Enter ${what} from ${min} to ${max}`);
}

/** Refuses network settings of the node: with them, a person who may only use a credential could read its token. */
function assertNoNetwork(requestOptions: unknown): void {
	const { proxy, allowUnauthorizedCerts } = isObject(requestOptions) ? requestOptions : {};
	if (!proxy && !allowUnauthorizedCerts) return;
	const message =
		'Proxy and Ignore SSL Issues belong to the credential, because they decide who can read the access token';
	const hint =
		'Remove them from the Settings of the node; the owner of the credential can set them in the credential';
	// The value is not quoted, because it may contain a password.
	refuse('Request Options', message, hint);
}

/**
 * Reads the settings in the Options parameter.
 *
 * @param requestOptions n8n's own Request Options, which are not used
 * @throws InvalidInputError for a number out of range, or a network setting of the node.
 * @example readRequestSettings({ timeout: 5 }).timeoutMs // 5000
 */
export function readRequestSettings(given: unknown, requestOptions?: unknown): RequestSettings {
	assertNoNetwork(requestOptions);
	const options = isObject(given) ? given : {};
	const numberOf = (name: 'maxTries' | 'retryFor' | 'timeout') =>
		readNumber(options[name] ?? LIMITS[name].default, name);
	const concurrency = options.concurrency ?? undefined;
	return {
		concurrency: concurrency === undefined ? undefined : readNumber(concurrency, 'concurrency'),
		maxTries: numberOf('maxTries'),
		retryForMs: numberOf('retryFor') * SECOND_MS,
		timeoutMs: numberOf('timeout') * SECOND_MS,
	};
}
