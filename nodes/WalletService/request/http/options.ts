import type { INodeProperties } from 'n8n-workflow';

import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import type { Network } from './network';
import { readNetwork } from './network';

/** How the requests of one node run are sent. */
export interface RequestSettings {
	/** Most requests in flight, 1 to 200; `undefined` lets the run find out how many the service bears. */
	readonly concurrency: number | undefined;
	/** Most tries of one request, including the first. */
	readonly maxTries: number;
	/** Time that one item may spend on all its tries and pauses, in milliseconds. */
	readonly retryForMs: number;
	/** Time that one try may take, in milliseconds. */
	readonly timeoutMs: number;
	readonly network: Network;
}

/** Bounds of the numbers in Options. */
export const LIMITS = {
	concurrency: { min: 1, max: 200 },
	maxTries: { default: 4, min: 1, max: 20 },
	retryFor: { default: 120, min: 0, max: 3600 },
	timeout: { default: 60, min: 1, max: 3600 },
} as const;

const limitsOf = (name: keyof typeof LIMITS) => ({
	minValue: LIMITS[name].min,
	maxValue: LIMITS[name].max,
});

/** Entries of Options about tries and time-outs, which the trigger has as well. */
export const retryOptions: INodeProperties[] = [
	{
		displayName: 'Max Tries',
		name: 'maxTries',
		type: 'number',
		typeOptions: limitsOf('maxTries'),
		default: 4,
		placeholder: 'e.g. 4',
		description:
			'How often a request is tried when the service is busy or cannot be reached. A write is only tried again when it certainly was not done.',
	},
	{
		displayName: 'Give Up After (Seconds)',
		name: 'retryFor',
		type: 'number',
		typeOptions: limitsOf('retryFor'),
		default: 120,
		placeholder: 'e.g. 120',
		description:
			'How long one item may take at most with all its tries and the pauses between them',
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: limitsOf('timeout'),
		default: 60,
		placeholder: 'e.g. 60',
		description: 'How long to wait for one answer of the service',
	},
];

/** Entries of Options that every operation has, read once per run from the first item; the last one is read for each item. */
export const requestOptions: INodeProperties[] = [
	{
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: limitsOf('concurrency'),
		default: 10,
		placeholder: 'e.g. 10',
		description:
			'How many requests may be under way at the same time (1 to 200). Without this option the node finds the number itself: it sends more until the service refuses a request.',
		displayOptions: { hide: { '/operation': ['write', 'send'] } },
	},
	...retryOptions,
	{
		displayName: 'Resend When Unknown',
		name: 'resendWhenUnknown',
		type: 'boolean',
		default: false,
		description:
			'Whether a write is sent although an earlier try of it, or the same call before, may have succeeded. The transaction can then happen twice.',
		displayOptions: { show: { '/operation': ['write', 'send'] } },
	},
];

function readNumber(value: unknown, name: keyof typeof LIMITS): number {
	const { min, max } = LIMITS[name];
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && number >= min && number <= max) return number;
	throw new InvalidInputError({
		parameter: `Options: ${name}`,
		value,
		message: `${quote(value)} is out of range`,
		hint: `Give a number from ${min} to ${max}`,
	});
}

/**
 * Reads the settings in the Options parameter and in n8n's own Request Options.
 *
 * @throws InvalidInputError for a number out of range, or a proxy that is not a URL.
 * @example readRequestSettings({ timeout: 5 }).timeoutMs // 5000
 */
export function readRequestSettings(given: unknown, requestOptions?: unknown): RequestSettings {
	const options = isObject(given) ? given : {};
	const numberOf = (name: 'maxTries' | 'retryFor' | 'timeout') =>
		readNumber(options[name] ?? LIMITS[name].default, name);
	const concurrency = options.concurrency ?? undefined;
	return {
		concurrency:
			concurrency === undefined ? undefined : Math.floor(readNumber(concurrency, 'concurrency')),
		maxTries: Math.floor(numberOf('maxTries')),
		retryForMs: numberOf('retryFor') * 1000,
		timeoutMs: numberOf('timeout') * 1000,
		network: readNetwork(requestOptions),
	};
}
