import { OWNER } from '../n8n/rest-client.mts';
import { sandboxTokens } from '../sandbox/tokens.mts';
import type { Workbench } from './workbench.mts';

/** Lines of two columns, the first of which begins where the values of the banner do. */
function table(rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([first]) => first.length));
	return rows
		.map(([first, second]) => `${first.padEnd(width)}  ${second}`)
		.join(`\n${' '.repeat(16)}`);
}

/** What to do first, for somebody who sees this for the first time. */
export function banner({ n8n, sandbox }: Pick<Workbench, 'n8n' | 'sandbox'>): string {
	const users = sandbox.users.map(({ username, id }) => [username, id] as const);
	const tokens = sandboxTokens(sandbox).map(({ symbol, name, address }) => {
		return [address, symbol === '' ? name : `${symbol}  ${name}`] as const;
	});
	return `
  n8n editor    ${n8n.url}
  e-mail        ${OWNER.email}
  password      ${OWNER.password}
  the service   ${sandbox.baseUrl}  (API description: ${sandbox.baseUrl}/openapi.json)

  users         ${table(users)}

  tokens        ${table(tokens)}

  First: sign in, open the workflow "Start here", and click "Execute workflow".
  Then open "Send a token" and click "Execute workflow": it sends 1.5 SUSD to Rahul Sen.

  Everything runs on this machine and holds test money only. Ctrl-C stops it.
`;
}
