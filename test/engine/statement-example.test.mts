/** The lines of the monthly statement: dates in the time zone of the workflow, and no cell that a spreadsheet calculates. */
import './support/environment.mts';

import type { IDataObject, INode, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { readList, readObject, readText } from '../../tools/files/json.mts';
import { readExample } from '../support/n8n/examples.mts';
import { useNodeTypes } from './support/node-types.mts';
import { otherNode } from './support/workflow-parts.mts';

const nodeTypes = useNodeTypes();
const FILE = 'Statement as CSV';

/** Evaluates an expression over an item, as n8n does in a workflow of a time zone. */
async function evaluated(
	value: NodeParameterValueType,
	json: IDataObject,
	timezone: string,
): Promise<unknown> {
	const node: INode = otherNode('Any', 'n8n-nodes-base.noOp');
	const workflow = new Workflow({
		id: 'workflow',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: nodeTypes(),
		settings: { timezone },
	});
	const { expression } = workflow;
	await expression.acquireIsolate();
	try {
		return expression.getParameterValue(value, null, 0, 0, node.name, [{ json }], 'manual', {});
	} finally {
		await expression.releaseIsolate();
	}
}

/** A line of the statement for a transfer, and the name of its file. */
async function lineOf(transfer: IDataObject, timezone: string) {
	const { nodes } = await readExample('monthly-statement-file');
	const parametersOf = (name: string) =>
		readObject(nodes.find((node) => node.name === name)?.parameters, name) as INodeParameters;
	const { assignments } = readObject(parametersOf('Statement Lines').assignments, 'the columns');
	const line: IDataObject = {};
	for (const one of readList(assignments, 'the columns')) {
		const { name, value } = readObject(one, 'a column');
		const cell = await evaluated(readText(value, 'the value'), transfer, timezone);
		line[readText(name, 'the name')] = cell as string;
	}
	const { fileName } = readObject(parametersOf(FILE).options, 'the options');
	return { line, file: await evaluated(readText(fileName, 'the name'), line, timezone) };
}

const RECEIVED = {
	timestamp: '2026-11-30T21:22:08.000Z',
	direction: 'received',
	amount: '1.5',
	symbol: 'SUSD',
	who: 'Nelly',
	toAddress: '0x9',
	tokenAddress: '0x8',
	hash: '0x7',
	userId: 'GOOGLE-2',
};

test.each([
	['Pacific/Auckland', '2026-12-01 10:22:08', 'statement-2026-12.csv'],
	['UTC', '2026-11-30 21:22:08', 'statement-2026-11.csv'],
])('dates and the month are those in %s', async (timezone, Date, name) => {
	const { line, file } = await lineOf(RECEIVED, timezone);
	expect(line).toEqual({
		Date,
		Direction: 'received',
		Amount: '1.5',
		Symbol: 'SUSD',
		From: 'Nelly',
		To: 'GOOGLE-2',
		'To Address': '0x9',
		Token: '0x8',
		Transaction: '0x7',
		UTC: RECEIVED.timestamp,
		Note: '',
	});
	expect(file).toBe(name);
});

test.each<[IDataObject, IDataObject]>([
	[{ direction: 'sent' }, { From: 'GOOGLE-2', To: 'Nelly' }],
	[
		{ who: 'not known', symbol: '' },
		{ From: 'not known', Symbol: 'pieces' },
	],
	[{ direction: null }, { Direction: 'not a transfer' }],
	[
		{ symbol: '=1+1', who: ' @SUM(A1)' },
		{ Symbol: "'=1+1", From: "' @SUM(A1)" },
	],
	[
		{ symbol: '＝1', who: 12 },
		{ Symbol: "'＝1", From: '12' },
	],
	[{ warning: 'Older ones may be missing' }, { Note: 'Older ones may be missing' }],
])('%j becomes %j', async (changes, expected) => {
	const { line } = await lineOf({ ...RECEIVED, ...changes }, 'UTC');
	expect(line).toMatchObject(expected);
});
