/** Before each test file that uses random values: the same ones for each mutant, and no search for the simplest that fails. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 1, endOnFailure: true });
