import { createRequire } from 'node:module';

const CPU_NAMES: Partial<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Path of this machine's anvil executable. The package's own launcher is bypassed: it
 * would be one more process between anvil and the process that has to end it.
 *
 * @throws Error if anvil is not published for this platform
 */
export function anvilBinary(): string {
	const anvil = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
	const platform = `${process.platform}-${CPU_NAMES[process.arch] ?? process.arch}`;
	const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
	try {
		return createRequire(anvil).resolve(`@foundry-rs/anvil-${platform}/bin/${file}`);
	} catch (cause) {
		throw new Error(`anvil is not available for ${platform}; set RPC_URL to use another chain`, {
			cause,
		});
	}
}
