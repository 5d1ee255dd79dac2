/** Packs and installs the npm package, and tries it: test/package/ has the tests. */
import { runLongTests } from './long-tests.ts';

runLongTests('test/package/*.test.ts', {}, false);
