import './environment.mts';

import { createRequire } from 'node:module';

import type { Logger } from 'n8n-workflow';

/** Loads dependencies of n8n-core, which this package cannot resolve itself. */
const fromCore = createRequire(createRequire(import.meta.url).resolve('n8n-core'));

/** Records what nodes write to n8n's log, as n8n prints it. */
export class N8nLog {
	readonly lines: string[] = [];

	readonly stop: () => void;

	/** @param hear called for each line */
	constructor(hear: (line: string) => void = (line) => this.lines.push(line)) {
		const { Container } = fromCore('@n8n/di');
		const logger: Logger = Container.get(fromCore('@n8n/backend-common').Logger);
		const spies = (['info', 'warn', 'error'] as const).map((level) =>
			jest.spyOn(logger, level).mockImplementation(hear),
		);
		this.stop = () => spies.forEach((spy) => spy.mockRestore());
	}

	/** The lines about contract writes. */
	writes(): string[] {
		return this.lines.filter((line) => line.startsWith('Contract write'));
	}
}
