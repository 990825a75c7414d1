/** Whatever the previous step or a form contains, the texts about it contain nothing that n8n interprets. */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { textsIn } from '../support/echoed.mts';
import { hashOf } from './support/answers.mts';
import { formsWith } from './support/filled-forms.mts';
import { useForm } from './support/form.mts';
import {
	areInert,
	assertInert,
	fieldsIn,
	ODD,
	ODD_ID,
	SYMBOL,
	textsOf,
} from './support/inert-texts.mts';
import { CONTRACT, TOKEN } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);
const form = useForm();

const TEXTS = {
	'a text': ODD,
	'a user ID': ODD_ID,
	'an address': `0x${ODD}`,
	'an amount': `12 ${ODD}`,
	'broken JSON': `{"a": "${ODD}`,
	'a function': `f(${ODD})`,
	'a list': JSON.stringify([ODD_ID]),
};

beforeEach(() => {
	node.service.reports({ symbol: SYMBOL });
	const amount = { decimals: 0, symbol: ODD, name: ODD, tokenAddress: TOKEN };
	node.service.looks = [[{ hash: hashOf(7), said: { amount } }]];
});

describe.each(['walletService', 'walletServiceTrigger'])('the parameters of the %s', (type) => {
	// n8n itself reads these three.
	const isOurs = ({ name }: INodeProperties) =>
		!['authentication', 'operation', 'resource'].includes(name);
	const forms = (text: string) =>
		formsWith(text, form.descriptionOf(type).properties.filter(isOurs));
	const use = async (parameters: INodeParameters): Promise<number> => {
		if (type === 'walletService') {
			// n8n itself refuses some forms.
			const [run] = await Promise.allSettled([node.run(parameters)]);
			return run?.status === 'fulfilled' ? assertInert(run.value, node.log.lines) : 0;
		}
		const [poll] = await Promise.allSettled([poller(parameters).poll()]);
		const texts = poll?.status === 'rejected' ? textsOf(poll.reason) : [];
		areInert([...texts, ...node.log.lines]);
		return texts.length;
	};

	test.each(Object.entries(TEXTS))('%s', async (_kind, text) => {
		let texts = 0;
		for (const { parameters } of forms(text)) {
			texts += await use(parameters);
			const open = {
				type,
				parameters,
				credentials: { walletServiceApi: node.service.credential() },
			};
			const [list] = await Promise.allSettled([form.search('getTokens', open)]);
			if (list?.status === 'rejected') areInert(textsOf(list.reason));
			areInert(textsIn(await form.options('getContractFunctions', parameters, type)));
			areInert(
				fieldsIn(await form.fields('getArgumentFields', parameters, type), [
					'emptyFieldsNotice',
					'displayName',
				]),
			);
		}
		expect(texts).toBeGreaterThan(10);
	});
});

test('the entries of the list of tokens', async () => {
	const parameters = { resource: 'token', operation: 'send' };
	const open = { parameters, credentials: { walletServiceApi: node.service.credential() } };
	for (const filter of [undefined, CONTRACT]) {
		const { results } = await form.search('getTokens', open, filter);
		expect(results).toHaveLength(1);
		areInert(results.map(({ name }) => name));
	}
});
