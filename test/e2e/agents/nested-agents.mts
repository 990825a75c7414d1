/** Payments by an agent that is a tool of another one. The suite `versions` tests the same in older versions. */
import { testNestedAgents } from '../../support/n8n/nested-agents.mts';
import { n8n } from '../support/shared-n8n.mts';

testNestedAgents(n8n, 'sandboxUser0001', () => n8n);
