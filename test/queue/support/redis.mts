import { join } from 'node:path';
import { startGuardedProcess } from '../../../tools/process/running-process.mts';
import { freePort } from '../../../tools/network/ports.mts';
import type { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { findProgram } from './find-program.mts';

/**
 * Starts a Redis that keeps nothing on disk.
 *
 * @returns the settings with which n8n finds it.
 */
export async function startRedis(resources: Resources): Promise<Record<string, string>> {
	const command = await findProgram('redis-server', 'redis-server');
	const { path: folder } = await resources.use(temporaryFolder('redis'));
	const port = String(await freePort());
	const args = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
	await resources.use(
		startGuardedProcess(
			{ command, args },
			{ logFile: join(folder, 'redis.log'), readyText: 'Ready to accept connections' },
		),
	);
	return { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port };
}
