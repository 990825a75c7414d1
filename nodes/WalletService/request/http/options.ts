import type { INodeProperties } from 'n8n-workflow';

import { SECOND_MS } from '../../values/clock';
import type { Field } from '../../values/invalid-input';
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

/** Bounds of the numbers, and their values unless set. */
export const LIMITS = {
	/** 0 lets the run adapt. */
	concurrency: { default: 0, min: 0, max: 200 },
	maxTries: { default: 4, min: 1, max: 20 },
	retryFor: { default: 120, min: 0, max: 3600 },
	timeout: { default: 60, min: 1, max: 3600 },
} as const;

type SettingName = keyof typeof LIMITS;

function numberField(
	displayName: string,
	name: SettingName,
	description: string,
	example: number = LIMITS[name].default,
): INodeProperties {
	const { default: shown, min, max } = LIMITS[name];
	return {
		displayName,
		name,
		type: 'number',
		typeOptions: { minValue: min, maxValue: max },
		default: shown,
		placeholder: `e.g. ${example}`,
		description,
	};
}

const settingFields = {
	maxTries: numberField(
		'Max Tries',
		'maxTries',
		'How many times to try a request if the service is busy or cannot be reached. A write is retried only if it certainly did not go through.',
	),
	retryFor: numberField(
		'Give Up After (Seconds)',
		'retryFor',
		'Maximum time for one item, including all retries and pauses',
	),
	timeout: numberField(
		'Timeout (Seconds)',
		'timeout',
		'How long to wait for one answer from the service',
	),
	concurrency: numberField(
		'Concurrency',
		'concurrency',
		'Maximum number of concurrent requests (1 to 200). With 0, the node adapts: it raises the number until the service refuses a request. Writes always go out one at a time.',
		10,
	),
};

/** The section of both credentials with the settings of requests. It is a fixed collection, as n8n shows no other one there. */
export const connection = {
	displayName: 'Connection',
	name: 'connection',
	type: 'fixedCollection',
	placeholder: 'Add connection settings',
	default: {},
	description:
		'How often to try a request, how long to wait, and how many to send at the same time. Rarely needed: without these settings, the nodes try 4 times and adapt to the service.',
	options: [{ displayName: 'Settings', name: 'settings', values: Object.values(settingFields) }],
} as const satisfies INodeProperties;

/**
 * An entry of Options that an earlier version of the node offered: the form shows it in workflows that have it, even if
 * it is empty, and offers it in no other.
 *
 * @param operations those that have it, by default all
 * @example
 * const entry = { displayName: 'Old', name: 'old', type: 'string', default: '' };
 * Object.keys(savedOption(entry, 'Saved by version 1').displayOptions.show) // ['/options.old']
 */
export function savedOption(
	entry: INodeProperties,
	description: string,
	operations?: string[],
): INodeProperties {
	const saved = [{ _cnd: { exists: true } } as const, { _cnd: { regex: '^$' } } as const];
	// The operation comes first: n8n shows an entry with an expression whatever the rules after it are.
	const show = {
		...(operations && { '/operation': operations }),
		[`/options.${entry.name}`]: saved,
	};
	return { ...entry, description, displayOptions: { show } };
}

/**
 * A setting that earlier versions of the nodes had under Options, and which is now in the credential.
 *
 * @example savedSetting('timeout').displayName // 'Timeout (Seconds)'
 */
export const savedSetting = (name: SettingName, operations?: string[]): INodeProperties =>
	savedOption(
		settingFields[name],
		'Saved by an earlier version of this node. It replaces the value under Connection in the credential; remove it to use that one.',
		operations,
	);

/** The saved settings of all operations and of the trigger. */
export const savedRetries: INodeProperties[] = (['maxTries', 'retryFor', 'timeout'] as const).map(
	(name) => savedSetting(name),
);

/** Lets a write that was sent before be sent again. */
export const sendAgain: INodeProperties = {
	displayName: 'Send Again',
	name: 'sendAgain',
	type: 'boolean',
	default: false,
	description:
		'Whether to send a write even if it was sent minutes ago in the editor or by the retried execution, or if the same call may have succeeded. The transaction may then happen twice.',
	displayOptions: { show: { '/operation': ['write', 'send'] } },
};

/** Lets a write be paid by one user's wallet only, whatever credential the node has. */
export const sender: INodeProperties = {
	displayName: 'Sender',
	name: 'sender',
	type: 'string',
	default: '',
	placeholder: 'e.g. DISCORD-100200300400500600',
	description:
		'User ID whose wallet is to pay, as for a payment that was checked or approved by another node. If the credential belongs to another user, nothing is sent.',
	displayOptions: { show: { '/operation': ['write', 'send'] } },
};

function readNumber(value: unknown, name: SettingName, field: Field, where = ''): number {
	const { min, max } = LIMITS[name];
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isCount = name === 'concurrency' || name === 'maxTries';
	const isInRange = typeof number === 'number' && number >= min && number <= max;
	if (isInRange && (!isCount || Number.isInteger(number))) return number;
	const what = isCount ? 'a whole number' : 'a number';
	const problem = `${quote(value)} is not ${what} from ${min} to ${max}`;
	return refuse(field, problem, `Enter ${what} from ${min} to ${max}${where}`);
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

/** Where the settings of a run can be. */
export interface SettingSources {
	/** The section Connection of the credential. */
	readonly connection?: unknown;
	/** n8n's own Request Options, which are not used. */
	readonly requestOptions?: unknown;
}

/**
 * Reads the settings of a run: those that a saved workflow has under Options replace those of the credential.
 *
 * @param given the Options of the node
 * @throws InvalidInputError for a number out of range, or a network setting of the node.
 * @example readRequestSettings({}, { connection: { settings: { timeout: 5 } } }).timeoutMs // 5000
 */
export function readRequestSettings(
	given: unknown,
	{ connection: section, requestOptions }: SettingSources = {},
): RequestSettings {
	assertNoNetwork(requestOptions);
	const options = isObject(given) ? given : {};
	const settings = isObject(section) && isObject(section.settings) ? section.settings : {};
	const numberOf = (name: SettingName): number => {
		const saved = options[name] ?? undefined;
		if (saved !== undefined) return readNumber(saved, name, ['options', name]);
		const value = name in settings ? settings[name] : LIMITS[name].default;
		const field = ['Credential', connection.displayName, settingFields[name].displayName];
		return readNumber(value, name, field, ' in the credential');
	};
	return {
		concurrency: numberOf('concurrency') || undefined,
		maxTries: numberOf('maxTries'),
		retryForMs: numberOf('retryFor') * SECOND_MS,
		timeoutMs: numberOf('timeout') * SECOND_MS,
	};
}
