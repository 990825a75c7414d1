/** Executions that are cut off by the death of n8n in the middle of their payments, counted on the chain. */
import { startChatModel } from '../../../tools/model/chat-model.mts';
import { readText } from '../../../tools/files/json.mts';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import type { Service, Username } from '../sandbox/service.mts';
import { until } from '../until.mts';
import { CASES, LIMIT, type Case, type CutOff, type CutOffHost } from './cut-off-cases.mts';
import { startMailbox } from './mailbox.mts';
import { mintedTo, mintItems } from './minting.mts';
import { publishNew } from './published.mts';
import { mailTo } from './reviewed-tools.mts';
import { limitedCredential } from './workspace.mts';
import { obey } from './tools-of-models.mts';

/** Time for all executions to begin, and for n8n to start again, on a busy machine. */
const PATIENCE = 1_500_000;

type Mail = Pick<CutOff, 'mailbox' | 'smtp'>;

/** Whose payments they are, at which service. */
export interface Payer {
	/** A letter, with which the IDs of its workflows begin. */
	readonly letter: string;
	readonly service: () => Service;
	readonly isKept: boolean;
}

/** A case by its name. */
export function caseOf(name: string): Case {
	const found = CASES[name];
	if (found === undefined) throw new Error(`There is no case ${name}`);
	return found;
}

/** The first two users, who have dollars: their executions are cut off side by side. */
const USERS: readonly Username[] = ['Nelly', 'Rahul Sen'];
const userOf = (name: string) => USERS[Object.keys(CASES).indexOf(name) % USERS.length];

/** Lets the payment with this number have no answer. */
async function loseAnswer(
	{ service, isKept }: Payer,
	user: Username | undefined,
	number: number,
): Promise<void> {
	const path = isKept ? '/v1/writes/.*' : '/v1/contracts/method/write';
	const match = { method: isKept ? 'PUT' : 'POST', path, caller: service().user(user).id };
	const params = { afterWork: true };
	await service().faults.add({ kind: 'hang', params, match, times: 1, skip: number - 1 });
}

async function createOne(host: CutOffHost, payer: Payer, name: string, limit: string, mail: Mail) {
	const { letter } = payer;
	const { contracts, chain, user } = payer.service();
	const id = `${letter}${Object.keys(CASES).indexOf(name)}At${limit.replace('.', '_')}`;
	const limits = { amountLimits: `${limit} ${contracts.usd}` };
	const { accessToken } = user(userOf(name));
	const { type, data } = limitedCredential(payer.service(), id, limits, accessToken);
	const { id: credential } = await host.client.post('/rest/credentials', { name: id, type, data });
	const { to } = mintItems();
	const cut = {
		host,
		id,
		to,
		token: contracts.usd,
		...mail,
		credential: readText(credential, 'the ID of the credential'),
		paid: async () => (await mintedTo(chain, to)).length,
	};
	const workflow = await caseOf(name).create(cut);
	if (workflow !== undefined) await publishNew(host.client, [workflow]);
	return [name, cut] as const;
}

/** Creates all executions of a payer at once, because n8n publishes workflows slowly. @param limit in dollars */
export async function createAll(
	host: CutOffHost,
	payer: Payer,
	names: readonly string[],
	limit: string,
): Promise<Map<string, CutOff>> {
	const mailbox = await host.resources.use(startMailbox());
	const mail = { mailbox, smtp: await mailTo(host.client, mailbox) };
	const creating = names.map(async (name) => await createOne(host, payer, name, limit, mail));
	return new Map(await Promise.all(creating));
}

/** Brings the executions of a user, one after the other, to the point at which n8n dies. */
async function beginOf(user: Username, payer: Payer, cuts: Map<string, CutOff>): Promise<void> {
	for (const [name, cut] of cuts) {
		if (userOf(name) !== user) continue;
		const { begin, before, waits } = caseOf(name);
		if (waits !== true) await loseAnswer(payer, user, before);
		await begin(cut);
		await until(async () => (await cut.paid()) === before);
	}
}

/**
 * Continues an execution after its process has died.
 *
 * @param id its ID, if n8n retries it
 * @returns its number of payments before and after
 */
async function resume(
	name: string,
	cut: CutOff,
	id: string,
	{ shownAs }: Death,
): Promise<number[]> {
	const { executions } = cut.host;
	const before = await cut.paid();
	const { again } = caseOf(name);
	if (again) await again(cut);
	else {
		await until(async () => (await executions.read(id)).status === shownAs);
		await executions.retry(id);
	}
	return [before, await cut.paid()];
}

/** How executions are cut off. */
export interface Death {
	/** Ends the process of n8n that runs them without warning, and starts one that can continue them. */
	readonly die: () => Promise<void>;
	/** Their status from then on: n8n has kept nothing of one that is shown as failed, and its Retry runs no node. */
	readonly shownAs: 'crashed' | 'error';
}

/** The tests of executions that all are cut off at once. */
export function testCutOff(
	host: CutOffHost,
	payers: Record<string, Payer>,
	names: readonly string[],
	death: Death,
): void {
	const paid = new Map<string, Promise<number[]>>();

	beforeAll(async () => {
		const model = await host.resources.use(startChatModel(obey));
		await host.client.changeCredential(modelCredential(`${model.url}/v1`, 'not needed'));
		const begin = async ([payerName, payer]: [string, Payer]) => {
			const cuts = await createAll(host, payer, names, LIMIT);
			await Promise.all(USERS.map(async (user) => await beginOf(user, payer, cuts)));
			const running = [...cuts].map(async ([name, cut]) => {
				const isRetried = caseOf(name).again === undefined;
				const [id = ''] = isRetried ? await host.executions.underWay(cut.id) : [];
				return { payerName, name, cut, id };
			});
			return await Promise.all(running);
		};
		const begun = await Promise.all(Object.entries(payers).map(begin));
		await death.die();
		for (const { service } of Object.values(payers)) await service().faults.clear();
		for (const { payerName, name, cut, id } of begun.flat())
			paid.set(`${payerName} ${name}`, resume(name, cut, id, death));
		await Promise.allSettled(paid.values());
	}, PATIENCE);

	describe.each(Object.entries(payers))('%s', (payer, { isKept }) => {
		test.each(names)('%s: each payment is made once', async (name) => {
			const { before, after, again } = caseOf(name);
			const isLost = death.shownAs === 'error' && again === undefined;
			const atEnd = isLost ? before : after[isKept ? 0 : 1];
			expect(await paid.get(`${payer} ${name}`)).toEqual([before, atEnd]);
		});
	});
}
