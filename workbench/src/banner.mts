import { OWNER } from './n8n/rest-client.mts';
import { transferWebhook } from './once/write-example.mts';
import { WEBHOOK_KEY } from './sandbox-credentials.mts';
import type { Workbench } from './workbench.mts';

/** What to do first, for somebody who sees this for the first time. */
export function banner({ n8n, sandbox }: Workbench): string {
	const recipient = sandbox.users.at(1)?.address;
	return `
  n8n editor    ${n8n.url}
  e-mail        ${OWNER.email}
  password      ${OWNER.password}
  the service   ${sandbox.baseUrl}  (API description: ${sandbox.baseUrl}/openapi.json)

  First: sign in, open the workflow "Scheduled balance check", click "Execute workflow", and open a node.
  Then let another app send a token:

    curl ${transferWebhook(n8n.url)} -H '${WEBHOOK_KEY.name}: ${WEBHOOK_KEY.value}' \\
      -H 'Content-Type: application/json' -d '{"to": "${recipient}", "amount": "1500000"}'

  Everything runs on this machine and holds test money only. Ctrl-C stops it.
`;
}
