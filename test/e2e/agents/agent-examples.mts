/** The agent examples, with a stand-in for their language model: their answers, and a person's approval of a payment. */
import { startChatModel, type Decide } from '../../../tools/model/chat-model.mts';
import {
	AGENT_EXAMPLE,
	lookUp,
	PAYMENT_EXAMPLE,
	proposal,
	propose,
} from '../../../tools/model/agent-example.mts';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import type { Username } from '../../support/sandbox/service.mts';
import { n8n } from '../support/shared-n8n.mts';

/** The function that decides the model's next step, and the number of tool results before each step. */
let decide: Decide;
let results: number[];

const sentence = (amount: string, username: Username) =>
	`Would send ${amount} SUSD from ${n8n.user().id} to ${username} (`;

describe('the agent examples', () => {
	beforeAll(async () => {
		const model = await n8n.resources.use(
			startChatModel((turn) => {
				results.push(turn.results.length);
				return decide(turn);
			}),
		);
		await n8n.client.changeCredential(modelCredential(`${model.url}/v1`, 'not needed'));
	});
	beforeEach(() => ([decide, results] = [propose, []]));

	test('the read-only agent answers with the balance and the latest transfer of the wallet', async () => {
		decide = lookUp;
		const run = await n8n.client.execute(AGENT_EXAMPLE);
		const balance = await n8n.chain.tokenBalance(n8n.contracts.usd, n8n.user().address);
		const [latest] = await n8n.history();
		const dollars = `${balance / 1_000_000n}.${String(balance % 1_000_000n).padStart(6, '0')}`;
		const [answer] = run.items('Wallet Assistant');
		expect(answer?.output).toContain(`Nelly has ${dollars} SUSD.`);
		expect(answer?.output).toContain(`they ${latest?.direction} ${latest?.amount} `);
		expect(answer?.output).toContain('It has arrived.');
		expect(results).toEqual([0, 3, 4]);
	});

	test('refused: the page showed the sentence, and nothing is sent', async () => {
		const before = await n8n.sent();
		const execution = await n8n.executions.start(PAYMENT_EXAMPLE);
		const page = await n8n.executions.answer(execution, 'No');
		expect(page).toContain(sentence('1.5', 'Rahul Sen'));
		expect(page).toContain(n8n.user('Rahul Sen').address);
		expect(page).toContain(n8n.contracts.usd);
		expect((await n8n.executions.read(execution)).status).toBe('success');
		expect(await n8n.faults.requestsFor(WRITE)).toBe(0);
		expect(await n8n.sent()).toBe(before);
	});

	test('approved, even by five clicks at once: sent once, to the address that was shown, although the user has a different one by then', async () => {
		const before = await n8n.sent();
		const execution = await n8n.executions.start(PAYMENT_EXAMPLE);
		const rahul = n8n.user('Rahul Sen');
		const body = JSON.stringify({ ...rahul, address: n8n.user('mika_dev').address });
		await n8n.faults.hit('wrong-shape', `/v1/users/${rahul.id}`, { params: { body }, times: 9 });
		const page = await n8n.executions.answer(execution, 'Yes, send', 5);
		expect(page).toContain(sentence('1.5', 'Rahul Sen'));
		expect((await n8n.executions.read(execution)).status).toBe('success');
		expect(await n8n.sent()).toBe(before + 1);
		expect((await n8n.history())[0]).toMatchObject({ amount: '1.5', toAddress: rahul.address });
		expect(await n8n.faults.requestsFor(WRITE)).toBe(1);
	});

	test('what the agent proposes counts, not what it has tried before', async () => {
		const mika = n8n.user('mika_dev');
		decide = (turn) => (turn.results.length === 0 ? propose(turn) : [proposal(mika.id, '2.25')]);
		const execution = await n8n.executions.start(PAYMENT_EXAMPLE);
		const page = await n8n.executions.answer(execution, 'Yes, send');
		expect(page).toContain(sentence('2.25', 'mika_dev'));
		expect(page).not.toContain('Rahul Sen');
		expect(page).not.toContain(n8n.user('Rahul Sen').address);
		expect((await n8n.history())[0]).toMatchObject({ amount: '2.25', toAddress: mika.address });
	});

	test('a proposal that cannot be paid never reaches the page', async () => {
		decide = (turn) => (turn.results.length === 0 ? propose(turn) : [proposal('Rahul', '1.5')]);
		const execution = await n8n.executions.start(PAYMENT_EXAMPLE);
		expect((await n8n.executions.read(execution)).status).toBe('error');
	});
});
