import { lockedN8n, n8nOf } from './program.mts';

/** Unused modules of n8n that would contact the network. n8n refuses to start if any of them is unknown to it. */
const UNUSED_MODULES = [
	...['instance-ai', 'agents', 'mcp', 'mcp-registry', 'chat-hub', 'quick-connect'],
];

/** Settings on top of {@link n8nEnvironment} that switch on modules, for example `agents`. */
export const withModules = (...names: string[]): Record<string, string> => ({
	N8N_DISABLED_MODULES: UNUSED_MODULES.filter((name) => !names.includes(name)).join(','),
});

/** Environment variables of the caller that would make n8n behave differently from machine to machine. */
const FOREIGN_SETTING = /^(N8N_|DB_|EXECUTIONS_|QUEUE_|NODE_ENV$|NODE_OPTIONS$|JEST_)/;

/**
 * n8n's environment: all state in one folder, no telemetry, reachable from this machine only.
 *
 * @param userFolder - Parent of `.n8n`, with database, encryption key and community packages.
 * @param taskBrokerPort - Port of n8n's task runner, which executes Code nodes; unique per n8n process.
 */
export function n8nEnvironment(userFolder: string, taskBrokerPort: number): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN_SETTING.test(name));
	return {
		...Object.fromEntries(inherited),
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(taskBrokerPort),
		// The login cookie has to work over plain http on this machine.
		N8N_SECURE_COOKIE: 'false',
		N8N_LOG_LEVEL: 'info',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// On a busy machine, publishing a workflow can take longer than two minutes, and a query longer than five seconds.
		N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '3600',
		DB_PING_TIMEOUT_MS: '600000',
		// The community packages page queries npm for updates.
		npm_config_offline: 'true',
		...(n8nOf(userFolder) === lockedN8n && withModules()),
	};
}
