/** Questions to a person at a terminal. The library is loaded only for them. */
import { UsageError } from './usage-error.mts';

export const isInteractive = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** @throws UsageError if the person stopped the command: then the library returns a symbol */
function answered(answer: unknown): string {
	if (typeof answer === 'string') return answer;
	throw new UsageError('Cancelled; nothing was changed');
}

export async function askPassword(message: string): Promise<string> {
	const { password } = await import('@clack/prompts');
	const validate = (text: string | undefined) => (text ? undefined : 'Enter a password');
	return answered(await password({ message, validate }));
}

/** @param initialValue an answer that only needs to be confirmed */
export async function askText(
	message: string,
	validate: (text: string) => string | undefined,
	initialValue = '',
): Promise<string> {
	const { text } = await import('@clack/prompts');
	const options = { message, initialValue, validate: (value?: string) => validate(value ?? '') };
	return answered(await text(options));
}

export async function confirm(message: string): Promise<boolean> {
	const { confirm: ask } = await import('@clack/prompts');
	return (await ask({ message, initialValue: false })) === true;
}
