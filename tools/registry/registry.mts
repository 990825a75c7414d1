import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { startLoggedProcess } from '../process/running-process.mts';
import { freePort } from '../network/ports.mts';
import { startProxy } from '../network/proxy.mts';
import { createCertificate } from './certificate.mts';

const require = createRequire(import.meta.url);

/** The registry that n8n installs community packages from. */
const PUBLIC_HOST = 'registry.npmjs.org';

/** An npm registry on this machine, with the packages that were published to it and no others. */
export interface NpmRegistry extends AsyncDisposable {
	/** What a process needs in its environment to find this registry in the place of the public one. */
	environment: Record<string, string>;
	/** Publishes a packed package. */
	publish(tarball: string): Promise<void>;
}

/** The program that verdaccio's package names. */
const verdaccioProgram = join(
	dirname(require.resolve('verdaccio/package.json')),
	'bin',
	'verdaccio',
);

async function writeSettings(directory: string, https: { key: string; cert: string }) {
	const file = join(directory, 'verdaccio.yaml');
	const settings = {
		storage: join(directory, 'storage'),
		https,
		uplinks: {},
		packages: { '**': { access: '$all', publish: '$all' } },
		log: { type: 'stdout', format: 'json', level: 'info' },
	};
	// JSON is YAML.
	await writeFile(file, JSON.stringify(settings));
	return file;
}

/**
 * Starts verdaccio, and makes it reachable under the name of the public registry.
 *
 * n8n hands npm the address of the public registry on its command line, where no npm setting can change it, and takes another one
 * only with a licence. A proxy and a trusted certificate are what npm and n8n both take from the environment, as they would behind
 * the proxy of a company: so n8n runs as it is, sends the very requests it sends to the public registry, and reaches no other host.
 *
 * @param directory - For packages, certificate and log; it exists and is empty.
 */
export async function startRegistry(directory: string): Promise<NpmRegistry> {
	const { certificate, key } = await createCertificate(directory, PUBLIC_HOST);
	const settings = await writeSettings(directory, { key, cert: certificate });
	const port = await freePort();
	const url = `https://127.0.0.1:${port}`;
	const verdaccio = await startLoggedProcess(
		process.execPath,
		[verdaccioProgram, '--config', settings, '--listen', url],
		{ cwd: directory, logFile: join(directory, 'verdaccio.log'), readyText: 'http address' },
	);
	const proxy = await startProxy({ [`${PUBLIC_HOST}:443`]: port });

	const npmSettings = join(directory, 'npmrc');
	await writeFile(npmSettings, '');
	await mkdir(join(directory, 'npm-cache'));
	const trusting = {
		NODE_EXTRA_CA_CERTS: certificate,
		// A setting of this machine that `npm run` hands on would count for more.
		npm_config_cafile: certificate,
		npm_config_userconfig: npmSettings,
		npm_config_cache: join(directory, 'npm-cache'),
	};
	const environment = {
		...trusting,
		npm_config_registry: `https://${PUBLIC_HOST}/`,
		npm_config_offline: 'false',
		HTTPS_PROXY: proxy.url,
		https_proxy: proxy.url,
		HTTP_PROXY: '',
		http_proxy: '',
		NO_PROXY: '127.0.0.1',
		no_proxy: '127.0.0.1',
	};
	return {
		environment,
		async publish(tarball) {
			// npm sends nothing without a token; verdaccio asks for none.
			const args = [`--registry=${url}/`, `--//127.0.0.1:${port}/:_authToken=none`];
			await execa('npm', ['publish', tarball, '--ignore-scripts', ...args], {
				env: trusting,
			});
		},
		async [Symbol.asyncDispose]() {
			await proxy.stop();
			await verdaccio.stop();
		},
	};
}
