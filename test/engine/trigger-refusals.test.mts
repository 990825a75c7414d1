/** Parameters of the trigger that are refused: nothing is guessed, sent or saved. */
import type { INodeParameters } from 'n8n-workflow';

import { failureOf, NELLY, useTriggerService } from './support/trigger-service.mts';

const { idOf, poller, service } = useTriggerService();

const EVENTS: Record<string, () => INodeParameters> = {
	newTransfer: () => ({ userIds: idOf(NELLY) }),
	balanceChanged: () => ({
		...{ userIds: idOf(NELLY), asset: 'token', token: service().contracts.usd },
	}),
	balanceCrossedThreshold: () => ({ userIds: idOf(NELLY), asset: 'native', threshold: '5' }),
	contractValue: () => ({
		...{ contractAddress: service().contracts.shapes, functionSource: 'signature' },
		abi: 'stored() view returns (uint256)',
	}),
};

test.each<[event: string, parameters: INodeParameters, refused: string]>([
	['newTransfer', { userIds: 'nobody' }, 'User IDs'],
	['newTransfer', { direction: 'incoming' }, 'Direction'],
	['newTransfer', { minimumAmount: '5' }, 'Minimum Amount'],
	[
		...(['newTransfer', { options: { emitExisting: 'ja' } }] as const),
		'Options: Include What Exists When Published',
	],
	['balanceChanged', { asset: 'erc20' }, 'Asset'],
	['balanceChanged', { asset: '={{ "Token" }}' }, 'Asset'],
	['balanceChanged', { token: '' }, 'Token'],
	['balanceChanged', { minimumChange: '1,5' }, 'Minimum Change'],
	['balanceCrossedThreshold', { crossing: 'down' }, 'Alert When Balance'],
	['balanceCrossedThreshold', { threshold: '' }, 'Threshold'],
	[
		'balanceCrossedThreshold',
		{ crossing: 'above', hysteresis: '5' },
		'Alert Again After Recovering By',
	],
	['contractValue', { contractAddress: '' }, 'Contract Address'],
	['contractValue', { abi: '' }, 'Function Signature'],
	['contractValue', { abi: 'store(uint256) nonpayable' }, 'Function Signature'],
	['contractValue', { abi: 'stored() view' }, 'Start When the Value'],
	[
		'contractValue',
		{ abi: 'stored() view', options: { decimals: 6 } },
		'Options: Scale by Decimals',
	],
	['contractValue', { options: { decimals: 300 } }, 'Options: Scale by Decimals'],
	['contractValue', { abi: 'echoInt(int256 a) view returns (int256)' }, 'a (int256)'],
	['contractValue', { valueCondition: 'above' }, 'Start When the Value'],
	['contractValue', { valueCondition: 'atLeast' }, 'Value'],
	['contractValue', { valueCondition: 'is', conditionValue: 'many' }, 'Value (uint256)'],
])('%s with %j: %s', async (event, parameters, parameter) => {
	const trigger = poller({ event, ...EVENTS[event]?.(), ...parameters });
	expect(await failureOf(trigger.poll())).toMatchObject({
		message: expect.stringContaining(parameter),
		description: expect.stringMatching(/\w/),
		context: { details: { code: 'invalid-input', parameter } },
	});
	expect(trigger.staticData['node:Trigger'] ?? {}).toEqual({});
	expect(await service().faults.requests()).toEqual([]);
});

test.each<[event: string, parameters: INodeParameters, message: RegExp]>([
	[
		'balanceChanged',
		{ minimumChange: '1.0000001' },
		/^Minimum Change: "1.0000001" has 7 decimal places/,
	],
	[
		'contractValue',
		{
			...{ functionSource: 'commonFunction', argumentsMode: 'json' },
			...{ args: `["0x${'12'.repeat(20)}"]`, valueCondition: 'atLeast', conditionValue: '12' },
		},
		/^Value \(uint256\): "12" could mean whole tokens or base units/,
	],
])('%s with %j, which the token decides', async (event, parameters, message) => {
	const contractAddress = service().contracts.usd;
	const trigger = poller({ event, ...EVENTS[event]?.(), contractAddress, ...parameters });
	expect((await failureOf(trigger.poll())).message).toMatch(message);
});
