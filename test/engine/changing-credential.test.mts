/** A credential that changes while a write is being prepared: it is sent as it was checked, or not at all. */
import type { IDataObject } from 'n8n-workflow';

import { sendOf, WRITES } from './support/kinds-of-writes.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

/** No write reads its credential as often. */
const READINGS = 20;

/** The fate of a write when one field of the credential changes at its nth reading. */
async function writeWithChange(
	parameters: IDataObject,
	field: string,
	[before, after]: readonly [unknown, unknown],
	nth: number,
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
	const { items, error } = await node.run(parameters, { credential: credential as never });
	return {
		readings,
		sent: writes() - sentBefore,
		hash: items[0]?.json.hash,
		code: (error?.context?.details as IDataObject | undefined)?.code,
		message: error?.message,
	};
}

/** The same for every reading; and a write for which the change comes too late. */
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

const POLICIES = [
	['allowWrites', [true, false]],
	['allowedContracts', ['', BOB.address]],
] as const;
const elsewhere = () => {
	const { baseUrl } = node.service;
	return [baseUrl, `${baseUrl}/elsewhere`] as const;
};

/** Some send other requests first; the others are checked and sent with the same reading. */
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
	const limit = (amount: string) => `${amount} ${TOKEN}`;
	for (let nth = 2; nth <= READINGS; nth++) {
		let readings = 0;
		const credential = {
			...node.service.credential(),
			get amountLimits(): string {
				readings += 1;
				return limit(readings < nth ? '2' : '1');
			},
		};
		const before = node.service.asked('/write').length;
		const parameters = sendOf({ amount: '1' });
		const { error } = await node.run(parameters, {
			credential: credential as never,
			items: [{}, {}],
		});
		const sent = node.service.asked('/write').length - before;
		if (readings < nth) {
			expect(error).toBeUndefined();
			expect(sent).toBe(2);
			expect(nth).toBeGreaterThan(4);
			return;
		}
		expect(sent).toBe(1);
		expect(error?.message).toMatch(/has moved or approved 1 .*the limit is 1/);
	}
	throw new Error('The credential is read more often than was thought');
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
