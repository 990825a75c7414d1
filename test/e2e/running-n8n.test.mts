/** What an n8n without special settings can show: each part is a file, and all share one n8n. */
import './agents/reads-by-tools.mts';
import './agents/writes-by-tools.mts';
import './agents/kept-writes-by-tools.mts';
import './agents/reviewed-calls.mts';
import './agents/nested-agents.mts';
import './agents/lost-results.mts';
// Replaces the model of the agents above.
import './agents/agent-examples.mts';
import './workflows/sub-workflows.mts';
import './workflows/repeated-executions.mts';
import './workflows/kept-writes.mts';
import './workflows/manual-executions.mts';
import './workflows/access-token.mts';
import './workflows/pay-a-list.mts';
// Runs the copy of the example that the part above has made.
import './workflows/stopped-list.mts';
import './workflows/refund-by-form.mts';
// Advances the clock of the chain by 40 days, and starts a schedule, which goes on until n8n ends.
import './workflows/examples-no-code.mts';
// Starts another schedule.
import './workflows/oauth2.mts';
