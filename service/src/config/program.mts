/** What a person types to run the program: a script of npm in a copy of the project, otherwise the command itself. */
export const PROGRAM =
	process.env.npm_lifecycle_event === 'service' ? 'npm run service --' : 'wallet-service';
