/** A tool call of unknown outcome that is sent again: what the first sending named must not be lost. */
import type { IDataObject } from 'n8n-workflow';

import type { AnsweringService } from './support/answering-service.mts';
import { hashOf, startAnsweringService } from './support/answering-service.mts';
import { EphemeralCalls } from './support/ephemeral-calls.mts';
import { CONTRACT } from './support/writing.mts';
import { useResources } from '../support/resources.mts';

let calls: EphemeralCalls;
let service: AnsweringService;

const resources = useResources();
beforeAll(async () => {
	[calls, service] = await Promise.all([
		EphemeralCalls.create(),
		resources.use(startAnsweringService()),
	]);
});

async function store(number: string, resendWhenUnknown: boolean): Promise<IDataObject | undefined> {
	const parameters = {
		...{ resource: 'contract', operation: 'write', functionSource: 'signature' },
		...{ argumentsMode: 'json', contractAddress: CONTRACT, abi: 'store(uint256)' },
		args: '={{ [$json.number] }}',
		options: { resendWhenUnknown },
	};
	const credential = {
		...{ baseUrl: service.baseUrl, accessToken: 'secret-token', userId: 'DISCORD-1' },
		...{ allowWrites: true, allowedContracts: '', allowedFunctions: '' },
		...{ maxValuePerCall: '', maxValuePerExecution: '', allowInsecureHttp: false },
	};
	const type = 'n8n-nodes-wallet-service.walletServiceTool';
	const [item] = await calls.call(type, parameters, credential, { number });
	return item?.json;
}

const pending = (number: number) => ({ body: { status: 'PENDING', hash: hashOf(number) } });

test('the answer of the resending names it', async () => {
	service.answer(pending(71), { body: { status: 'SUCCESS', hash: hashOf(72) } });
	await expect(store('1', false)).rejects.toThrow(hashOf(71));
	expect(await store('1', true)).toMatchObject({
		hash: hashOf(72),
		earlierHashes: [hashOf(71)],
	});
});

test('a resending of unknown outcome does not hide it from the calls behind', async () => {
	service.answer(pending(73), pending(74));
	await expect(store('2', false)).rejects.toThrow(hashOf(73));
	await expect(store('2', true)).rejects.toThrow(hashOf(74));
	const refused = store('2', false);
	await expect(refused).rejects.toThrow(hashOf(73));
	await expect(refused).rejects.toThrow(hashOf(74));
});
