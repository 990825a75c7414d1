import { useN8n } from '../../support/n8n/use-n8n.mts';

/**
 * The n8n in which all parts of `one-execution-at-a-time.test.mts` run. If it ran more, the webhook example could pay an
 * order twice that arrives twice at the same moment.
 */
export const n8n = useN8n({ settings: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' } });
