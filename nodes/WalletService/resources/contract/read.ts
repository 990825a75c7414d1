import type { CheckedCall } from '../../contract/call';
import { ROUTES } from '../../request/http/routes';
import type { Plan } from '../../request/run/plan';
import { answerItems, readSimplify } from '../answer-items';
import { LookUps } from '../look-ups/look-ups';
import type { Operation } from '../operation';
import { contractAddress } from '../parameters';
import { assertCanScale, readReadOptions } from './call-options';
import { completeCall, planCall } from './contract-call';
import { callParameters } from './parameters';
import { READ_FIELDS, simplifyRead } from './response';
import { readUntil } from './wait-plan';
import { readWaitUntil } from './wait-until';

/** The plan of a contract read; arguments are checked when it is sent, because users and tokens are looked up for them. */
const planRead: Plan = async (item, run, { url }) => {
	const isSimple = readSimplify(item.read);
	const options = readReadOptions(item.read);
	const planned = planCall(item.read, 'read');
	assertCanScale(planned.contractFunction, options);
	const itemsOf = (answer: unknown, checked: CheckedCall) => {
		const simplify = (given: unknown) => simplifyRead(given, { item, run, checked, options });
		return answerItems(answer, isSimple ? simplify : undefined);
	};
	const wait = readWaitUntil(options.waitUntil, planned.contractFunction, options.decimals);
	if (wait !== undefined) {
		const waiting = { item, run, planned, wait, itemsOf };
		return { url, isPatient: true, send: async (client) => await readUntil(waiting, client) };
	}
	return {
		url,
		send: async (client) => {
			const lookUps = new LookUps({ item, run, client }, planned.contractAddress);
			const checked = await completeCall(planned, 'read', lookUps);
			const answer = await client.postOnce(url, JSON.stringify(checked.call));
			return itemsOf(answer, checked);
		},
	};
};

export const read: Operation = {
	option: {
		name: 'Read',
		value: 'read',
		action: 'Read contract value',
		description: 'Call a function of a smart contract that only returns values; costs nothing',
	},
	route: ROUTES.read,
	input: [contractAddress, ...callParameters('read')],
	fields: READ_FIELDS,
	plan: planRead,
};
