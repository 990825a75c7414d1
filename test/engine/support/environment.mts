/** Sets environment variables that n8n-core reads when it is loaded: import this file before n8n-core. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'wallet-service-engine-'));
process.env.N8N_LOG_LEVEL ??= 'silent';
