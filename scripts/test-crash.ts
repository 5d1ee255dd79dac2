/**
 * Searches for data that a power loss takes: `npm run test:crash -- [--states 500] [--seed 1]`.
 * test/crash/ has the tests.
 */
import { parseArgs } from 'node:util';
import { runLongTests } from './long-tests.ts';

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
});
runLongTests('test/crash/*.test.ts', { CRASH_STATES: values.states, CRASH_SEED: values.seed });
