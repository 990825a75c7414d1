/** A credential that changes while a write is being prepared: it is sent as it was checked, or not at all. */
import type { IDataObject } from 'n8n-workflow';

import { BOB, TokenSends } from './support/token-service.mts';
import { transferOf } from './support/token-writes.mts';

const sends = TokenSends.prepare();

/** No write reads its credential as often. */
const READINGS = 20;

/** The parameters of writes, by what they are. */
const WRITES = {
	'Contract: Write that says everything itself': transferOf('5'),
	'Contract: Write in whole tokens': transferOf('1.5 SUSD'),
	'Contract: Write to a user': {
		...transferOf('5'),
		arguments: {
			mappingMode: 'defineBelow',
			value: { 'to (address)': BOB.id, 'amount (uint256)': '5' },
		},
	},
	'Token: Send': sends.parameters(),
} satisfies Record<string, IDataObject>;

/** What becomes of a write when one field of the credential changes with its nth reading. */
async function writeWithChange(
	parameters: IDataObject,
	field: string,
	values: readonly [unknown, unknown],
	nth: number,
) {
	let readings = 0;
	const credential = {
		...sends.credential(),
		get [field](): unknown {
			readings += 1;
			return values[readings < nth ? 0 : 1];
		},
	};
	const before = sends.writes.length;
	const { items, error } = await sends.run(parameters, {}, { credential: credential as never });
	return {
		readings,
		sent: sends.writes.length - before,
		hash: items[0]?.json.hash,
		message: error?.message ?? '',
	};
}

/** The same for each reading that there is; and the write that a change comes too late for. */
async function writesWithChange(
	parameters: IDataObject,
	field: string,
	values: readonly [unknown, unknown],
) {
	const inTime = [];
	for (let nth = 2; nth <= READINGS; nth++) {
		const result = await writeWithChange(parameters, field, values, nth);
		if (result.readings < nth) return { inTime, late: result };
		inTime.push(result);
	}
	throw new Error('The credential is read more often than was thought');
}

const { 'Contract: Write that says everything itself': PLAIN, ...PREPARED } = WRITES;

describe.each(Object.entries(PREPARED))('%s', (_name, parameters) => {
	test.each([
		['the policy', 'allowWrites', [true, false], /rule "Allow Writes"/],
		['a limit', 'allowedContracts', ['', BOB.address], /rule "Allowed Contracts"/],
	] as const)('%s forbids it meanwhile: it is not sent', async (_what, field, values, message) => {
		const { inTime, late } = await writesWithChange(parameters, field, values);
		expect(inTime.length).toBeGreaterThan(0);
		for (const result of inTime) {
			expect(result).toMatchObject({ sent: 0, message: expect.stringMatching(message) });
		}
		expect(late).toMatchObject({ sent: 1, hash: expect.any(String) });
	});

	test('the base URL leads elsewhere meanwhile: it is not sent, and says why', async () => {
		const { baseUrl } = sends.service;
		const values = [baseUrl, `${baseUrl}/elsewhere`] as const;
		const { inTime, late } = await writesWithChange(parameters, 'baseUrl', values);
		expect(inTime.length).toBeGreaterThan(0);
		for (const { sent, message } of inTime) {
			expect(sent).toBe(0);
			expect(message).not.toBe('');
		}
		expect(inTime.at(-1)?.message).toMatch(
			/Base URL: The base URL of the credential changed while the write was about to be sent/,
		);
		expect(late).toMatchObject({ sent: 1 });
	});
});

test.each([
	['allowWrites', [true, false]],
	['allowedContracts', ['', BOB.address]],
	['baseUrl', [0, 1]],
] as const)(
	'a write that says everything itself is checked and sent with the same reading: %s',
	async (field, values) => {
		const { baseUrl } = sends.service;
		const given = field === 'baseUrl' ? ([baseUrl, `${baseUrl}/elsewhere`] as const) : values;
		const { inTime, late } = await writesWithChange(PLAIN, field, given);
		expect(inTime).toEqual([]);
		expect(late).toMatchObject({ readings: 1, sent: 1, hash: expect.any(String) });
	},
);
