/** The example in which an agent proposes and a person approves: what the page shows is what is sent, once, and nothing without a yes. */
import type { Chain } from '../../../tools/sandbox/chain.mts';
import {
	PAYMENT_EXAMPLE,
	propose,
	proposal,
	startExampleModel,
} from '../../../tools/model/agent-example.mts';
import type { Decide } from '../../../tools/model/chat-model.mts';
import { signInAsOwner } from '../../../tools/n8n/rest-client.mts';
import { startN8n } from '../../../tools/n8n/server.mts';
import { useResources } from '../../support/resources.mts';
import { ExampleRuns } from '../../support/n8n/example-runs.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import type { Service, Username } from '../../support/sandbox/service.mts';

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let runs: ExampleRuns;
/** What the model does next. */
let decide: Decide;

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	({ chain } = workspace.service);
	await resources.use(startExampleModel(workspace.userFolder, (turn) => decide(turn)));
	const n8n = await resources.use(startN8n(workspace.userFolder));
	runs = await ExampleRuns.prepare(n8n.url, await signInAsOwner(n8n.url));
}, PREPARATION_TIME);
beforeEach(() => (decide = propose));
afterEach(async () => await workspace.service.faults.reset());

const user: Service['user'] = (name) => workspace.service.user(name);
const sent = async () => await chain.getTransactionCount(user('Nelly').address);
const sentence = (amount: string, username: Username) =>
	`Would send ${amount} SUSD from ${user('Nelly').id} to ${username} (`;

test('refused: the page showed the sentence, and nothing is sent', async () => {
	const before = await sent();
	const execution = await runs.start(PAYMENT_EXAMPLE);
	const page = await runs.answer(execution, 'No');
	expect(page).toContain(sentence('1.5', 'Rahul Sen'));
	expect(page).toContain(user('Rahul Sen').address);
	expect(page).toContain(workspace.service.contracts.usd);
	expect((await runs.read(execution)).status).toBe('success');
	expect(await workspace.service.faults.requestsFor(WRITE)).toBe(0);
	expect(await sent()).toBe(before);
});

test('approved, even by five clicks at once: sent once, to the address that was shown, although the user has another one by then', async () => {
	const before = await sent();
	const execution = await runs.start(PAYMENT_EXAMPLE);
	const { id, address } = user('Rahul Sen');
	const moved = { ...user('Rahul Sen'), address: user('mika_dev').address };
	const body = JSON.stringify(moved);
	await workspace.service.faults.hit('wrong-shape', `/v1/users/${id}`, {
		params: { body },
		times: 9,
	});
	const page = await runs.answer(execution, 'Yes, send', 5);
	expect(page).toContain(sentence('1.5', 'Rahul Sen'));
	expect((await runs.read(execution)).status).toBe('success');
	expect(await sent()).toBe(before + 1);
	const [made] = await chain.history(user('Nelly').address);
	expect(made).toMatchObject({ amount: '1.5', toAddress: address });
	expect(await workspace.service.faults.requestsFor(WRITE)).toBe(1);
});

test('what the agent proposes counts, not what it has tried before', async () => {
	const { id } = user('mika_dev');
	decide = (turn) => (turn.results.length === 0 ? propose(turn) : [proposal(id, '2.25')]);
	const execution = await runs.start(PAYMENT_EXAMPLE);
	const page = await runs.answer(execution, 'Yes, send');
	expect(page).toContain(sentence('2.25', 'mika_dev'));
	expect(page).not.toContain('Rahul Sen');
	expect(page).not.toContain(user('Rahul Sen').address);
	const [made] = await chain.history(user('Nelly').address);
	expect(made).toMatchObject({ amount: '2.25', toAddress: user('mika_dev').address });
});

test('a proposal that cannot be paid never reaches the page', async () => {
	decide = (turn) => (turn.results.length === 0 ? propose(turn) : [proposal('Rahul', '1.5')]);
	const { status } = await runs.read(await runs.start(PAYMENT_EXAMPLE));
	expect(status).toBe('error');
});
