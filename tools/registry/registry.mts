import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { generate } from 'selfsigned';
import { root } from '../files/paths.mts';
import { startLoggedProcess } from '../process/running-process.mts';
import { freePort } from '../network/ports.mts';
import { startProxy } from '../network/proxy.mts';

/** n8n's registry of community packages. */
const PUBLIC_HOST = 'registry.npmjs.org';

/** A private npm registry on this machine. */
export interface NpmRegistry extends AsyncDisposable {
	/** Environment variables that replace the public registry with this one. */
	environment: Record<string, string>;
	publish(tarball: string): Promise<void>;
}

const verdaccioProgram = join(root, 'tools', 'node_modules', 'verdaccio', 'bin', 'verdaccio');

const DAY = 24 * 60 * 60 * 1000;

/** Writes verdaccio's settings, and the registry's self-signed certificate, valid for a day, with its key (both PEM). */
async function writeSettings(directory: string) {
	const fileOf = (name: string) => join(directory, name);
	const https = { key: fileOf('key.pem'), cert: fileOf('certificate.pem') };
	const altNames = [
		{ type: 2, value: PUBLIC_HOST },
		{ type: 7, ip: '127.0.0.1' },
	] as const;
	const generated = await generate([{ name: 'commonName', value: 'Local npm registry' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notAfterDate: new Date(Date.now() + DAY),
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: [...altNames] },
		],
	});
	await writeFile(https.cert, generated.cert);
	await writeFile(https.key, generated.private);
	const settings = {
		storage: fileOf('storage'),
		https,
		uplinks: {},
		packages: { '**': { access: '$all', publish: '$all' } },
		log: { type: 'stdout', format: 'json', level: 'info' },
	};
	// Every JSON document is also YAML.
	await writeFile(fileOf('verdaccio.yaml'), JSON.stringify(settings));
	return { settings: fileOf('verdaccio.yaml'), certificate: https.cert };
}

/**
 * Starts verdaccio, reachable under the name of the public registry.
 *
 * n8n passes the address of the public registry to npm on the command line, where no npm setting overrides it, and accepts
 * a different registry only with a licence. Both programs take a proxy and a trusted certificate from the environment, as
 * on a company network. So n8n runs unchanged, sends the same requests as to the public registry, and reaches no other host.
 *
 * @param directory - An existing, empty folder for packages, certificate and log.
 */
export async function startRegistry(directory: string): Promise<NpmRegistry> {
	const { settings, certificate } = await writeSettings(directory);
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
		// Overrides this machine's own setting, which `npm run` passes on.
		npm_config_cafile: certificate,
		npm_config_userconfig: npmSettings,
		npm_config_cache: join(directory, 'npm-cache'),
	};
	const environment = {
		...trusting,
		npm_config_registry: `https://${PUBLIC_HOST}/`,
		npm_config_offline: 'false',
		HTTPS_PROXY: proxy.url,
		HTTP_PROXY: '',
		NO_PROXY: '127.0.0.1',
		https_proxy: proxy.url,
		http_proxy: '',
		no_proxy: '127.0.0.1',
	};
	return {
		environment,
		async publish(tarball) {
			// npm requires a token; verdaccio ignores it.
			const args = [`--registry=${url}/`, `--//127.0.0.1:${port}/:_authToken=none`];
			await execa('npm', ['publish', tarball, '--ignore-scripts', ...args], { env: trusting });
		},
		async [Symbol.asyncDispose]() {
			await proxy.stop();
			await verdaccio.stop();
		},
	};
}
