/** Rooms of the node, each with the other rooms that it may import; `contract` and `values` import nothing from n8n. */
const MAY_IMPORT = {
	values: [],
	contract: ['values'],
	'request/failure': ['values'],
	'request/credential': ['request/failure', 'values'],
	'request/sign-in': ['request/credential', 'request/failure', 'values'],
	'request/http': ['request/sign-in', 'request/credential', 'request/failure', 'values'],
	'request/traffic': ['request/http', 'request/failure', 'values'],
	'request/run': ['request/(traffic|http|sign-in|credential|failure)', 'values'],
	writes: ['request', 'contract', 'values'],
	resources: ['writes', 'request', 'contract', 'values'],
	trigger: ['resources', 'request', 'contract', 'values'],
	methods: ['resources', 'writes', 'request', 'contract', 'values'],
};

const NODE = 'nodes/WalletService/';

/** Rooms within `resources`, each with the rooms that it may import; all may import the files next to them. */
const RESOURCES_MAY_IMPORT = {
	'look-ups': [],
	writing: ['look-ups'],
	user: ['look-ups'],
	balance: [],
	history: ['look-ups', 'token'],
	contract: ['look-ups', 'writing'],
	token: ['look-ups', 'writing', 'contract'],
};

/** The files of `contract` that `source` may import, and that import no other file of it. */
const BASIS = `${NODE}contract/(function|type-names)\\.ts$`;

/** Rooms of the sandbox and of the tools, and the files next to them: each may import only earlier entries. */
const ROOMS_IN_ORDER = {
	'service/src/': [
		...['open-api.mts', 'explorer.mts', 'listen.mts', 'input', 'schemas', 'abi', 'config', 'keys'],
		...[
			'rpc',
			'store',
			'identity.mts',
			'chain',
			'history',
			'limits',
			'writes',
			'operation',
			'service.mts',
			'pages',
		],
		...['calls', 'routes', 'app.mts', 'create-service.mts', 'cli'],
	],
	'sandbox/src/': [
		...[
			'process',
			'chain',
			'settings.mts',
			'conditions.mts',
			'wallets',
			'pages',
			'oauth',
			'ready.mts',
		],
		...['faults', 'deployment', 'start-service.mts', 'app.mts', 'serve.mts', 'server.mts'],
	],
	'tools/': [
		...['ancestors.cjs', 'end-with-parent.cjs', 'install.mjs', 'files', 'process', 'network'],
		...[
			'sandbox',
			'wallet',
			'package',
			'n8n',
			'model',
			'editor',
			'registry',
			'compare',
			'start',
			'screenshots',
		],
		...['jest', 'mutate'],
	],
};

/** Forbids circular imports, and imports outside these lists. */
export default {
	forbidden: [
		{
			name: 'no-circle',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		...Object.entries(MAY_IMPORT).map(([room, others]) => ({
			name: `from-${room.replace('/', '-')}`,
			severity: 'error',
			from: { path: `^${NODE}${room}/` },
			to: { path: `^${NODE}`, pathNot: `^${NODE}(${[room, ...others].join('|')})/` },
		})),
		...Object.entries(RESOURCES_MAY_IMPORT).map(([room, others]) => ({
			name: `from-resources-${room}`,
			severity: 'error',
			from: { path: `^${NODE}resources/${room}/` },
			to: {
				path: `^${NODE}resources/[^/]+/`,
				pathNot: `^${NODE}resources/(${[room, ...others].join('|')})/`,
			},
		})),
		{
			name: 'contract-below',
			comment: 'What the parsers of pasted text need knows neither them nor the rest of the room.',
			severity: 'error',
			from: { path: `^${NODE}contract/source/|^${BASIS}` },
			to: { path: `^${NODE}contract/`, pathNot: `^${NODE}contract/source/|^${BASIS}` },
		},
		{
			name: 'contract-basis',
			severity: 'error',
			from: { path: `^${BASIS}` },
			to: { path: `^${NODE}contract/source/` },
		},
		{
			name: 'resources-below',
			comment: 'What resources share knows none of them: an operation lists its own parameters.',
			severity: 'error',
			from: { path: `^${NODE}resources/[^/]+$`, pathNot: `^${NODE}resources/index\\.ts$` },
			to: { path: `^${NODE}resources/[^/]+/` },
		},
		...Object.entries(ROOMS_IN_ORDER).flatMap(([folder, rooms]) => [
			...rooms.map((room, index) => ({
				name: `${folder}${room}`,
				severity: 'error',
				from: { path: `^${folder}${room}(/|$)` },
				to: {
					path: `^${folder}`,
					pathNot: `^${folder}(${rooms.slice(0, index + 1).join('|')})(/|$)`,
				},
			})),
			{
				name: `${folder}room-unknown`,
				comment: 'A new room must be added to ROOMS_IN_ORDER.',
				severity: 'error',
				from: { path: `^${folder}`, pathNot: `^${folder}(${rooms.join('|')})(/|$)` },
				to: { path: '.' },
			},
		]),
		{
			name: 'node-stands-alone',
			comment: 'The published code imports neither tests nor tools nor the reference service.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(service|sandbox|tools|test|bench)/' },
		},
		{
			name: 'service-stands-alone',
			comment:
				'The wallet service knows nothing of its preset for tests, and of the node only how it reads calls.',
			severity: 'error',
			from: { path: '^service/' },
			to: {
				path: '^(nodes|credentials|sandbox|tools|test|bench)/',
				pathNot: `^${NODE}(contract|values)/`,
			},
		},
		{
			name: 'sandbox-stands-alone',
			comment: 'The reference service runs alone, from its own package.',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^(nodes|credentials|tools|test|bench)/' },
		},
		{
			name: 'tools-without-tests',
			severity: 'error',
			from: { path: '^(tools|bench)/' },
			to: { path: '^test/' },
		},
		{
			name: 'suites-apart',
			comment: 'Code for two suites belongs in test/support/.',
			severity: 'error',
			from: { path: '^test/([^/]+)/' },
			to: { path: '^test/', pathNot: '^test/($1|support)/' },
		},
		{
			name: 'e2e-rooms-apart',
			comment: 'Code for two rooms of the e2e tests belongs in a support folder above them.',
			severity: 'error',
			from: { path: '^test/e2e/([^/]+)/' },
			to: { path: '^test/e2e/', pathNot: '^test/e2e/($1|support)/' },
		},
		{
			name: 'parts-run',
			comment: 'A part of a test file runs only if the file imports it.',
			severity: 'error',
			from: { path: '^test/(browser|e2e|queue|versions)/[^/]+\\.test\\.mts$' },
			to: { path: '^test/$1/[^/]+/[^/]+(?<!\\.test)\\.mts$', reachable: false },
		},
		{
			name: 'helpers-in-support',
			comment: 'A helper belongs in a support folder, not among the tests; some tests have parts.',
			severity: 'error',
			from: { path: '^test/', pathNot: '^test/(browser|e2e|queue|versions)/[^/]+\\.test\\.mts$' },
			to: { path: '^test/', pathNot: '/support/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '(^|/)(dist|\\.local)/' },
		tsPreCompilationDeps: true,
		enhancedResolveOptions: { extensions: ['.ts', '.mts', '.mjs', '.js', '.json'] },
		tsConfig: { fileName: 'tsconfig.tools.json' },
	},
};
