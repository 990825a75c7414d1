/**
 * A credential that differs from item to item, or changes while a write is being prepared: the request of each item is
 * sent with the item's own credential as it was checked, or not at all.
 */
import type { IDataObject } from 'n8n-workflow';

import { useService } from '../support/sandbox/service.mts';
import { storeCall } from './support/contract-calls.mts';
import { sendOf, WRITES } from './support/kinds-of-writes.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

describe('an access token from an expression', () => {
	const reference = useNode(useService());
	const items = 200;
	const odd = 33;

	test.each([
		['its own token', '={{ $json.accessToken }}'],
		['its own token instead of the usual one', '={{ $json?.odd || "USUAL" }}'],
		['a token by its place', `={{ $itemIndex === ${odd} ? "wrong" : "USUAL" }}`],
		['a token by the item of another node', '={{ $("Start").item.json.accessToken }}'],
	])('one item among many with %s', async (_name, token) => {
		const usual = reference.service.user().accessToken;
		const accessToken = token.replace('USUAL', usual);
		const user = { resource: 'user', operation: 'get' };
		const result = await reference.run(user, {
			credential: { ...reference.service.credential(), accessToken },
			items: Array.from({ length: items }, (_unused, index) =>
				index === odd ? { odd: 'wrong', accessToken: 'wrong' } : { accessToken: usual },
			),
			node: CONTINUE,
		});
		const failed = result.items.filter(({ json }) => json.error !== undefined);
		expect(failed).toMatchObject([
			{ pairedItem: { item: odd }, json: { details: { httpStatus: 401 } } },
		]);
	});

	test('each write is sent with the token of its own item', async () => {
		const names = ['Nelly', 'Rahul Sen', 'Nelly', 'mika_dev'] as const;
		const users = names.map((name) => reference.service.user(name));
		const { items: output } = await reference.run(storeCall(reference.service.contracts.shapes), {
			credential: { ...reference.service.credential(), accessToken: '={{ $json.accessToken }}' },
			items: users.map(({ accessToken }) => ({ accessToken })),
		});
		const hashes = output.map(({ json }) => String(json.hash));
		const sent = hashes.map(async (hash) => await reference.service.chain.getTransaction(hash));
		expect(await Promise.all(sent)).toMatchObject(users.map(({ address }) => ({ from: address })));
	});
});

const node = useNode();

/** More than the number of times that any write reads the credential. */
const READINGS = 20;

/** A write, the field of the credential that changes meanwhile, its values before and after, and the items. */
type Change = readonly [
	parameters: IDataObject,
	field: string,
	values: readonly [unknown, unknown],
	items?: IDataObject[],
];

/** Runs a write while one field of the credential changes on its nth read, and returns the outcome. */
async function writeWithChange(nth: number, ...change: Change) {
	const [parameters, field, [before, after], items = [{}]] = change;
	let readings = 0;
	const credential = {
		...node.service.credential(),
		get [field](): unknown {
			readings += 1;
			return readings < nth ? before : after;
		},
	};
	node.service.reset();
	const result = await node.run(parameters, { credential: credential as never, items });
	const { outcome, code } = (result.error?.context?.details ?? {}) as IDataObject;
	const elsewhere = node.service.asked('/elsewhere').filter((path) => !path.endsWith('/read'));
	return {
		readings,
		outcome,
		code,
		elsewhere,
		message: result.error?.message,
		sent: node.service.asked('/write').length,
		hash: result.items[0]?.json.hash,
	};
}

/** Changes the credential on each read in turn, until a change comes too late to affect the write. */
async function writesWithChange(...change: Change) {
	const inTime = [];
	for (let nth = 2; nth <= READINGS; nth++) {
		const result = await writeWithChange(nth, ...change);
		if (result.readings < nth) return { inTime, late: result };
		inTime.push(result);
	}
	throw new Error('The credential is read more often than expected');
}

const POLICIES = [
	['allowWrites', [true, false]],
	['allowedContracts', ['', BOB.address]],
] as const;
const elsewhere = () => {
	const { baseUrl } = node.service;
	return [baseUrl, `${baseUrl}/elsewhere`] as const;
};

/** Writes that send other requests first, and writes for which the credential is read once. */
const [PREPARED, PLAIN] = [true, false].map((isPrepared) =>
	Object.entries(WRITES)
		.map(([kind, { same }]) => [kind, same] as const)
		.filter(([kind]) => /Send|to a user|whole tokens/.test(kind) === isPrepared),
);

describe.each(PREPARED ?? [])('%s', (_name, parameters) => {
	test.each(POLICIES)('%s forbids it meanwhile: it is not sent', async (field, values) => {
		const { inTime, late } = await writesWithChange(parameters, field, values);
		expect(inTime.length).toBeGreaterThan(0);
		for (const one of inTime) expect(one).toMatchObject({ sent: 0, code: 'policy-refused' });
		expect(late).toMatchObject({ sent: 1, hash: expect.any(String) });
	});

	test('the base URL leads elsewhere meanwhile: it is not sent, and the error states why', async () => {
		const { inTime, late } = await writesWithChange(parameters, 'baseUrl', elsewhere());
		expect(inTime.length).toBeGreaterThan(0);
		for (const result of inTime) expect(result).toMatchObject({ sent: 0, outcome: 'refused' });
		const last = inTime.at(-1);
		expect(last?.message).toMatch(/^Base URL: The base URL of the credential changed while the/);
		// Requests other than reads; none may reach the other service.
		expect(last?.elsewhere).toEqual([]);
		expect(late).toMatchObject({ sent: 1 });
	});
});

test('a limit is lowered meanwhile: earlier writes of the execution count', async () => {
	const limits = [`2 ${TOKEN}`, `1 ${TOKEN}`] as const;
	const payment = sendOf({ amount: '1' });
	const { inTime, late } = await writesWithChange(payment, 'amountLimits', limits, [{}, {}]);
	expect(inTime.length).toBeGreaterThan(2);
	for (const { sent, message } of inTime) {
		expect(sent).toBe(1);
		expect(message).toMatch(/already counts 1 .*the limit is 1/);
	}
	expect(late).toMatchObject({ sent: 2, message: undefined });
});

const FIELDS = [...POLICIES, ['baseUrl', undefined] as const];

describe.each(PLAIN ?? [])('%s', (_name, parameters) => {
	test.each(FIELDS)('check and request share one reading of %s', async (field, values) => {
		const { inTime, late } = await writesWithChange(parameters, field, values ?? elsewhere());
		// The first reading of a run is only for the settings of its requests; all of them belong to the second.
		const all = ['/elsewhere/v1/service', '/elsewhere/v1/contracts/method/write'];
		const second = values ? { sent: 0, code: 'policy-refused' } : { sent: 1, elsewhere: all };
		expect(inTime).toMatchObject([second]);
		expect(late).toMatchObject({ readings: 2, sent: 1, hash: expect.any(String) });
	});
});
