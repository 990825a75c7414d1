import { join } from 'node:path';
import { startProcess, type RunningProcess } from '../process/running-process.mts';
import manifest from '../../package.json' with { type: 'json' };
import { packageFolderOf } from '../n8n/package.mts';
import { endWithParent, root } from '../files/paths.mts';

/** Started directly, because the launcher in `.bin` starts gulp as another process, which would be left behind. */
const gulpProgram = join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');

/** Makes n8n reload a package when its files change (`setupHotReload` of its node loader). */
export const HOT_RELOAD = { N8N_DEV_RELOAD: 'true' };

/**
 * Rebuilds the node in `project` whenever one of its sources changes, copies it into the n8n folder, and prints the build's
 * output. With type errors, n8n keeps the previous build.
 */
export async function startWatching(userFolder: string, project = root): Promise<RunningProcess> {
	const env = { ...process.env, PACKAGE_FOLDER: packageFolderOf(userFolder, manifest.name) };
	const args = ['--require', endWithParent, gulpProgram, 'watch'];
	return startProcess(process.execPath, args, { cwd: project, env });
}
