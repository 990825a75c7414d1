import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { Interface } from 'ethers';
import { SANDBOX } from '../process/folder.mts';

export interface CompiledContract {
	abi: Interface;
	/** Creation code without constructor arguments, 0x-prefixed. */
	bytecode: string;
}

const require = createRequire(import.meta.url);
const contractsDirectory = join(SANDBOX, 'contracts');
const cacheDirectory = join(SANDBOX, '..', '.local', 'contracts');

const SETTINGS = {
	optimizer: { enabled: true, runs: 200 },
	// Chains at RPC_URL may not support the newest instructions yet.
	evmVersion: 'cancun',
	outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

type Artifacts = Record<string, { abi: unknown[]; bytecode: string }>;
/** The part of the compiler's output that is used. */
interface CompilerOutput {
	errors?: { severity: string; formattedMessage: string }[];
	contracts?: Record<
		string,
		Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>
	>;
}

type Sources = Record<string, { content: string }>;

async function readSources(): Promise<Sources> {
	const files = (await readdir(contractsDirectory)).filter((file) => file.endsWith('.sol')).sort();
	const entries = files.map(async (file) => {
		const content = await readFile(join(contractsDirectory, file), 'utf8');
		return [file, { content }] as const;
	});
	return Object.fromEntries(await Promise.all(entries));
}

function packageVersion(name: string): string {
	const { version }: { version?: unknown } = require(`${name}/package.json`);
	return String(version);
}

function compile(sources: Sources): Artifacts {
	// Loaded here: the compiler is large and is needed only after changes to the sources.
	const solc: { compile(input: string, callbacks: object): string } = require('solc');
	const readImport = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
	const input = JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS });
	const output: CompilerOutput = JSON.parse(solc.compile(input, { import: readImport }));
	const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
	if (errors.length > 0) {
		throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
	}
	const artifacts: Artifacts = {};
	for (const file of Object.keys(sources)) {
		const name = basename(file, '.sol');
		const contract = output.contracts?.[file]?.[name];
		if (!contract) throw new Error(`${file} does not define contract ${name}`);
		artifacts[name] = { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
	}
	return artifacts;
}

async function cachedArtifacts(file: string): Promise<Artifacts | undefined> {
	try {
		return JSON.parse(await readFile(file, 'utf8'));
	} catch {
		return undefined;
	}
}

/**
 * Compiles the contracts of `sandbox/contracts`; returns them by name. Earlier results are cached under the
 * hash of all their inputs, so only the first start needs the compiler.
 *
 * @throws Error with the compiler's messages if a contract does not compile
 */
export async function compileContracts(): Promise<Record<string, CompiledContract>> {
	const sources = await readSources();
	const versions = [packageVersion('solc'), packageVersion('@openzeppelin/contracts')];
	const key = createHash('sha256').update(JSON.stringify({ sources, versions, SETTINGS }));
	const file = join(cacheDirectory, `${key.digest('hex')}.json`);
	let artifacts = await cachedArtifacts(file);
	if (!artifacts) {
		artifacts = compile(sources);
		await mkdir(cacheDirectory, { recursive: true });
		// Several sandboxes may start at the same time; none may read a half-written file.
		const draft = `${file}.${process.pid}`;
		await writeFile(draft, JSON.stringify(artifacts));
		await rename(draft, file);
	}
	const compiled = Object.entries(artifacts).map(([name, { abi, bytecode }]) => {
		return [name, { abi: new Interface(JSON.stringify(abi)), bytecode }] as const;
	});
	return Object.fromEntries(compiled);
}
