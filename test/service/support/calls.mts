import type { SandboxContracts } from '../../../sandbox/src/ready.mts';
import type { Service, Username } from '../../support/sandbox/service.mts';

/** Contract calls through a service, each with the token of a user. */
export function callsOf(sandbox: () => Service) {
	const post =
		(method: 'read' | 'write') =>
		async (
			username: Username,
			contract: keyof SandboxContracts,
			abi: string,
			args?: unknown,
			more: object = {},
		) => {
			const { as, contracts } = sandbox();
			const body = { address: contracts[contract], abi, args, ...more };
			return await as(username).post(`/v1/contracts/method/${method}`, body);
		};
	return { read: post('read'), write: post('write') };
}
