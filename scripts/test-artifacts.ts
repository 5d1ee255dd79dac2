/** Makes the artefacts of a release in two clones, and tries them: test/artifacts/ has the tests. */
import { runLongTests } from './long-tests.ts';

runLongTests('test/artifacts/*.test.ts', {}, false);
