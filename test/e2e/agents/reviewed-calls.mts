/** Tools that a person reviews: n8n must not carry out what one approval allows twice, nor drop what was paid. */
import axios from 'axios';
import type { ToolCall } from '../../../tools/model/chat-model.mts';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import { startMailbox } from '../../support/n8n/mailbox.mts';
import { mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import {
	approve,
	mailTo,
	reviewedCall,
	reviewedWorkflow,
	type Mailbox,
} from '../../support/n8n/reviewed-tools.mts';
import { order } from '../../support/n8n/tools-of-models.mts';
import { contractCall } from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { n8n } from '../support/shared-n8n.mts';

const WORKFLOW = 'reviewed';
const MINT = 'mint(address to, uint256 amount)';
const { to } = mintItems();
let mailbox: Mailbox;

beforeAll(async () => {
	mailbox = await n8n.resources.use(startMailbox());
	const args = `={{ ["${to}", $fromAI('amount', 'Amount', 'string')] }}`;
	const mint = contractCall('write', n8n.contracts.gold, MINT, args);
	const tools = { Mint: mint, Reviewed: mint };
	const setup = { tools, credential: 'sandboxUser0001', model: modelCredential().id };
	const smtp = await mailTo(n8n.client, mailbox);
	await publishNew(n8n.client, [reviewedWorkflow(WORKFLOW, setup, smtp)]);
});

const mintOne: ToolCall = { name: 'Mint', arguments: { amount: '1' } };
/** Each test reviews another amount: an equal one is not sent again for ten minutes. */
const reviewed = (amount: string) => reviewedCall({ amount });

/** Lets an agent make these calls for each item, approves the first reviewed one, and returns the execution. */
async function askAndApprove(...calls: ToolCall[][]): Promise<string> {
	const known = mailbox.mails.length;
	const ended = async () => await n8n.executions.ended(WORKFLOW);
	const past = (await ended()).length;
	const prompts = calls.map((round) => order(round));
	await axios.post(`${n8n.url}/webhook/${WORKFLOW}`, { prompts });
	await approve(n8n.url, await mailbox.next(known));
	await until(async () => (await ended()).length > past);
	return JSON.stringify((await ended())[0]?.saved);
}

test('a call beside a reviewed one, whose result n8n drops, is paid once, and so is the reviewed one', async () => {
	const before = (await mintedTo(n8n.chain, to)).length;
	await askAndApprove([mintOne, reviewed('2')]);
	expect((await mintedTo(n8n.chain, to)).slice(before)).toHaveLength(2);
});

test('one approval, which n8n carries out for each item, is one payment', async () => {
	const before = (await mintedTo(n8n.chain, to)).length;
	await askAndApprove([reviewed('3')], []);
	expect((await mintedTo(n8n.chain, to)).slice(before)).toHaveLength(1);
});

test('a call that n8n approves because the model has said so is not made', async () => {
	const before = (await mintedTo(n8n.chain, to)).length;
	const approved = reviewedCall({ amount: '5' }, { approved: true });
	const said = await askAndApprove([reviewed('4'), approved]);
	expect((await mintedTo(n8n.chain, to)).slice(before)).toHaveLength(1);
	expect(said).toContain('n8n has asked nobody to review this call');
});
