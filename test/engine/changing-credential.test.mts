/** A credential that changes while a write is being prepared: it is sent as it was checked, or not at all. */
import { Writing } from './support/writing.mts';

const writing = Writing.prepare();
/** No write reads its credential as often. */
const READINGS = 8;

/** What becomes of a write when one field of the credential changes with its nth reading. */
async function writeWithChange(field: string, values: readonly [unknown, unknown], nth: number) {
	let readings = 0;
	const credential = {
		...writing.credential(),
		get [field](): unknown {
			readings += 1;
			return values[readings < nth ? 0 : 1];
		},
	};
	const before = writing.service.writes.length;
	const { items, error } = await writing.run({}, {}, { credential: credential as never });
	return {
		readings,
		sent: writing.service.writes.length - before,
		hash: items[0]?.json.hash,
		message: error?.message ?? '',
	};
}

/** The same for each reading that there is, until the change comes too late. */
async function writesWithChange(field: string, values: readonly [unknown, unknown]) {
	const results = [];
	for (let nth = 2; nth <= READINGS; nth++) {
		const result = await writeWithChange(field, values, nth);
		results.push(result);
		if (result.readings < nth) return results;
	}
	throw new Error('The credential is read more often than was thought');
}

test.each([
	['the policy', 'allowWrites', [true, false], /rule "Allow Writes"/],
	[
		'a limit',
		'allowedContracts',
		['', '0x5FbDB2315678afecb367f032d93F642f64180aa3'],
		/rule "Allowed Contracts"/,
	],
] as const)('%s forbids it meanwhile: it is not sent', async (_what, field, values, message) => {
	const results = await writesWithChange(field, values);
	const inTime = results.slice(0, -1);
	expect(inTime.length).toBeGreaterThan(0);
	for (const result of inTime) {
		expect(result).toMatchObject({ sent: 0, message: expect.stringMatching(message) });
	}
	expect(results.at(-1)).toMatchObject({ sent: 1, hash: expect.any(String) });
});

test('the base URL leads elsewhere meanwhile: it is not sent, and says why', async () => {
	const { baseUrl } = writing.service;
	const results = await writesWithChange('baseUrl', [baseUrl, `${baseUrl}/elsewhere`]);
	const inTime = results.slice(0, -1);
	expect(inTime.length).toBeGreaterThan(0);
	for (const { sent, message } of inTime) {
		expect(sent).toBe(0);
		expect(message).toMatch(
			/Base URL: The base URL of the credential changed while the write was about to be sent/,
		);
	}
	expect(results.at(-1)).toMatchObject({ sent: 1 });
});
