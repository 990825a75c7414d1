/** A service whose history is scripted, and History: Find Transfer over it in both ways in which n8n runs the node. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { EngineRun } from './engine.mts';
import { Engine } from './engine.mts';
import { ScriptedService } from './scripted-service.mts';
import { useResources } from '../../support/resources.mts';

export const OWN = { id: 'DISCORD-1', address: `0x${'11'.repeat(20)}` };
export const OTHER = { id: 'GOOGLE-2', address: `0x${'22'.repeat(20)}` };
export const TOKEN = `0x${'0c'.repeat(20)}`;
export const SUBMITTED = '2026-11-21T12:00:00.400Z';

export const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

interface Listed {
	readonly hash: string;
	readonly second?: number;
	readonly hex?: string;
	readonly type?: string;
	/** Fields that the interface does not have. */
	readonly said?: IDataObject;
}

const entryOf = ({
	hash,
	second = 0,
	hex = '0xbebc20',
	type = 'TRANSFER',
	said,
}: Listed): IDataObject => ({
	type,
	to: { username: 'Rahul', platform: 'GOOGLE', address: OTHER.address },
	amount: {
		...{ valueBn: { type: 'BigNumber', hex }, formatted: 12.5, decimals: 6, symbol: 'SUSD' },
		...{ name: 'Sandbox Dollar', tokenAddress: TOKEN, network: 'SANDBOX', chainId: 1 },
	},
	timestamp: new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString(),
	...{ hash, explorerUrl: `http://127.0.0.1/tx/${hash}`, ...said },
});

/** What the tests of a file share. */
class ListedHistory {
	/** What the service lists at each look; the last one stays. */
	looks: Listed[][] = [];

	/** Paths of the looks. */
	asked: string[] = [];
}

/** Starts the service before the tests of a file, and ends it after them. */
export function useListedHistory() {
	const history = new ListedHistory();
	let ways: Engine[];
	let service: ScriptedService;

	const resources = useResources();
	beforeAll(async () => {
		[service, ...ways] = await Promise.all([
			resources.use(ScriptedService.start()),
			Engine.create(),
			Engine.create(true),
		]);
	});
	beforeEach(() => {
		history.asked = [];
		service.script = ({ path }) => {
			if (!path.endsWith('/history')) {
				return { body: JSON.stringify(path.endsWith(OTHER.id) ? OTHER : OWN) };
			}
			history.asked.push(path);
			const listed = history.looks.length > 1 ? history.looks.shift() : history.looks[0];
			return { body: JSON.stringify((listed ?? []).map(entryOf)) };
		};
	});

	const credential = () => ({ baseUrl: service.baseUrl, accessToken: 'of-a-user', userId: OWN.id });

	/** One run in one of the two ways. */
	async function find(
		parameters: INodeParameters,
		items: IDataObject[] = [{}],
		settings: Pick<EngineRun, 'node' | 'cancelWhen'> = {},
		engine = ways[0],
	) {
		if (engine === undefined) throw new Error('There is no engine');
		return await engine.run({
			parameters: { resource: 'history', operation: 'find', ...parameters },
			credential: credential(),
			items,
			...settings,
		});
	}

	/** The items, the same in both ways. */
	async function found(parameters: INodeParameters, items?: IDataObject[]): Promise<IDataObject[]> {
		const before = history.looks.map((listed) => [...listed]);
		const outputs = [];
		for (const engine of ways) {
			history.looks = before.map((listed) => [...listed]);
			const { items: output, error } = await find(parameters, items, {}, engine);
			expect(error).toBeUndefined();
			const times = { checkedAt: undefined, checkedFor: undefined };
			outputs.push(output.map(({ json }) => ({ ...json, ...times })));
		}
		expect(outputs[1]).toEqual(outputs[0]);
		return outputs[0] ?? [];
	}

	return { history, service: () => service, find, found };
}
