/** A credential that changes while a write is being prepared: it is sent as it was checked, or not at all. */
import type { IDataObject } from 'n8n-workflow';

import { sendOf, WRITES } from './support/kinds-of-writes.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

/** More readings of the credential than any write makes. */
const READINGS = 20;

/** The fate of a write when one field of the credential changes at its nth reading. */
async function writeWithChange(
	parameters: IDataObject,
	field: string,
	[before, after]: readonly [unknown, unknown],
	nth: number,
	items: IDataObject[],
) {
	let readings = 0;
	const credential = {
		...node.service.credential(),
		get [field](): unknown {
			readings += 1;
			return readings < nth ? before : after;
		},
	};
	const writes = () => node.service.asked('/write').length;
	const sentBefore = writes();
	const result = await node.run(parameters, { credential: credential as never, items });
	const { error } = result;
	return {
		readings,
		sent: writes() - sentBefore,
		hash: result.items[0]?.json.hash,
		code: (error?.context?.details as IDataObject | undefined)?.code,
		message: error?.message,
	};
}

/** Changes the credential at each reading in turn, up to one that comes too late for the write. */
async function writesWithChange(
	parameters: IDataObject,
	field: string,
	values: readonly [unknown, unknown],
	items: IDataObject[] = [{}],
) {
	const inTime = [];
	for (let nth = 2; nth <= READINGS; nth++) {
		const result = await writeWithChange(parameters, field, values, nth, items);
		if (result.readings < nth) return { inTime, late: result };
		inTime.push(result);
	}
	throw new Error('The credential is read more often than was thought');
}

const POLICIES = [
	['allowWrites', [true, false]],
	['allowedContracts', ['', BOB.address]],
] as const;
const elsewhere = () => {
	const { baseUrl } = node.service;
	return [baseUrl, `${baseUrl}/elsewhere`] as const;
};

/** Writes that send other requests first, and writes that are checked and sent with one reading. */
const [PREPARED, PLAIN] = [true, false].map((isPrepared) =>
	Object.entries(WRITES)
		.map(([kind, { same }]) => [kind, same] as const)
		.filter(([kind]) => /Send|to a user|whole tokens/.test(kind) === isPrepared),
);

describe.each(PREPARED ?? [])('%s', (_name, parameters) => {
	test.each(POLICIES)('%s forbids it meanwhile: it is not sent', async (field, values) => {
		const { inTime, late } = await writesWithChange(parameters, field, values);
		expect(inTime.length).toBeGreaterThan(0);
		for (const result of inTime) {
			expect(result).toMatchObject({ sent: 0, code: 'policy-refused' });
		}
		expect(late).toMatchObject({ sent: 1, hash: expect.any(String) });
	});

	test('the base URL leads elsewhere meanwhile: it is not sent, and says why', async () => {
		const { inTime, late } = await writesWithChange(parameters, 'baseUrl', elsewhere());
		expect(inTime.length).toBeGreaterThan(0);
		for (const result of inTime) {
			expect(result).toMatchObject({ sent: 0, message: expect.stringMatching(/./) });
		}
		expect(inTime.at(-1)?.message).toMatch(
			/Base URL: The base URL of the credential changed while the write was being prepared/,
		);
		expect(late).toMatchObject({ sent: 1 });
	});
});

test('a limit is lowered meanwhile: what the execution has sent before counts', async () => {
	const limits = [`2 ${TOKEN}`, `1 ${TOKEN}`] as const;
	const payment = sendOf({ amount: '1' });
	const { inTime, late } = await writesWithChange(payment, 'amountLimits', limits, [{}, {}]);
	expect(inTime.length).toBeGreaterThan(2);
	for (const { sent, message } of inTime) {
		expect(sent).toBe(1);
		expect(message).toMatch(/has moved or approved 1 .*the limit is 1/);
	}
	expect(late).toMatchObject({ sent: 2, message: undefined });
});

describe.each(PLAIN ?? [])('%s', (_name, parameters) => {
	test.each([...POLICIES, ['baseUrl', undefined] as const])(
		'it is checked and sent with the same reading: %s',
		async (field, values) => {
			const { inTime, late } = await writesWithChange(parameters, field, values ?? elsewhere());
			expect(inTime).toEqual([]);
			expect(late).toMatchObject({ readings: 1, sent: 1, hash: expect.any(String) });
		},
	);
});
