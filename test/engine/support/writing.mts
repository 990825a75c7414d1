import type { IDataObject, INode } from 'n8n-workflow';

import type { AnsweringService } from './answering-service.mts';
import { startAnsweringService } from './answering-service.mts';
import { storeCall } from './contract-calls.mts';
import type { EngineResult, EngineRun } from './engine.mts';
import { Engine } from './engine.mts';
import { N8nLog } from './n8n-log.mts';

/** The contract of all these writes; the service knows nothing of it. */
export const CONTRACT = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** What is there while a test runs. */
function present<T>(value: T | undefined): T {
	if (value === undefined) throw new Error('To be used in a test only');
	return value;
}

/** What a test file needs to write to a service that answers as each test wants it. */
export class Writing {
	#engine: Engine | undefined;

	#service: AnsweringService | undefined;

	#log: N8nLog | undefined;

	/** Prepares a test file; to be called at its top. */
	static prepare(): Writing {
		const writing = new Writing();
		beforeAll(async () => {
			writing.#engine = await Engine.create();
		});
		beforeEach(async () => {
			writing.#log = new N8nLog();
			writing.#service = await startAnsweringService();
		});
		afterEach(async () => {
			writing.log.stop();
			await writing.service[Symbol.asyncDispose]();
		});
		return writing;
	}

	get engine(): Engine {
		return present(this.#engine);
	}

	/** Another one for each test. */
	get service(): AnsweringService {
		return present(this.#service);
	}

	/** What the test wrote into n8n's log. */
	get log(): N8nLog {
		return present(this.#log);
	}

	/** The parameters of a write of one number, with changes. */
	parameters(changes: IDataObject = {}): EngineRun['parameters'] {
		return storeCall(CONTRACT, changes);
	}

	credential(): { baseUrl: string; accessToken: string; userId: string } {
		const { baseUrl } = this.service;
		return { baseUrl, accessToken: 'secret-token', userId: 'DISCORD-1' };
	}

	/** Runs the write. */
	async run(
		changes?: IDataObject,
		node: Partial<INode> = {},
		more: Partial<EngineRun> = {},
	): Promise<EngineResult> {
		const parameters = this.parameters(changes);
		return await this.engine.run({ parameters, credential: this.credential(), node, ...more });
	}
}
