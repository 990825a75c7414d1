/** n8n in queue mode with the settings that `docs/production.md` recommends: each part is a file, and all share one cluster. */
import './parts/editor.mts';
import './parts/mcp-calls.mts';
import './parts/orders.mts';
import './parts/retried-executions.mts';
import './parts/retry-on-fail.mts';
// Kills one of the two workers.
import './parts/worker-killed.mts';
// Kills one after the other, and starts them again.
import './parts/cut-off.mts';
import './parts/retried-after-crash.mts';
