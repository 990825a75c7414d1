/** The workflow that pays a list, and the data with which n8n continues it. */
import type {
	IConnections,
	IDataObject,
	INode,
	IRunExecutionData,
	ITaskData,
	WorkflowParameters,
} from 'n8n-workflow';

import { storeCall } from '../../../support/contract-calls.mts';
import { dataFor } from '../../../support/execution.mts';
import { sendOf } from '../../../support/kinds-of-writes.mts';
import { otherNode, to } from '../../../support/workflow-parts.mts';
import { ONE } from '../jobs.mts';
import { report } from '../reports.mts';
import { WRITE_TYPE } from '../watched-nodes.mts';
import type { ListRun, Row } from './logs.mts';
import type { Crash, ListPlan } from './scenarios.mts';

export const PAY = 'Pay';
const RECIPIENT = `={{ "0x${'c'.repeat(38)}0" + $json.to }}`;
const AMOUNT = '$json.amount + $vars.step';

/** Parameters of the payment of a row; `Road` reads it again. */
function paymentParameters({ isToken, rows }: ListPlan, token: string, name: string): IDataObject {
	const hasOrders = rows.some(({ order }) => order !== undefined);
	const orderId = hasOrders ? { orderId: `={{ "${name} " + $json.order }}` } : {};
	const options = { maxTries: 1 };
	if (isToken) {
		const amount = `={{ String(${AMOUNT}) }}`;
		return { ...sendOf({ token, recipient: RECIPIENT, amount }), ...orderId, options };
	}
	const args = `={{ ["0x${'c'.repeat(38)}0" + $json.to] }}`;
	return storeCall(ONE, {
		abi: 'pay(address to) payable',
		args,
		...orderId,
		options: { ...options, nativeCoin: `={{ (${AMOUNT}) + " wei" }}` },
	});
}

/** Pays the rows of Start at once, or in a loop that may wait after each pass. */
export function listWorkflow(
	plan: ListPlan,
	token: string,
	name: string,
): Omit<WorkflowParameters, 'active' | 'nodeTypes'> {
	const { batch, stops, tries, waits } = plan;
	const pay: INode = {
		...otherNode(PAY, WRITE_TYPE, paymentParameters(plan, token, name) as INode['parameters']),
		credentials: { walletServiceApi: { id: name, name: 'Wallet' } },
		onError: stops ? 'stopWorkflow' : 'continueRegularOutput',
		retryOnFail: tries > 1,
		maxTries: tries,
		waitBetweenTries: 1,
	};
	if (batch === 0) return { id: name, nodes: [pay], connections: { Start: { main: [to(PAY)] } } };
	const pause = { resume: 'timeInterval', amount: 2, unit: 'hours' };
	const nodes = [
		pay,
		otherNode('Loop', 'n8n-nodes-base.splitInBatches', { batchSize: batch }, 3),
		otherNode('Wait', 'n8n-nodes-base.wait', pause, 1.1),
	];
	const connections: IConnections = {
		Start: { main: [to('Loop')] },
		Loop: { main: [[], to(PAY)] },
		[PAY]: { main: [to(waits ? 'Wait' : 'Loop')] },
		Wait: { main: [to('Loop')] },
	};
	return { id: name, nodes, connections };
}

/** A user of the service, who pays. */
export interface ListUser {
	readonly id: string;
	readonly accessToken: string;
}

/** Items with the rows, by these users. */
export const dataOf = (rows: readonly Row[], users: readonly ListUser[]): IRunExecutionData =>
	dataFor(
		rows.map((row): IDataObject => {
			const { id: userId, accessToken } = users[row.user] ?? {};
			return { ...row, userId, accessToken };
		}),
	);

/** Whether n8n begins the execution with its list. */
export const readsList = ({ executionData }: IRunExecutionData): boolean =>
	executionData?.nodeExecutionStack.some(({ node }) => node.name === 'Start') === true;

/** What n8n invents for a node without saved data, from its log of events. */
const INVENTED: Record<NonNullable<Crash['invented']>, Partial<ITaskData>> = {
	ended: {
		executionStatus: 'success',
		data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] },
	},
	begun: { executionStatus: 'crashed', error: Object.assign(new Error('crashed')) as never },
};

/** The execution as n8n retries it after a crash. */
export function recovered(data: IRunExecutionData, invented: Crash['invented']): IRunExecutionData {
	const copy = structuredClone(data);
	delete copy.resultData.error;
	if (invented === undefined) return copy;
	const task = { startTime: 1, executionIndex: 0, executionTime: 0, source: [null] };
	(copy.resultData.runData[PAY] ??= []).push({ ...task, ...INVENTED[invented] } as ITaskData);
	return copy;
}

const payRuns = ({ resultData }: IRunExecutionData) => resultData.runData[PAY] ?? [];

/** The transactions in the outputs of the node that n8n has kept. */
export const keptHashes = (data: IRunExecutionData): string[] =>
	payRuns(data).flatMap((run) =>
		(run.data?.main ?? []).flatMap((items) =>
			(items ?? []).flatMap(({ json }) =>
				typeof json.hash === 'string' ? json.hash.toLowerCase() : [],
			),
		),
	);

export const countRuns = (data: IRunExecutionData): number => payRuns(data).length;

/** The node's runs from one on, with their rows and reports. */
export function runsFrom(data: IRunExecutionData, first: number): ListRun[] {
	const { runData } = data.resultData;
	return payRuns(data)
		.slice(first)
		.map((task) => {
			const {
				previousNode = '',
				previousNodeRun = 0,
				previousNodeOutput = 0,
			} = task.source[0] ?? {};
			const items = runData[previousNode]?.[previousNodeRun]?.data?.main?.[previousNodeOutput];
			const rows = (items ?? []).map(({ json }) => json as unknown as Row);
			const run = { isTool: false, reports: [], rows };
			report(run, task);
			return run;
		});
}
