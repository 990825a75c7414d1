/** Requests that n8n's client neither answers nor fails: their deadline ends them, and nothing waits behind them. */
import { hashOf } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { StoredCredentials } from './support/stored-credentials.mts';
import { useTrigger } from './support/trigger-service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);
const options = { timeout: 1, maxTries: 1 };

/** n8n awaits this before it sends a request, without a time limit. */
const forget = () =>
	jest
		.spyOn(StoredCredentials.prototype, 'authenticate')
		.mockImplementationOnce(async () => await new Promise<never>(() => undefined));
afterEach(() => jest.restoreAllMocks());

test('a write is unknown after its Timeout, and the next ones of its credential are sent', async () => {
	// Afterwards, the node knows what the service offers, so that the forgotten request is the write.
	await node.items(storeCall(CONTRACT, { args: '["5"]' }));
	forget();
	const call = storeCall(CONTRACT, { options, args: '={{ [String($itemIndex)] }}' });
	const { items } = await node.run(call, { items: [{}, {}], node: CONTINUE });
	const details = { outcome: 'unknown', code: 'timeout' };
	expect(items.map(({ json }) => json)).toMatchObject([{ details }, { submitted: true }]);
	expect(await node.items(storeCall(CONTRACT, { args: '["7"]' }))).toMatchObject([
		{ hash: hashOf(3) },
	]);
});

test('a poll fails after its Timeout, and the next one is made', async () => {
	forget();
	const trigger = poller({ event: 'newTransfer', options });
	await expect(trigger.poll()).rejects.toThrow('did not answer in time');
	await trigger.poll();
	expect(node.service.asked('/history')).toHaveLength(1);
});
