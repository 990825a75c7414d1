/** What is not known about writes is told as long as it is so. */
import { OpenQuestions } from '../../service/src/writes/open-questions.mts';

test('what another process has answered is forgotten, and what is asked again is as old as before', () => {
	const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
	const questions = new OpenQuestions();
	questions.ask('a', 'whether it succeeded');
	questions.ask('b', 'what has used its nonce');
	clock.mockReturnValue(12_000);
	questions.ask('a', 'whether it is in a block');
	questions.keep(new Set(['a']));
	expect(questions.of('b')).toBeUndefined();
	expect(questions.olderThan(10_000)).toEqual(['whether it is in a block']);
	clock.mockRestore();
});
