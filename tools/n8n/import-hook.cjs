// External hook of n8n: once n8n is ready, refuses requests for other hosts, and imports what `imports.mts` left in its
// folder, by n8n's own code.
const { existsSync, readFileSync, rmSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const n8n = createRequire(process.argv[1]);

/** The instance of a class of n8n. */
const serviceOf = (file, name) => n8n('@n8n/di').Container.get(n8n(`../dist/${file}.js`)[name]);

const byCommand = (kind, name) => async (input) => {
	const command = serviceOf(`commands/import/${kind}`, name);
	command.flags = { input, separate: false, activeState: 'false' };
	await command.run();
};

/** Lists packages under "Settings > Community nodes", as n8n's installer does. */
async function listPackages(file) {
	const { loaders } = serviceOf('load-nodes-and-credentials', 'LoadNodesAndCredentials');
	const path = 'modules/community-packages/installed-packages.repository';
	const repository = serviceOf(path, 'InstalledPackagesRepository');
	for (const { name } of JSON.parse(readFileSync(file, 'utf8')))
		await repository.saveInstalledPackageWithNodes(loaders[name]);
}

const IMPORTS = {
	credentials: byCommand('credentials', 'ImportCredentialsCommand'),
	workflow: byCommand('workflow', 'ImportWorkflowsCommand'),
	packages: listPackages,
};

const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** Protects n8n from web pages whose name leads to this machine (DNS rebinding); n8n has no setting for it. */
function refuseForeignHosts(server) {
	const { emit } = server;
	server.emit = (event, request, answer, ...rest) => {
		const isOwn = !['request', 'upgrade'].includes(event) || OWN_HOST.test(request.headers.host);
		if (isOwn) return emit.call(server, event, request, answer, ...rest);
		if (event === 'request') answer.writeHead(421).end('This n8n is for this machine only');
		else answer.destroy();
		return true;
	};
}

async function ready({ server }) {
	refuseForeignHosts(server);
	for (const [kind, importFile] of Object.entries(IMPORTS)) {
		const file = join(process.env.N8N_USER_FOLDER, `import-${kind}.json`);
		// A failure ends n8n, and the next start tries again.
		if (existsSync(file)) await importFile(file).then(() => rmSync(file));
	}
}

module.exports = { n8n: { ready: [ready] } };
