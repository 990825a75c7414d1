import type { INodeProperties } from 'n8n-workflow';

import { COMPARISONS } from '../contract/comparison';
import { comparedValue, conditionOf } from '../resources/contract/wait-until';
import { callParameters } from '../resources/contract/parameters';
import { contractAddress } from '../resources/parameters';

export const startWhen: INodeProperties = conditionOf(
	{ name: 'Changes', description: 'It is another one than the last that started the workflow' },
	{
		displayName: 'Start When Value',
		name: 'valueCondition',
		default: 'changed',
		description:
			'What has to become of the value. A condition starts the workflow when the value begins to meet it, and again only after it has ceased to.',
	},
);

export const comparedWith: INodeProperties = {
	...comparedValue,
	displayOptions: { show: { [startWhen.name]: [...COMPARISONS] } },
};

/** What the event Contract Value watches, as Contract: Read calls it, and what for. */
export const valueParameters: INodeProperties[] = [
	contractAddress,
	...callParameters('read'),
	startWhen,
	comparedWith,
];
