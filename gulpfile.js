// Build: clean -> typecheck -> bundle -> assets. `gulp watch` rebuilds on change, and copies the build to PACKAGE_FOLDER (if
// set), the package's folder in a running n8n.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { readFile } = require('node:fs/promises');
const { dirname, join, relative } = require('node:path');
const esbuild = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');
const { bundledPackages, licenceNotice } = require('./tools/package/bundled-packages.mts');

const sources = ['nodes/**/*.ts', 'credentials/**/*.ts'];
/** n8n reads the schemas next to the node to show output fields before the node has run. */
const assets = ['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json', 'icons/*.svg'];
/** Licence texts of the bundled packages, published with the package. */
const notice = 'dist/THIRD_PARTY_LICENSES.txt';
/** esbuild's report on the latest build, for the checks of the published code. */
const report = '.local/bundle.json';
/** Files that n8n loads. */
const { n8n } = require('./package.json');
const loaded = [...n8n.nodes, ...n8n.credentials];
/** Source and bundle of the code shared by these files; each of them only requires the bundle. */
const index = 'nodes/WalletService/index.ts';
const bundled = 'dist/nodes/WalletService/index.js';

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

/** Asynchronous, because this process must notice the end of its parent. */
async function checkTypes(project) {
	const tsc = spawn(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', project], {
		stdio: 'inherit',
	});
	const killTsc = () => tsc.kill('SIGKILL');
	process.once('exit', killTsc);
	const [status] = await once(tsc, 'close');
	process.removeListener('exit', killTsc);
	if (status !== 0) throw new Error(`Type errors in ${project}`);
}

async function typecheck() {
	for (const project of ['tsconfig.json', 'tsconfig.tools.json']) await checkTypes(project);
}

const typecheckNode = () => checkTypes('tsconfig.json');

/** Leaves comments out of the bundle: they enlarge the package, and the sources contain them. The code remains readable. */
const withoutComments = {
	name: 'without-comments',
	setup({ onLoad }) {
		onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
			const loader = path.endsWith('.ts') ? 'ts' : 'js';
			const options = { loader, minifyWhitespace: true, legalComments: 'none' };
			const { code } = await esbuild.transform(await readFile(path, 'utf8'), options);
			return { contents: code, loader: 'js' };
		});
	},
};

async function bundle() {
	// The digest that `buildWhenChanged` stored belongs to an earlier build.
	rmSync('.local/built-digest', { force: true });
	const { metafile } = await esbuild.build({
		entryPoints: [index],
		outfile: bundled,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		// n8n provides n8n-workflow; a second copy would break its `instanceof` checks.
		external: ['n8n-workflow'],
		drop: ['console'],
		minifySyntax: true,
		legalComments: 'none',
		plugins: [withoutComments],
		metafile: true,
	});
	for (const file of loaded) {
		const path = relative(dirname(file), bundled);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(
			file,
			`module.exports = require('${path.startsWith('.') ? path : `./${path}`}');\n`,
		);
	}
	mkdirSync(dirname(report), { recursive: true });
	writeFileSync(report, JSON.stringify(metafile));
	writeFileSync(notice, licenceNotice(bundledPackages(metafile, __dirname)));
}

function copyAssets() {
	// By default, gulp 5 decodes files as text, which corrupts binary ones.
	return src(assets, { base: '.', encoding: false }).pipe(dest('dist'));
}

const build = series(clean, typecheckNode, bundle, copyAssets);

function deliver() {
	const { PACKAGE_FOLDER } = process.env;
	if (!PACKAGE_FOLDER) return Promise.resolve();
	return src('dist/**', { encoding: false }).pipe(dest(join(PACKAGE_FOLDER, 'dist')));
}

/** With type errors, `dist` remains unchanged, so that n8n keeps the previous build. */
const rebuild = series(typecheckNode, bundle, copyAssets, deliver);

function watchSources() {
	watch([...sources, ...assets], { ignoreInitial: false }, rebuild);
}

module.exports = { build, clean, typecheck, watch: watchSources, default: build };
module.exports.bundle = parallel(bundle, copyAssets);
