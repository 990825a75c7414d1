import type { IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { SECOND_MS } from '../../values/clock';
import { refuse } from '../../values/invalid-input';
import { defined, isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import { urlOf } from '../../values/urls';

/** Network settings from n8n's own "Request Options" of the node. */
export type Network = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

export interface RequestSettings {
	/** Maximum number of requests in flight, 1 to 200; if `undefined`, the run adapts to the service. */
	readonly concurrency: number | undefined;
	/** Maximum number of attempts of one request, including the first. */
	readonly maxTries: number;
	/** Maximum time for all attempts and pauses of one item, in milliseconds. */
	readonly retryForMs: number;
	/** Maximum time for one attempt, in milliseconds. */
	readonly timeoutMs: number;
	readonly network: Network;
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

/** Options of every operation. The last one is read for each item, the others once per run, from the first item. */
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
		displayName: 'Resend When Unknown',
		name: 'resendWhenUnknown',
		type: 'boolean',
		default: false,
		description:
			'Whether to send a write even if an earlier attempt, or the same call elsewhere, may have succeeded. The transaction may then happen twice.',
		displayOptions: { show: { '/operation': ['write', 'send'] } },
	},
];

function readNumber(value: unknown, name: keyof typeof LIMITS): number {
	const { min, max } = LIMITS[name];
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && number >= min && number <= max) return number;
	const message = `${quote(value)} is out of range`;
	return refuse(`Options: ${name}`, value, message, `Enter a number from ${min} to ${max}`);
}

function readProxy(value: unknown): Network['proxy'] {
	if (value === undefined || value === '') return undefined;
	const url = urlOf(String(value));
	if (url === undefined || url.hostname === '') {
		// The value is not quoted, because it may contain a password.
		const hint = 'Enter its address with a protocol, for example http://proxy.example.com:3128';
		return refuse('Request Options: Proxy', '', 'The proxy is not a URL', hint);
	}
	const { protocol, hostname: host, port, username, password } = url;
	const defaultPort = protocol === 'https:' ? 443 : 80;
	return {
		protocol: protocol.slice(0, -1),
		host,
		port: port === '' ? defaultPort : Number(port),
		...(username !== '' && {
			auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
		}),
	};
}

/** Reads the part of n8n's "Request Options" that the options of this package do not replace. */
function readNetwork(value: unknown): Network {
	const { proxy, allowUnauthorizedCerts } = isObject(value) ? value : {};
	const skipSslCertificateValidation = allowUnauthorizedCerts === true ? true : undefined;
	return defined({ proxy: readProxy(proxy), skipSslCertificateValidation });
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
		retryForMs: numberOf('retryFor') * SECOND_MS,
		timeoutMs: numberOf('timeout') * SECOND_MS,
		network: readNetwork(requestOptions),
	};
}
