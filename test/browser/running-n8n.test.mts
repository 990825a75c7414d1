/** The node in n8n's editor, used in a real browser: each part is a file, and all share one n8n and its editor. */
import './parts/tasks.mts';
import './parts/contract.mts';
import './parts/credentials.mts';
// Changes a credential, which n8n then selects for new nodes.
import './parts/editor.mts';
// Changes the size of the window, and makes n8n show files.
import './parts/examples.mts';
// Uses the table of payments that the examples have paid.
import './parts/approvals.mts';
