import { join } from 'node:path';
import { startGuardedProcess } from '../../../tools/process/running-process.mts';
import { freePort } from '../../../tools/network/ports.mts';
import type { Cleanup } from '../../support/cleanup.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { findProgram } from './find-program.mts';

/**
 * Starts a Redis that keeps nothing on disk.
 *
 * @returns the settings with which n8n finds it.
 */
export async function startRedis(cleanup: Cleanup): Promise<Record<string, string>> {
	const command = await findProgram('redis-server', 'redis-server');
	const folder = await temporaryFolder(cleanup, 'redis');
	const port = String(await freePort());
	const args = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
	const redis = await startGuardedProcess(
		{ command, args },
		{ logFile: join(folder, 'redis.log'), readyText: 'Ready to accept connections' },
	);
	await cleanup.add(() => redis.stop());
	return { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port };
}
