import { refuseLostTokens } from '../../contract/guards';
import { completeCall, LookUps } from '../look-ups/look-ups';
import type { Operation } from '../operation';
import { movesMoney, orderId, preview } from '../parameters';
import { WRITE_FIELDS } from '../writing/describe-write';
import { submission } from '../writing/submission';
import { nativeCoin } from './call-options';
import { chosenFunction, planCall } from './contract-call';
import { argumentsAsJson, callParameters, contractAddress } from './parameters';
import { wordsInNode } from './written-words';

export const write: Operation = {
	option: {
		name: 'Write',
		value: 'write',
		action: 'Submit contract transaction',
		description:
			'Submit a transaction that calls a smart contract and may move money; items are sent one at a time',
	},
	input: [...movesMoney, contractAddress, ...callParameters('write'), orderId, preview],
	options: [nativeCoin, argumentsAsJson],
	fields: WRITE_FIELDS,
	...submission({
		complete: async (item, client) => {
			const planned = await planCall(item.read, 'write');
			const lookUps = new LookUps(client, planned.contractAddress);
			const { parameter } = await chosenFunction(item.read, 'write');
			lookUps.isWritten = wordsInNode(item, planned.contractFunction, parameter);
			const checked = await completeCall(planned, 'write', lookUps);
			const { call, contractFunction, move } = checked;
			if (move?.isApproval === false) {
				const label = contractFunction.labels[move.index];
				refuseLostTokens(move.party, call.address, `${label} (address)`);
			}
			return checked;
		},
	}),
};
