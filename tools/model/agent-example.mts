import type { Decide, ToolCall } from './chat-model.mts';
import { readList, readObject } from '../files/json.mts';

/** Example workflow in which an AI agent answers a question. */
export const AGENT_EXAMPLE = 'walletAgent00001';

/** Example workflow in which an AI agent proposes a payment. */
export const PAYMENT_EXAMPLE = 'walletAgentPay01';

/** Looks up the user in the question, and reports the results. */
export const lookUp: Decide = ({ prompt, results }) => {
	const [userId] = /\b[A-Z_]+-\d+/.exec(prompt) ?? [];
	const about = { User_ID: userId };
	if (results.length === 0) {
		return [
			{ name: 'User_Profile', arguments: about },
			{ name: 'Dollar_Balance', arguments: about },
			{ name: 'Recent_Transfers', arguments: { ...about, Limit: 1 } },
		];
	}
	const [user = {}, balance = {}, transfer = {}, found] = results.map((result) =>
		readObject(readList(JSON.parse(result), 'the items')[0], 'an item'),
	);
	if (found === undefined) {
		const asked = { ...about, Transaction_Hash: transfer.hash };
		return [{ name: 'Find_Transaction', arguments: asked }];
	}
	const arrived = found.seen === true ? 'It has arrived' : 'It is not seen yet';
	return `${user.username} has ${balance.amount} ${balance.symbol}. In the latest transfer they ${transfer.direction} ${transfer.amount} ${transfer.symbol}. ${arrived}.`;
};

/** Tries the requested payment, then proposes it. */
export const propose: Decide = ({ prompt, results }) => {
	const [recipient] = /\b[A-Z_]+-\d+/.exec(prompt) ?? [];
	const [, amount] = /([\d.]+) SUSD/.exec(prompt) ?? [];
	return results.length === 0
		? [{ name: 'Try_Payment', arguments: { Recipient: recipient, Amount: amount } }]
		: [proposal(recipient, amount)];
};

/** The final call of the agent in the payment example. */
export const proposal = (recipient?: string, amount?: string): ToolCall => ({
	name: 'format_final_json_response',
	arguments: { output: { recipient, amount } },
});
