/**
 * Searches for what faults of disk, program and clock break: `npm run test:faults -- [--short]`.
 * test/faults/ has the tests.
 */
import { parseArgs } from 'node:util';
import { runLongTests } from './long-tests.ts';

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
runLongTests('test/faults/*.test.ts', {
  FAULTS_FLIPS: values.short ? '40' : '400',
  FAULTS_KILLS: values.short ? '2' : '12',
});
