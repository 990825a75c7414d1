/** Functions as they come from contracts that know more than the node does: what can be read is called. */
import type { INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

async function read(parameters: INodeParameters) {
	return await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'read',
			contractAddress: service.contracts.shapes,
			argumentsMode: 'json',
			args: '["7"]',
			...parameters,
		},
		credential: service.credential(),
	});
}

const fromAbi = (contractAbi: string, contractFunction: string) => ({
	functionSource: 'contractAbi',
	contractAbi,
	contractFunction,
});

const PICK = {
	type: 'function',
	name: 'pick',
	stateMutability: 'pure',
	inputs: [{ type: 'uint256' }],
	outputs: [{ type: 'string' }],
};
const EXOTIC = { ...PICK, inputs: [{ type: 'fixed128x18' }] };

test.each([
	[
		'JSON',
		JSON.stringify([EXOTIC, PICK]),
		'pick(fixed128x18)',
		/^Function: The ABI holds no function "pick\(fixed128x18\)"\. One entry .*At abi\[0\] \("pick"\), "fixed128x18": this type cannot be passed$/,
	],
	[
		'lines',
		'function pick(uint256) pure returns (string)\npick(Token)',
		'pick(Token)',
		/^Function: The ABI holds no function "pick\(Token\)"\. One entry .*In line 2: At character 6, "Token": /,
	],
])('a function that cannot be read is refused alone: %s', async (_form, abi, bad, message) => {
	const { items } = await read(fromAbi(abi, 'pick(uint256)'));
	expect(items[0]?.json.value).toBe('pick(uint256)');
	const { error } = await read(fromAbi(abi, bad));
	expect(error?.message).toMatch(message);
	const byName = await read(fromAbi(abi, 'pick'));
	expect(byName.error?.message).toMatch(
		/^Function: More than one entry may be the function "pick"/,
	);
	expect(await service.faults.requests()).toHaveLength(1);
});

test('Solidity source keeps its modifiers with arguments', async () => {
	const { items, error } = await read({
		abi: 'function pick(uint256 a) external onlyRole(ADMIN_ROLE) whenNotPaused pure returns (string memory) {',
	});
	expect(error).toBeUndefined();
	expect(items[0]?.json.value).toBe('pick(uint256)');
});
