/** What needs nothing but a running n8n: each part is a file, and all share one n8n. */
import './agents/reads-by-tools.mts';
import './agents/writes-by-tools.mts';
import './agents/agent-examples.mts';
import './workflows/sub-workflows.mts';
import './workflows/access-token.mts';
// Advances the clock of the chain by 40 days.
import './workflows/examples-no-code.mts';
// Starts a schedule, which goes on until n8n ends.
import './workflows/oauth2.mts';
